package org.loam.workbench.asterixdb.crash;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.loam.workbench.asterixdb.cluster.Artifacts;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.Ports;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.console.WorkOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam asterixdb crashes}: nodes that die under writers, and what must be there then. */
@Command(
    name = "crashes",
    description = {
      "Kills node controllers under writers, in a cluster of its own on free ports that is stopped"
          + " and deleted at the end: one node or both, and in one cycle of four once more while"
          + " they recover. After each cycle every acknowledged insert, upsert and deletion must"
          + " be there, nothing twice, and each secondary index must agree with the records;"
          + " and no statement may be refused while all nodes run."
          + " A cycle takes 10 to 20 seconds. The files stay if anything was wrong.",
      "",
      "Exit code 0 only if all of that held in every cycle. The choice of what is written and who"
          + " is killed comes from the seed; the moments that this meets are chance."
    },
    footer = {"  loam asterixdb crashes --cycles 10", "  loam asterixdb crashes --storage stock"})
public final class CrashCommand implements Callable<Integer> {
  private static final long HEAP_BYTES = 256L << 20;
  private static final long NEEDED_BYTES = 4L << 30;

  /** Partitions of a node share locks and a log. */
  private static final int DEVICES = 2;

  @Mixin private WorkOptions options = new WorkOptions();

  @Option(
      names = "--cycles",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "How many. Default: ${DEFAULT-VALUE}.")
  private int cycles;

  @Option(
      names = "--storage",
      paramLabel = "<kind>",
      defaultValue = "LOAM",
      description = "Who keeps the data: loam, or stock. Default: loam.")
  private Storage storage = Storage.LOAM;

  @Option(names = "--keep", description = "Leave the cluster's files when done, and name them.")
  private boolean keep;

  @Override
  public Integer call() throws InterruptedException {
    options.requireAtLeast("--cycles", cycles, 1);
    try (WorkDirectory work = options.workDirectory("asterixdb-crashes", keep)) {
      work.requireFreeBytes(NEEDED_BYTES);
      // Nodes end here because they are killed: what they say then helps nobody.
      AsterixCluster cluster =
          new AsterixCluster(work.path(), Artifacts.ofThisClone(), lastWords -> {});
      CrashableCluster target =
          new CrashableCluster(cluster, Ports.findFree(HEAP_BYTES, storage).withDevices(DEVICES));
      boolean clean = false;
      try (ExitHook unused = new ExitHook("end cluster", target::killAll)) {
        clean = run(target);
        return clean ? ExitCode.OK : ExitCode.FAILED;
      } finally {
        target.killAll();
        if (keep || !clean) {
          work.keep();
          Progress.say("the cluster's files are in " + work.path());
        }
      }
    }
  }

  private boolean run(CrashableCluster target) throws InterruptedException {
    target.start();
    CrashCycles all = new CrashCycles(target, options.seed());
    all.run(
        cycles, report -> Progress.say(String.format(Locale.ROOT, "crashes: %s", report.line())));
    if (storage == Storage.LOAM) {
      target.requireLoam();
    }
    CrashReport report = all.report();
    options.print(report, report::text);
    return report.isClean();
  }
}
