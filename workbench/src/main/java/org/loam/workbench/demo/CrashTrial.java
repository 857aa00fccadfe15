package org.loam.workbench.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Progress;
import org.loam.workbench.demo.CrashVerdict.State;

/**
 * Lets a child process ingest, kills it in the middle (SIGKILL: no handler, no flush, no goodbye),
 * opens the database again and holds every record against what the child was told.
 */
final class CrashTrial {
  private final Path databaseDirectory;
  private final Path spoolPath;
  private final Spool spool;
  private final Shape shape;
  private final IngestPlan plan;

  CrashTrial(Path databaseDirectory, Path spoolPath, Spool spool, Shape shape) {
    this.databaseDirectory = databaseDirectory;
    this.spoolPath = spoolPath;
    this.spool = spool;
    this.shape = shape;
    this.plan = IngestPlan.of(spool.count());
  }

  /**
   * Starts the child and kills it after 30 to 70 % of its batches.
   *
   * @return the acknowledged batches of each writer
   */
  int[] ingestAndKill(int ingest, SplittableRandom random) throws InterruptedException {
    int killAfter = (int) (plan.batchCount() * (0.3 + 0.4 * random.nextDouble()));
    Process child =
        ChildJvm.start(
            IngestMain.class,
            List.of("-Xmx128m"),
            List.of(
                databaseDirectory.toString(),
                spoolPath.toString(),
                shape.name(),
                Integer.toString(ingest)));
    int[] acknowledged = new int[plan.writers()];
    int lines = 0;
    try (BufferedReader pipe =
            new BufferedReader(
                new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII));
        Progress progress = Progress.start("second ingest", plan.batchCount())) {
      for (String line = pipe.readLine(); line != null; line = pipe.readLine()) {
        count(line, acknowledged);
        progress.step(1);
        if (++lines == killAfter) {
          // Through the handle: Process.destroyForcibly would close the pipe we still read.
          child.toHandle().destroyForcibly();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int exitCode = child.waitFor();
    if (lines < killAfter) {
      throw CommandException.failed(
          "the child ended by itself with exit code " + exitCode + ", before it was killed");
    }
    return acknowledged;
  }

  /** Whether the kill came before the child was through; on a busy machine it may come late. */
  boolean wasInTheMiddle(int[] acknowledged) {
    return Arrays.stream(acknowledged).sum() < plan.batchCount();
  }

  /** Compares the reopened database with the acknowledgements, and brings the model up to date. */
  CrashVerdict verify(DemoDatabase database, Expected expected, int ingest, int[] acknowledged) {
    CrashVerdict verdict =
        CrashVerdict.of(plan, acknowledged, place -> state(database, expected, ingest, place));
    verdict.present().stream().forEach(place -> expected.put(record(place, ingest)));
    return verdict;
  }

  private State state(DemoDatabase database, Expected expected, int ingest, int place) {
    DemoRecord after = record(place, ingest);
    byte[] found = database.get(after.key());
    if (found != null && Expected.checksum(found) == Expected.checksum(after.bytes())) {
      return State.AFTER;
    }
    return expected.isRight(after.key(), found) ? State.BEFORE : State.OTHER;
  }

  private DemoRecord record(int place, int ingest) {
    try {
      return DemoRecord.of(shape, spool.read(spool.shuffled(place))).rewritten(ingest);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each writer acknowledges its batches in order; a line that does not fit is not ours. */
  private static void count(String line, int[] acknowledged) {
    int blank = line.indexOf(' ');
    int writer = Integer.parseInt(line.substring(0, blank));
    int batch = Integer.parseInt(line.substring(blank + 1));
    if (batch != acknowledged[writer]) {
      throw new AssertionError("batch " + batch + " after " + acknowledged[writer]);
    }
    acknowledged[writer]++;
  }
}
