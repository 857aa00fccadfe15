package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.report.RecoveryReport;
import org.loam.workbench.console.ChildJvm;

/** How long a recovery takes that has to replay 1 GiB of log; the time is told, not judged. */
@Tag("soak")
class RecoveryTimeTest {
  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

  /** The budget that the figure is asked for. */
  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(512L << 20)
          .logMaxBytes(2L << 30)
          .durability(Durability.PROCESS)
          .build();

  @TempDir Path directory;

  @Test
  void aGibibyteOfLogIsReplayed() throws Exception {
    Path database = directory.resolve("database");
    String[] written = write(database).split(" ");
    long records = Long.parseLong(written[0]);
    assertThat(written[1]).as("flushes").isEqualTo("0");
    boolean cold = dropPageCache();
    long begin = System.nanoTime();
    try (Engine engine = Engine.open(database, CONFIG)) {
      long millis = (System.nanoTime() - begin) / 1_000_000;
      RecoveryReport report = engine.recovery();
      System.out.printf(
          "recovery: %d records, %d MiB of log, %s page cache, %d ms%n",
          records, report.replayedBytes() >> 20, cold ? "cold" : "warm", millis);
      assertThat(report.replayedFrames()).isEqualTo(records);
      assertThat(count(engine)).isEqualTo(records);
    }
  }

  private static String write(Path database) throws IOException, InterruptedException {
    Process child =
        ChildJvm.start(LongLogMain.class, List.of("-Xmx128m"), List.of(database.toString()));
    String said = new String(child.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(child.waitFor()).isZero();
    return said;
  }

  /** Only root may; otherwise the log is read from memory. */
  private static boolean dropPageCache() throws IOException, InterruptedException {
    if (!Files.isWritable(DROP_CACHES)) {
      return false;
    }
    assertThat(new ProcessBuilder("sync").start().waitFor()).isZero();
    Files.writeString(DROP_CACHES, "3");
    return true;
  }

  private static long count(Engine engine) {
    long count = 0;
    try (Cursor cursor = engine.tree("t").scan(ScanOptions.all().withoutCacheFill())) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }
}
