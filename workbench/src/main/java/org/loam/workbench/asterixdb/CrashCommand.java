package org.loam.workbench.asterixdb;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.crash.CrashCycles;
import org.loam.workbench.asterixdb.crash.CrashReport;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam asterixdb crashes}: nodes that die under writers, and what must be there then. */
@Command(
    name = "crashes",
    description = {
      "Kills node controllers under writers, in a cluster of its own on free ports that is stopped"
          + " and deleted at the end: one node or both, and in one cycle of four once more while"
          + " they recover. After each cycle every acknowledged insert, upsert and deletion must"
          + " be there, nothing twice, and each secondary index must agree with the records."
          + " A cycle takes 10 to 20 seconds.",
      "",
      "Exit code 0 only if all of that held in every cycle. The choice of what is written and who"
          + " is killed comes from the seed; the moments that this meets are chance."
    },
    footer = {"  loam asterixdb crashes --cycles 10", "  loam asterixdb crashes --storage stock"})
public final class CrashCommand implements Callable<Integer> {
  private static final long HEAP_BYTES = 256L << 20;
  private static final long NEEDED_BYTES = 4L << 30;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--cycles",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "How many. Default: ${DEFAULT-VALUE}.")
  private int cycles;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "42",
      description = "Of all choices. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--storage",
      paramLabel = "<kind>",
      defaultValue = "LOAM",
      description = "Who keeps the data: loam, or stock. Default: loam.")
  private Storage storage = Storage.LOAM;

  @Option(names = "--keep", description = "Leave the cluster's files when done, and name them.")
  private boolean keep;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    if (cycles < 1) {
      throw new ParameterException(
          command().commandLine(), "--cycles = " + cycles + ", rule: at least 1");
    }
    try (WorkDirectory work = WorkDirectory.create(null, "asterixdb-crashes", keep)) {
      work.requireFreeBytes(NEEDED_BYTES);
      // Nodes end here because they are killed: what they say then helps nobody.
      AsterixCluster cluster =
          new AsterixCluster(work.path(), Artifacts.ofThisClone(), lastWords -> {});
      CrashableCluster target = new CrashableCluster(cluster, Ports.findFree(HEAP_BYTES, storage));
      try (ExitHook unused = new ExitHook("end cluster", target::killAll)) {
        return run(target);
      } finally {
        target.killAll();
        if (keep) {
          Progress.say("the cluster's files are in " + work.path());
        }
      }
    }
  }

  private Integer run(CrashableCluster target) throws InterruptedException {
    target.start();
    CrashCycles all = new CrashCycles(target, seed);
    all.run(
        cycles, report -> Progress.say(String.format(Locale.ROOT, "crashes: %s", report.line())));
    if (storage == Storage.LOAM) {
      target.requireLoam();
    }
    CrashReport report = all.report();
    PrintWriter out = command().commandLine().getOut();
    out.print(json ? Json.document(report) + System.lineSeparator() : report.text());
    out.flush();
    return report.isClean() ? ExitCode.OK : ExitCode.FAILED;
  }

  private CommandSpec command() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return spec;
  }
}
