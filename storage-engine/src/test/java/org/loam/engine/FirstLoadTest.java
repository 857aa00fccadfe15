package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.Simulation;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.report.EventListener.FlushEnded;
import org.loam.engine.report.EventListener.MergeBegun;
import org.loam.engine.report.EventListener.MergeEnded;

/**
 * An empty tree is loaded in random key order with sixteen times its write memory. Without guards
 * the first merges would take all that is there, and last as long.
 */
@Tag("once")
class FirstLoadTest {
  private static final long WRITE_BYTES = 16 << 20;
  private static final int VALUE_BYTES = 1000;
  private static final int RECORDS = (int) (16 * WRITE_BYTES / VALUE_BYTES);

  /**
   * What the largest merge may take: it takes 1.4 write memories with RANGES, and 1.3 with DYNAMIC.
   * With DYNAMIC it takes 7.2 if there are no guards until the last level has two SSTables.
   */
  private static final long MOST_BYTES = 2 * WRITE_BYTES;

  private final RecordedEvents events = new RecordedEvents();

  @ParameterizedTest
  @EnumSource(names = {"RANGES", "DYNAMIC", "ACCORDION_INDEX"})
  void noMergeOfALoadIsLarge(WriteScheme scheme) {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            OpenOptions options = OpenOptions.DEFAULT.withListener(events);
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config(scheme), options)) {
              Tree tree = engine.createTree("t");
              for (int key : shuffled()) {
                byte[] bytes = String.format(Locale.ROOT, "%08d", key).getBytes(UTF_8);
                tree.put(bytes, new byte[VALUE_BYTES]);
              }
            }
          });
    }
    List<MergeBegun> merges =
        events.all(MergeBegun.class).stream().filter(merge -> !merge.move()).toList();
    long largest = merges.stream().mapToLong(MergeBegun::bytes).max().orElse(0);
    List<MergeEnded> ended =
        events.all(MergeEnded.class).stream().filter(merge -> !merge.begun().move()).toList();
    List<FlushEnded> flushes = events.all(FlushEnded.class);
    assertThat(events.all(RecordedEvents.Dropped.class)).isEmpty();
    assertThat(merges).hasSizeGreaterThan(5);
    assertThat(largest)
        .as(
            "the largest of %d merges; %d flushes of %d tables, %d tables written by merges,"
                + " %.2f bytes of merges for one that is flushed",
            merges.size(),
            flushes.size(),
            flushes.stream().mapToInt(FlushEnded::tables).sum(),
            ended.stream().mapToInt(MergeEnded::tables).sum(),
            (double) ended.stream().mapToLong(MergeEnded::bytes).sum()
                / flushes.stream().mapToLong(FlushEnded::bytes).sum())
        .isLessThan(MOST_BYTES);
  }

  private static List<Integer> shuffled() {
    List<Integer> keys = new ArrayList<>(IntStream.range(0, RECORDS).boxed().toList());
    Collections.shuffle(keys, new Random(1));
    return keys;
  }

  /** As the defaults are to each other; flushes and merges are slower than the client. */
  private static EngineConfig config(WriteScheme scheme) {
    return EngineConfig.builder()
        .memoryTotalBytes(128 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeScheme(scheme)
        .writeInitialBytes(WRITE_BYTES)
        .sstableBytes(8 << 20)
        .logSegmentBytes(1 << 20)
        .logMaxBytes(256 << 20)
        .ioLimitBytesPerSecond(64 << 20)
        .mergesWhenQuiet(false)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }
}
