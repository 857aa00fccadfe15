package org.loam.workbench.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;

class IngestTest {
  private static final Pattern RECORDS_IN = Pattern.compile("records that are in: ([0-9]+);");
  private static final int RECORDS = 20_000;

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .logSegmentBytes(1 << 20)
        .logMaxBytes(4 << 20)
        .build();
  }

  /** Records of about 200 bytes. */
  private static RecordReader records() {
    long[] line = {0};
    return () -> {
      if (line[0] == RECORDS) {
        return null;
      }
      line[0]++;
      String json = "{\"id\": %d, \"text\": \"%s\"}".formatted(line[0], "x".repeat(180));
      return new InputRecord(line[0], json.getBytes(UTF_8));
    };
  }

  private static IngestReport ingest(Engine engine, JsonDataset dataset) {
    return new Ingest(engine, dataset, false, () -> {}).run(records());
  }

  /** With room again the engine goes on by itself, but not at once. */
  private static IngestReport ingestAtLast(Simulation sim, Engine engine, JsonDataset dataset) {
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        return ingest(engine, dataset);
      } catch (CommandException e) {
        sim.env().waiter().pause(10_000_000);
      }
    }
    throw new AssertionError("the engine takes no writes although there is room");
  }

  private static long count(JsonDataset dataset) {
    long count = 0;
    try (Cursor records = dataset.dataset().scan(ScanOptions.all())) {
      while (records.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void aFullDiskEndsItWithTheNumberOfRecordsThatAreIn() {
    try (Simulation sim = Simulation.seeded(3)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              JsonDataset dataset =
                  JsonDataset.create(
                      engine, "d", List.of("id"), List.of(JsonIndex.of("text", "text")));
              sim.disk().capacityBytes(sim.disk().usedBytes() + (2 << 20));
              CommandException full =
                  catchThrowableOfType(CommandException.class, () -> ingest(engine, dataset));
              assertThat(full).hasMessageContainingAll("needs", "free", "make room");
              assertThat(full.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
              Matcher in = RECORDS_IN.matcher(String.valueOf(full.getMessage()));
              assertThat(in.find()).isTrue();
              assertThat(Long.parseLong(in.group(1)))
                  .isBetween(1L, RECORDS - 1L)
                  .isEqualTo(count(dataset));
              sim.disk().capacityBytes(Long.MAX_VALUE);
              assertThat(ingestAtLast(sim, engine, dataset).records()).isEqualTo(RECORDS);
              assertThat(engine.verify().isSound()).isTrue();
            }
          });
    }
  }

  /** What comes of three records and a fault in place of the fourth, which is not skipped. */
  private static CommandException afterThree(RecordReader fault) {
    CommandException[] ended = new CommandException[1];
    try (Simulation sim = Simulation.seeded(3)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              JsonDataset dataset = JsonDataset.create(engine, "d", List.of("id"), List.of());
              RecordReader some = records();
              int[] read = {0};
              RecordReader broken = () -> (read[0]++ == 3 ? fault : some).next();
              ended[0] =
                  catchThrowableOfType(
                      CommandException.class,
                      () -> new Ingest(engine, dataset, true, () -> {}).run(broken));
              assertThat(count(dataset)).isEqualTo(3);
            }
          });
    }
    return ended[0];
  }

  @Test
  void recordsBeforeAPlaceThatCannotBeReadAreIn() {
    CommandException e =
        afterThree(
            () -> {
              throw new IOException("planned");
            });
    assertThat(e).hasMessageContainingAll("planned", "records that are in: 3;");
    assertThat(e.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
  }

  @Test
  void recordsBeforeOneThatTheHeapHasNoRoomForAreIn() {
    CommandException e =
        afterThree(
            () -> {
              throw new OutOfMemoryError("planned");
            });
    assertThat(e).hasMessageContainingAll("no room", "records that are in: 3;", "LOAM_JAVA_OPTS");
    assertThat(e.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
  }
}
