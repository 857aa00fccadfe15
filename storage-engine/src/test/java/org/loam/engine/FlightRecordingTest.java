package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.MoveOutcome;
import org.loam.engine.EngineStatistics.Tuner;
import org.loam.engine.EngineStatistics.TunerDecision;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;
import org.loam.tuner.policy.Decision;

/** What the flight recorder of the JVM has of an engine. */
@Tag("once")
@ExtendWith(QuietLog.class)
class FlightRecordingTest {
  private static final long SECOND = 1_000_000_000;

  @TempDir Path directory;

  /** Ends a cycle of the tuner every five seconds; L0 takes few tables. */
  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(256 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(512 << 10)
        .sstableBytes(64 << 10)
        .l0MinMerge(1)
        .l0Stop(2)
        .tunerCycleSeconds(5)
        .build();
  }

  private static EngineStatistics busyEngine() {
    EngineStatistics[] last = new EngineStatistics[1];
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree tree = engine.createTree("t");
              for (int i = 0; i < 3000; i++) {
                tree.put(String.format("key%05d", i % 700).getBytes(UTF_8), new byte[1000]);
              }
              while (engine.statistics().memory().tuner().last() == null) {
                sim.env().waiter().pause(SECOND);
              }
              last[0] = engine.statistics();
            }
          });
    }
    return last[0];
  }

  @Test
  void aRecordingHasFlushesMergesStallsAndDecisions() throws Exception {
    Path file = directory.resolve("engine.jfr");
    EngineStatistics statistics;
    try (Recording recording = new Recording()) {
      recording.start();
      statistics = busyEngine();
      recording.stop();
      recording.dump(file);
    }
    Map<String, List<RecordedEvent>> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("org.loam."))
            .collect(Collectors.groupingBy(event -> event.getEventType().getName()));

    List<RecordedEvent> flushes = events.get("org.loam.Flush");
    assertThat(flushes).hasSizeGreaterThanOrEqualTo((int) statistics.work().flushes());
    assertThat(flushes).allMatch(flush -> flush.getString("tree").equals("t"));
    assertThat(flushes).allMatch(flush -> flush.getLong("memoryBytes") > 0);
    assertThat(flushes).extracting(flush -> flush.getString("cause")).contains("MEMORY");
    long flushed =
        flushes.stream()
            .filter(flush -> flush.getBoolean("installed"))
            .mapToLong(flush -> flush.getLong("writtenBytes"))
            .sum();
    assertThat(flushed).isGreaterThanOrEqualTo(statistics.work().flushedBytes());

    List<RecordedEvent> merges = events.get("org.loam.Merge");
    assertThat(merges).hasSizeGreaterThanOrEqualTo((int) statistics.work().merges());
    assertThat(merges).anyMatch(merge -> merge.getInt("fromLevel") == 0);
    assertThat(merges).allMatch(merge -> merge.getLong("inputBytes") > 0);

    Map<String, Long> stalls =
        events.get("org.loam.Stall").stream()
            .collect(Collectors.groupingBy(s -> s.getString("cause"), Collectors.counting()));
    for (Map.Entry<StallCause, StallLog.Totals> cause : statistics.stalls().totals().entrySet()) {
      if (cause.getKey() != StallCause.WRITE_CONTROL && cause.getValue().count() > 0) {
        assertThat(stalls).containsEntry(cause.getKey().name(), cause.getValue().count());
      }
    }
    assertThat(stalls).isNotEmpty();

    TunerDecision last = statistics.memory().tuner().last();
    List<RecordedEvent> decisions = events.get("org.loam.TunerDecision");
    assertThat(decisions).extracting(event -> event.getLong("cycle")).contains(1L, last.cycle());
    RecordedEvent decision = decisions.get((int) last.cycle() - 1);
    assertThat(decision.getLong("toBytes")).isEqualTo(last.toBytes()).isPositive();
    assertThat(decision.getString("rule")).isEqualTo(last.rule());
    assertThat(decision.getString("meaning")).isEqualTo(last.meaning());
    assertThat(decision.getString("mode")).isEqualTo("ADAPTIVE");
  }

  /** By a tuner that gives write memory more, and looks at what that has saved. */
  private static HistoryEntry judgedMove() {
    HistoryEntry[] judged = new HistoryEntry[1];
    try (Simulation sim = Simulation.seeded(1)) {
      TunedEngines.inEngine(
          sim,
          TunedEngines.configForUpdates().build(),
          engine -> {
            Tree tree = engine.createTree("t");
            Random random = new Random(1);
            Tuner tuner = engine.statistics().memory().tuner();
            for (int i = 0; tuner.last() == null || tuner.lastMove() == null; i++) {
              assertThat(i).as("updates").isLessThan(100_000);
              TunedEngines.update(sim, tree, random);
              if (i % 100 == 0) {
                tuner = engine.statistics().memory().tuner();
              }
            }
            // It is written down after it is told.
            sim.env().waiter().pause(SECOND);
            List<HistoryEntry> entries =
                HistoryReader.read(sim.env().files(), HistoryReader.fileIn(sim.directory()))
                    .entries();
            judged[0] = entries.get((int) tuner.last().cycle() - 1);
            Decision.Outcome outcome = judged[0].decision().lastMove();
            assertThat(tuner.lastMove())
                .isEqualTo(new MoveOutcome(outcome.predictedGain(), outcome.observedGain()));
          });
    }
    return judged[0];
  }

  @Test
  void whatBecameOfAMoveIsInTheHistoryTheStatisticsAndARecording() throws Exception {
    Path file = directory.resolve("engine.jfr");
    HistoryEntry judged;
    try (Recording recording = new Recording()) {
      recording.start();
      judged = judgedMove();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> decisions =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("org.loam.TunerDecision"))
            .toList();
    RecordedEvent event = decisions.get((int) judged.cycle() - 1);
    Decision.Outcome outcome = judged.decision().lastMove();
    assertThat(event.getDouble("lastPredictedGain")).isEqualTo(outcome.predictedGain());
    assertThat(event.getDouble("lastObservedGain")).isEqualTo(outcome.observedGain());
    assertThat(decisions.get(0).getDouble("lastObservedGain")).isNaN();
  }

  /** An event that is not asked for is not made. */
  @Test
  void whatIsSwitchedOffIsNotRecorded() throws Exception {
    Path file = directory.resolve("engine.jfr");
    try (Recording recording = new Recording()) {
      recording.disable("org.loam.Stall");
      recording.enable("org.loam.Flush");
      recording.start();
      busyEngine();
      recording.stop();
      recording.dump(file);
    }
    assertThat(RecordingFile.readAllEvents(file))
        .extracting(event -> event.getEventType().getName())
        .contains("org.loam.Flush")
        .doesNotContain("org.loam.Stall");
  }
}
