package org.loam.workbench.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam demo}: real records through the whole engine, and a kill that loses none. */
@Command(
    name = "demo",
    description = {
      "Shows the engine at work, with 64 MiB of memory. It ingests the package index"
          + " of this Debian machine, about 60,000 JSON records, or generated TPC-H orders"
          + " elsewhere, into a dataset with four indexes. It updates, deletes, and reads by"
          + " key, by prefix, by range, in reverse and by index. Then it kills its own child"
          + " process in the middle of another ingest, opens the database again, looks for"
          + " every acknowledged record, and verifies files and indexes.",
      "",
      "The exit code is 0 only if nothing was lost, every answer was right, and the"
          + " verification found nothing."
    },
    footer = {
      "  loam demo",
      "  loam demo --kills 5 --json",
      "  loam demo --directory /var/tmp/demo --keep"
    })
public final class DemoCommand implements Callable<Integer> {
  /** The database, its log and the records, each in the old and a new version. */
  private static final long NEEDED_BYTES = 2L << 30;

  private static final int MOST_KILLS = 1000;

  @Mixin private DemoOptions options = new DemoOptions();

  @Mixin private SourceOptions source = new SourceOptions();

  @Option(
      names = "--kills",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Number of kills and recoveries. Default: ${DEFAULT-VALUE}.")
  private int kills = 1;

  @Override
  public Integer call() throws InterruptedException {
    options.requireIn("--kills", kills, 0, MOST_KILLS);
    int mostRecords = options.mostRecords();
    try (WorkDirectory work = options.workDirectory("demo")) {
      work.requireFreeBytes(NEEDED_BYTES);
      DemoReport report = run(work.path(), mostRecords);
      options.print(report, () -> DemoText.of(report));
      return report.isClean() ? ExitCode.OK : ExitCode.FAILED;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DemoReport run(Path work, int mostRecords) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    RecordSource records = source.choose();
    Progress.say("source: " + records.description());
    Path spoolPath = work.resolve("records");
    Spool.fill(spoolPath, records, mostRecords);
    try (Spool spool = Spool.open(spoolPath)) {
      DemoOptions.requireEnough(spool.count());
      DemoRun run = new DemoRun(work, spoolPath, spool, records.shape(), options.seed());
      run.ingest();
      run.verify();
      for (int kill = 0; kill < kills; kill++) {
        run.killAndCompare();
        run.verify();
      }
      return run.report(
          records.description(), options.keep() ? work : null, System.nanoTime() - startNanos);
    } finally {
      Files.deleteIfExists(spoolPath);
    }
  }
}
