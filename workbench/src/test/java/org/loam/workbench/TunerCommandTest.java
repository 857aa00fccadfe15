package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.tuner.history.HistoryReader;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;

/** {@code loam tuner} in a process of its own, while an engine runs here. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TunerCommandTest {
  @TempDir Path directory;

  private static long cycles(Engine engine) {
    var last = engine.statistics().memory().tuner().last();
    return last == null ? 0 : last.cycle();
  }

  @Test
  void anotherProcessReadsTheDecisionsOfARunningEngine() throws IOException {
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .logSegmentBytes(4 << 20)
            .durability(Durability.PROCESS)
            .tunerMode(TunerMode.OBSERVE)
            .tunerCycleSeconds(1)
            .build();
    String data = directory.resolve("db").toString();
    assertThat(LoamProcess.run("tuner", "--directory", data).exitCode())
        .isEqualTo(ExitCode.ENVIRONMENT);
    Engine.open(Path.of(data), config.toBuilder().tunerMode(TunerMode.FROZEN).build()).close();
    assertThat(LoamProcess.run("tuner", "--directory", data).out())
        .isEqualTo("no cycle of the memory tuner has ended\n");
    try (Engine engine = Engine.open(Path.of(data), config)) {
      Tree tree = engine.createTree("t");
      for (int i = 0; cycles(engine) < 2; i++) {
        tree.put(("key" + i % 10_000).getBytes(UTF_8), new byte[1000]);
      }
      LoamProcess.Result text = LoamProcess.run("tuner", "--explain", "--directory", data);
      assertThat(text.err()).isEmpty();
      assertThat(text.out())
          .contains("cycle 1 after ")
          .contains(" s, OBSERVE: write memory 24.0 of ")
          .contains(" MiB, stays (")
          .contains(" operations, ")
          .containsPattern("  tree 't': [0-9.]+ % of write memory, [0-9,]+ bytes written, ")
          .contains("  the disk took ")
          .contains(" requests for what queries missed ran beside flushes and merges, and took ")
          .contains(" % of the processors were busy; flushes and merges took ")
          .contains("  missDelayNanosPerByte = ")
          .contains("  writeScale = ");
      JsonNode last =
          Json.read(
              LoamProcess.run("tuner", "--json", "--limit", "1", "--directory", data).out(),
              JsonNode.class);
      assertThat(last.path("entries").size()).isEqualTo(1);
      assertThat(last.path("entries").path(0).path("cycle").asLong()).isGreaterThanOrEqualTo(2);
      JsonNode all =
          Json.read(
              LoamProcess.run("tuner", "--json", "--limit", "1000", "--directory", data).out(),
              JsonNode.class);
      // The first cycle: no write comes in a later one, and an idle process may take no time.
      JsonNode entry = all.path("entries").path(0);
      assertThat(entry.path("cycle").asLong()).isEqualTo(1);
      assertThat(entry.path("decision").path("rule").asText()).isNotEmpty();
      assertThat(entry.path("inputs").has("operations")).isTrue();
      JsonNode written = entry.path("inputs").path("trees").path(0);
      assertThat(written.path("name").asText()).isEqualTo("t");
      assertThat(written.path("share").asDouble()).isBetween(0.0, 1.0);
      assertThat(written.path("writtenBytes").asLong())
          .isPositive()
          .isEqualTo(entry.path("inputs").path("writtenBytes").asLong());
      JsonNode times = entry.path("inputs").path("times");
      assertThat(times.has("writeNanos")).isTrue();
      assertThat(times.path("beside").has("requests")).isTrue();
      assertThat(times.path("beside").has("nanos")).isTrue();
      JsonNode processors = times.path("processors");
      assertThat(processors.has("workNanos")).isTrue();
      assertThat(processors.path("busyNanos").asLong())
          .isPositive()
          .isLessThan(processors.path("elapsedNanos").asLong() * 11 / 10);
    }
    Files.writeString(
        HistoryReader.fileIn(Path.of(data)), "{\"cycle\": 3, \n", StandardOpenOption.APPEND);
    assertThat(LoamProcess.run("tuner", "--limit", "0", "--directory", data).out())
        .isEqualTo("lines of the history that are no entries: 1\n");
  }
}
