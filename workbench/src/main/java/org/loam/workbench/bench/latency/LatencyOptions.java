package org.loam.workbench.bench.latency;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.RecordOptions;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Hotspot;
import org.loam.workbench.workload.Workload;
import org.loam.workbench.workload.Zipfian;
import picocli.CommandLine.Option;

/** What {@code loam bench latency} asks of a user. */
final class LatencyOptions extends RecordOptions {
  private static final DataSize USUAL = new DataSize(2_000_000, 1000, 512L << 20);
  private static final int MOST = 1000;
  private static final int MOST_INDEXES = 16;
  private static final int MOST_MINUTES = 24 * 60;
  private static final int MOST_OFFERED = 100_000_000;
  private static final int MILLIS = 1_000;

  @Option(
      names = "--load",
      paramLabel = "<share>",
      defaultValue = "0.95",
      description =
          "Share of the maximum that the running phase offers, at most 2; 0 leaves this phase"
              + " out. Default: ${DEFAULT-VALUE}.")
  private double load;

  @Option(
      names = "--offered",
      paramLabel = "<n>",
      description =
          "Operations per second that the running phase offers, whatever the maximum is; there is"
              + " no testing phase then, and --load does not count.")
  private @Nullable Integer offered;

  @Option(
      names = "--testing",
      paramLabel = "<name>=<value>",
      description =
          "A setting of Loam that it has in the testing phase alone, such as l0.elastic=false."
              + " With one there is a testing phase with --offered, too. May be repeated.")
  private Map<String, String> testing = Map.of();

  @Option(
      names = "--minutes",
      paramLabel = "<n>",
      defaultValue = "20",
      description = "Minutes that each of the two phases takes. Default: ${DEFAULT-VALUE}.")
  private int minutes;

  @Option(
      names = "--workload",
      paramLabel = "<workload>",
      defaultValue = "overwrite",
      description =
          "Operations: overwrite (updates of any record) or ycsb-a (half of them reads,"
              + " popular records more often), or a mix of MemoryWalls, in which popular records"
              + " are chosen more often: write-only, write-heavy (half of them reads), read-heavy"
              + " (95 %% reads) or scan-heavy (95 %% scans of 100 records). Default:"
              + " ${DEFAULT-VALUE}.")
  private String workload = "";

  @Option(
      names = "--shift",
      paramLabel = "<seconds>",
      description =
          "Change between the workload and ycsb-b (95 %% reads) every so many seconds of the"
              + " running phase, so that memory has reason to move. Default: never.")
  private @Nullable Integer shift;

  @Option(
      names = "--arrivals",
      paramLabel = "<pattern>",
      defaultValue = "constant",
      description =
          "How operations arrive in the running phase: constant, bursty (a sixth of each"
              + " quarter of the phase has four times the traffic of the rest) or periodic (a"
              + " sine from half of the mean to one and a half). Default: ${DEFAULT-VALUE}.")
  private String arrivals = "";

  @Option(
      names = "--trees",
      paramLabel = "<n>",
      defaultValue = "1",
      description =
          "Number of trees that the records are divided among; for RocksDB, column families."
              + " Default: ${DEFAULT-VALUE}.")
  private int trees;

  @Option(
      names = "--indexes",
      paramLabel = "<n>",
      defaultValue = "0",
      description =
          "Number of secondary indexes of each tree, which is a dataset then; Loam only."
              + " Default: ${DEFAULT-VALUE}.")
  private int indexes;

  @Option(
      names = "--hotspot",
      paramLabel = "<x-y>",
      description =
          "Choose the tree of an operation so that x %% of the operations go to y %% of the trees,"
              + " such as 80-20. Default: as --zipf says.")
  private @Nullable String hotspot;

  @Option(
      names = "--zipf",
      paramLabel = "<theta>",
      arity = "0..1",
      fallbackValue = "" + Zipfian.THETA,
      description =
          "Choose the tree and the record of an operation by a zipfian distribution with this"
              + " skew, above 0 and below 1; without a number ${FALLBACK-VALUE}. Default: trees"
              + " evenly, records as the workload says (ycsb-a: 0.99).")
  private @Nullable Double zipf;

  @Option(
      names = "--threads",
      paramLabel = "<n>",
      defaultValue = "4",
      description = "Number of clients. Default: ${DEFAULT-VALUE}.")
  private int threads;

  /** All but peer and directory, which differ between the processes. */
  LatencySpec spec(Peer anyPeer, Durability durability) {
    if (!(load >= 0 && load <= 2)) {
      throw usage("--load = " + load + ", rule: at least 0 and at most 2");
    }
    requireIn("--minutes", minutes, 1, MOST_MINUTES);
    requireIn("--threads", threads, 1, MOST);
    requireIn("--trees", trees, 1, MOST);
    requireIn("--indexes", indexes, 0, MOST_INDEXES);
    if (zipf != null && !(zipf > 0 && zipf < 1)) {
      throw usage("--zipf = " + zipf + ", rule: above 0 and below 1");
    }
    DataSize data = sized(USUAL);
    if (data.records() / trees < MOST) {
      throw usage("--trees = " + trees + ", rule: at least 1000 of the --records for each tree");
    }
    return new LatencySpec(
        new Subject(anyPeer, "", Map.of()),
        data,
        new Trees(trees, indexes),
        durability,
        new Traffic(
            chosenWorkload(),
            parsed(() -> ArrivalPattern.of(arrivals)),
            load,
            threads,
            zipf,
            chosenHotspot(),
            offered(),
            shift()),
        phaseMillis(60L * MILLIS * minutes, 60 * MOST_MINUTES),
        seed());
  }

  /** Settings of Loam in the testing phase alone. */
  Map<String, String> testing() {
    return testing;
  }

  private @Nullable Double offered() {
    return offered == null ? null : (double) requireIn("--offered", offered, 1, MOST_OFFERED);
  }

  private @Nullable Integer shift() {
    Integer asked = shift;
    if (asked == null) {
      return null;
    }
    if (chosenWorkload() == Traffic.OTHER) {
      throw usage("--shift: needs another workload than " + Traffic.OTHER.id());
    }
    return requireIn("--shift", asked, 1, MOST);
  }

  private Workload chosenWorkload() {
    return switch (workload) {
      case "overwrite" -> Workload.OVERWRITE;
      case "write-only" -> Workload.WRITE_ONLY;
      case "ycsb-a", "write-heavy" -> Workload.YCSB_A;
      case "read-heavy" -> Workload.YCSB_B;
      case "scan-heavy" -> Workload.SCAN_HEAVY;
      default ->
          throw usage(
              "unknown workload '"
                  + workload
                  + "'; choose from overwrite, ycsb-a, write-only, write-heavy, read-heavy,"
                  + " scan-heavy");
    };
  }

  private @Nullable Hotspot chosenHotspot() {
    String asked = hotspot;
    return asked == null ? null : parsed(() -> Hotspot.of(asked));
  }
}
