package org.loam.log;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import org.loam.common.codec.Crc32c;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.env.real.RealEnv;
import org.loam.common.mem.Mem;
import org.loam.log.CommitLog.Appended;

/**
 * Measures what an append costs its thread, against the plain alternative of one buffered write per
 * frame. Not a test; see the decision record on the mapped log for how to read it.
 *
 * <p>Arguments: a directory to work in, payload bytes (default 1024), rounds (default 6).
 */
public final class AppendCost {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int FRAMES = 400_000;

  private AppendCost() {}

  public static void main(String[] args) throws IOException {
    Path dir = Path.of(args[0]);
    int payloadBytes = args.length > 1 ? Integer.parseInt(args[1]) : 1024;
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 6;
    StorageEnv env = RealEnv.create();
    long payload = Mem.allocate(payloadBytes, 64);
    Mem.fill(payload, payloadBytes, (byte) 7);
    for (int round = 0; round < rounds; round++) {
      Path work = dir.resolve("append-cost-" + round);
      TransactionLog log =
          TransactionLog.open(env, work, new LogConfig(64 << 20, 1 << 30, 4, 0), 1);
      log.replay(0, (lsn, endLsn, address, length) -> {});
      log.start(0);
      appends(log, payload, payloadBytes, "new segments");
      appends(log, payload, payloadBytes, "recycled");
      appends(log, payload, payloadBytes, "recycled");
      log.close();
      writes(env, work.resolve("plain"), payload, payloadBytes);
      delete(work);
    }
    Mem.free(payload);
  }

  /** Appends, and truncates as it goes, so that segments are used again and again. */
  private static void appends(TransactionLog log, long payload, int payloadBytes, String what) {
    int crc = Crc32c.of(payload, payloadBytes);
    long cpu = 0;
    long wall = 0;
    int stalls = 0;
    int left = FRAMES;
    while (left > 0) {
      int burst = Math.min(left, 20_000);
      long wallStart = System.nanoTime();
      long cpuStart = THREADS.getCurrentThreadCpuTime();
      int done = 0;
      while (done < burst && log.append(payload, payloadBytes, crc) == Appended.DONE) {
        done++;
      }
      cpu += THREADS.getCurrentThreadCpuTime() - cpuStart;
      wall += System.nanoTime() - wallStart;
      left -= done;
      if (done < burst) {
        stalls++;
        log.truncate(log.durableLsn());
        log.awaitRoom(payloadBytes, Long.MAX_VALUE);
      }
      log.truncate(log.durableLsn());
    }
    report("mapped, " + what, payloadBytes, cpu, wall);
    System.out.println("  waits for room: " + stalls);
  }

  /** One buffered write per frame over a file that was written before. */
  private static void writes(StorageEnv env, Path path, long payload, int payloadBytes) {
    long fileBytes = 64 << 20;
    try (StorageFile file = env.files().open(path, Mode.CREATE_BUFFERED)) {
      long zeros = Mem.allocate(1 << 20, 4096);
      Mem.fill(zeros, 1 << 20, (byte) 0);
      for (long at = 0; at < fileBytes; at += 1 << 20) {
        file.write(at, zeros, 1 << 20);
      }
      Mem.free(zeros);
      file.force();
      long wallStart = System.nanoTime();
      long cpuStart = THREADS.getCurrentThreadCpuTime();
      int frames = FRAMES / 4;
      long at = 0;
      for (int i = 0; i < frames; i++) {
        file.write(at, payload, payloadBytes);
        at = at + 2L * payloadBytes > fileBytes ? 0 : at + payloadBytes;
      }
      long scale = FRAMES / frames;
      report(
          "buffered write",
          payloadBytes,
          (THREADS.getCurrentThreadCpuTime() - cpuStart) * scale,
          (System.nanoTime() - wallStart) * scale);
    }
  }

  private static void report(String what, int payloadBytes, long cpuNanos, long wallNanos) {
    System.out.printf(
        Locale.ROOT,
        "%-22s %5d bytes: %5d ns of CPU, %5d ns per frame%n",
        what,
        payloadBytes,
        cpuNanos / FRAMES,
        wallNanos / FRAMES);
  }

  private static void delete(Path directory) throws IOException {
    try (var paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
