package org.loam.workbench.asterixdb.crash;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.loam.workbench.asterixdb.cluster.Artifacts;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.Ports;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.ByteSize;
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
      "Kills node controllers while clients write. It uses a cluster of its own on"
          + " free ports and deletes it at the end. In each cycle it kills one node or both;"
          + " in one cycle of four it kills them once more while they recover. After each"
          + " cycle it checks that every acknowledged insert, upsert and deletion is there,"
          + " that nothing is there twice, and that each secondary index agrees with the"
          + " records. No statement may be refused while all nodes run. A cycle takes 10 to"
          + " 20 seconds. If anything was wrong, the files stay.",
      "",
      "The exit code is 0 only if all of that held in every cycle. The seed decides"
          + " what is written and which nodes are killed, but not at which moment of a write"
          + " a kill comes."
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
      description = "Number of cycles. Default: ${DEFAULT-VALUE}.")
  private int cycles;

  @Option(
      names = "--storage",
      paramLabel = "<kind>",
      defaultValue = "LOAM",
      description = "Which storage keeps the data: loam or stock. Default: loam.")
  private Storage storage = Storage.LOAM;

  @Option(
      names = "--write-memory",
      paramLabel = "<size>",
      converter = ByteSize.class,
      defaultValue = "2MiB",
      description =
          "Write memory of Loam on each node. If it is less than clients write in a cycle,"
              + " nodes flush while they recover. Default: ${DEFAULT-VALUE}.")
  private long writeMemoryBytes;

  @Option(
      names = "--keep",
      description = "Keep the cluster's files at the end, and print where they are.")
  private boolean keep;

  @Override
  public Integer call() throws InterruptedException {
    options.requireAtLeast("--cycles", cycles, 1);
    try (WorkDirectory work = options.workDirectory("asterixdb-crashes", keep)) {
      work.requireFreeBytes(NEEDED_BYTES);
      // Nodes end here because they are killed: what they say then is of no use.
      AsterixCluster cluster =
          new AsterixCluster(work.path(), Artifacts.ofThisClone(), lastWords -> {});
      CrashableCluster target =
          new CrashableCluster(
              cluster,
              Ports.findFree(HEAP_BYTES, storage)
                  .withDevices(DEVICES)
                  .withLoam(Map.of("write.initialBytes", writeMemoryBytes + "B")));
      boolean clean = false;
      try (ExitHook unused = new ExitHook("end cluster", cluster::killAll)) {
        clean = run(target);
        return clean ? ExitCode.OK : ExitCode.FAILED;
      } finally {
        cluster.killAll();
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
