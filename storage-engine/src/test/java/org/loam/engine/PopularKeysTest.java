package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.Simulation;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.report.EventListener.FlushEnded;
import org.loam.engine.report.FlushChoice;
import org.loam.lsm.FlushCause;

/** A key that is written again and again. */
@Tag("once")
class PopularKeysTest {
  private static final long WRITE_BYTES = 4 << 20;
  private static final long LOG_BYTES = 64 << 20;
  private static final byte[] POPULAR = key(5_001);

  /** Even ones, in an order that goes through all of them. */
  private static final int OTHER_KEYS = 20_000;

  private static final int STEP = 7919;
  private static final int LOADED_KEYS = 5_000;
  private static final int VALUE_BYTES = 250;
  private static final int RECORD_HEADER_BYTES = 20;
  private static final int PIECE_HEADER_BYTES = 12;

  /** What tells a reader that comes too late of the versions that were dropped. */
  private static final int MARK_BYTES = 24;

  private final RecordedEvents events = new RecordedEvents();

  /** Its versions take the room of each other: only a log that is too long has them flushed. */
  @Test
  void aPopularKeyTakesLittleMemory() {
    run(
        engine -> {
          Tree tree = engine.createTree("t");
          int writes = 0;
          while (engine.flushChoices().isEmpty()) {
            tree.put(POPULAR, new byte[1000]);
            writes++;
          }
          assertThat(writes).isGreaterThan((int) (LOG_BYTES * 6 / 10 / 1100));
          List<FlushChoice> choices = engine.flushChoices();
          assertThat(choices).hasSize(1);
          assertThat(choices.get(0).cause()).isEqualTo(FlushCause.LOG);
          assertThat(choices.get(0).chosen().bytes()).isLessThan(WRITE_BYTES / 20);
          assertThat(tree.get(POPULAR)).hasSize(1000);
        });
  }

  /** Values that grow do not fit where an earlier one was. */
  @Test
  void theRangeOfAPopularKeyHasTheSupersededBytes() {
    FlushChoice[] chosen = new FlushChoice[2];
    int[] others = new int[1];
    run(
        engine -> {
          Tree tree = engine.createTree("t");
          // Of a tree with so many entries the flush makes ranges.
          for (int i = 0; i < LOADED_KEYS; i++) {
            put(tree, key(2 * i * (OTHER_KEYS / LOADED_KEYS)));
          }
          engine.flush();
          int before = engine.flushChoices().size();
          int writes = 0;
          List<Long> popular = new ArrayList<>();
          while (engine.flushChoices().size() == before) {
            if (writes++ % 10 == 0) {
              int valueBytes = 2 * VALUE_BYTES + 8 * popular.size();
              tree.put(POPULAR, new byte[valueBytes]);
              popular.add(recordBytes(valueBytes));
            } else {
              put(tree, key(2 * (others[0]++ * STEP % OTHER_KEYS)));
            }
          }
          // The newest version is not superseded; the one before it is counted by the next write
          // to the range, since a reader may still ask for it until the newest is published.
          int last = popular.size() - 1;
          long superseded = sum(popular.subList(0, last - 1));
          // A record that goes on in the next page has one header more.
          long most = sum(popular.subList(0, last)) + MARK_BYTES + (long) last * PIECE_HEADER_BYTES;
          chosen[0] = engine.flushChoices().get(before);
          assertThat(chosen[0].chosen().ranges()).isGreaterThan(4);
          assertThat(chosen[0].chosen().range()).isBetween(1, chosen[0].chosen().ranges());
          assertThat(chosen[0].chosen().supersededBytes()).isBetween(superseded, most);
          assertThat(chosen[0].compared().supersededBytes()).isBetween(superseded, most);
          engine.flush();
          chosen[1] = engine.flushChoices().get(before + 1);
          assertThat(chosen[1].rule()).isEqualTo(FlushChoice.Rule.ALL);
          assertThat(chosen[1].chosen().supersededBytes()).isZero();
          assertThat(chosen[1].compared().supersededBytes()).isZero();
          assertThat(supersededBytes(engine)).isZero();
        });
    List<FlushEnded> flushes =
        events.all(FlushEnded.class).stream()
            .filter(flush -> flush.begun().tree().equals("t"))
            .toList();
    assertThat(flushes.stream().mapToLong(FlushEnded::entries).sum())
        .isEqualTo(LOADED_KEYS + others[0] + 1);
    // What is not superseded is what the flush wrote, the version that the popular key had before,
    // nodes and the ends of pages.
    FlushEnded flush = flushes.get(flushes.size() - 2);
    assertThat(flush.begun().bytes()).isEqualTo(chosen[0].chosen().bytes());
    long needed = (flush.entries() + 1) * recordBytes(VALUE_BYTES);
    assertThat(chosen[0].chosen().bytes() - chosen[0].chosen().supersededBytes())
        .isBetween(needed, needed * 5 / 4);
  }

  private static long recordBytes(int valueBytes) {
    return (RECORD_HEADER_BYTES + POPULAR.length + valueBytes + 7) & -8;
  }

  private static long sum(List<Long> bytes) {
    return bytes.stream().mapToLong(one -> one).sum();
  }

  private static long supersededBytes(Engine engine) {
    return engine.statistics().memory().writeUse().supersededBytes();
  }

  private static void put(Tree tree, byte[] key) {
    tree.put(key, new byte[VALUE_BYTES]);
  }

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "%08d", i).getBytes(UTF_8);
  }

  private void run(Consumer<Engine> test) {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      sim.run(
          () -> {
            OpenOptions options = OpenOptions.DEFAULT.withListener(events);
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config(), options)) {
              test.accept(engine);
            }
          });
    }
  }

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(WRITE_BYTES)
        .logSegmentBytes(128 << 10)
        .logMaxBytes(LOG_BYTES)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }
}
