package org.loam.workbench.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.loam.common.config.FlushPolicy;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.ArrivalPattern;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencyRun;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.console.Progress;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Hotspot;
import org.loam.workbench.workload.Workload;

/**
 * The schemes of write memory side by side (MemoryWalls §6.2): each series is a scheme, with a part
 * of the memory and a workload, in a database of its own. Only the phase that finds the maximum is
 * measured, as in the paper.
 */
final class SchemeSeries {
  /** Part of the memory that is write memory where it is large. */
  static final double LARGE = 0.3;

  /** The same where it is small. */
  static final double SMALL = 0.075;

  /** Those of figures with several trees. */
  static final Trees TREES = new Trees(10, 0);

  /** 80 % of the operations go to 20 % of the trees (MemoryWalls §6.2.2). */
  static final Hotspot HOT = new Hotspot(80, 20);

  /** Reads and writes together; the paper's device writes 250 MB/s and reads 500 MB/s. */
  private static final String BANDWIDTH = "200MiB";

  /** The paper's log has 10 GB beside 110 GB of records. */
  private static final int LOG_PART = 11;

  /**
   * The log is at least so many times as long as the largest write memory: the paper's has 10 GB,
   * mostly beside 1 GB. Behind a shorter one it is the log that asks for nearly all flushes, and
   * what scheme and policy do when memory is short does not show.
   */
  private static final int LOG_OF_MEMORY = 4;

  /** The first 10 of 30 minutes do not count. */
  private static final int WARMUP_PARTS = 3;

  /**
   * SSTables have such a part of the write memory, as the flushed pieces of the paper do: a merge
   * takes whole tables, so that one as large as the tree would rewrite the tree for each flush.
   */
  private static final int TABLES_OF_MEMORY = 16;

  private static final int LEAST_TABLE_BYTES = 1 << 20;
  private static final int MOST_TABLE_BYTES = 64 << 20;
  private static final int LEAST_LOG_BYTES = 8 << 20;
  private static final long MOST_SEGMENT_BYTES = 1 << 30;
  private static final int SEGMENTS = 8;

  private final List<Series> all = new ArrayList<>();

  /** A scheme under its name, with a policy if it asks for one. */
  record Scheme(String name, Map<String, String> settings) {
    static Scheme of(WriteScheme scheme) {
      return new Scheme(lower(scheme.name()), Map.of("write.scheme", scheme.name()));
    }

    static Scheme of(WriteScheme scheme, FlushPolicy policy) {
      return new Scheme(
          lower(scheme.name() + "_" + policy.name()),
          Map.of("write.scheme", scheme.name(), "write.flushPolicy", policy.name()));
    }

    /** The same with one more setting. */
    Scheme with(String setting, String value) {
      Map<String, String> more = new LinkedHashMap<>(settings);
      more.put(setting, value);
      return new Scheme(name, more);
    }

    private static String lower(String name) {
      return name.toLowerCase(Locale.ROOT);
    }
  }

  /** One of them, under its name. */
  record Series(String name, LatencySpec spec) {}

  /** A figure without a load to hold: clients that never pause update popular records. */
  static LatencySpec spec(DataSize data, Trees trees, int clients, long phaseMillis, long seed) {
    LatencySpec spec =
        new LatencySpec(
            new Subject(Peer.LOAM, "", Map.of()),
            data,
            trees,
            Durability.PROCESS,
            new Traffic(Workload.WRITE_ONLY, ArrivalPattern.CONSTANT, 0, clients),
            phaseMillis,
            seed);
    return spec.with(spec.phases().warmedUp(WARMUP_PARTS));
  }

  /**
   * What {@link Figure#scale} says of figures with a large and a small write memory.
   *
   * @param all the series, of which the proportions are
   */
  static String scale(LatencySpec spec, List<Series> all) {
    long memoryBytes = spec.data().memoryBytes();
    return String.format(
        Locale.ROOT,
        "%s, %d MiB of memory, of which %d or %d MiB are write memory, phases of %s s of which the"
            + " last two thirds count: %s; the paper: 100,000,000 records of 1 KB, 20 GB of memory,"
            + " of which 128 MB to 8 GB are write memory, phases of 1,800 s of which the last 1,200"
            + " count: %s",
        records(spec),
        memoryBytes >> 20,
        (long) (memoryBytes * LARGE) >> 20,
        (long) (memoryBytes * SMALL) >> 20,
        spec.phaseSeconds(),
        Proportions.of(all, spec.data().dataBytes()),
        Proportions.PAPER);
  }

  /** The records and their trees, in words. */
  static String records(LatencySpec spec) {
    int trees = spec.trees().count();
    return String.format(
        Locale.ROOT,
        "%,d records of %d bytes%s",
        spec.data().records(),
        spec.data().valueBytes(),
        trees == 1 ? "" : " in " + trees + " trees");
  }

  /**
   * Adds a series.
   *
   * @param suffix of its name, behind that of the scheme
   * @param part of the memory that is write memory
   */
  void add(Scheme scheme, String suffix, LatencySpec spec, Traffic traffic, double part) {
    double mostBytes = spec.data().memoryBytes() * Math.max(part, LARGE);
    Map<String, String> settings = settings(spec, part, (long) (LOG_OF_MEMORY * mostBytes));
    settings.put("sstable.bytes", tableBytes(spec, part) + "B");
    settings.putAll(scheme.settings());
    Subject subject = new Subject(Peer.LOAM, spec.subject().directory(), settings);
    all.add(new Series(scheme.name() + suffix, spec.with(subject).with(traffic)));
  }

  /** A part of the memory as write memory; a log and a bandwidth in the paper's proportion. */
  static Map<String, String> settings(LatencySpec spec, double part) {
    return settings(spec, part, LEAST_LOG_BYTES);
  }

  private static Map<String, String> settings(LatencySpec spec, double part, long leastLogBytes) {
    Map<String, String> settings = fixed(spec, part);
    long logBytes = Math.max(leastLogBytes, spec.data().dataBytes() / LOG_PART);
    settings.put("log.maxBytes", logBytes + "B");
    long segmentBytes = Math.min(MOST_SEGMENT_BYTES, Long.highestOneBit(logBytes / SEGMENTS));
    settings.put("log.segmentBytes", (segmentBytes >> 10) + "KiB");
    settings.put("io.limitBytesPerSecond", BANDWIDTH);
    return settings;
  }

  /**
   * As in the papers: L0 is merged four deep, whether scans come or not, and flushes begin when
   * write memory is full to 95 %.
   */
  static final Map<String, String> AS_PUBLISHED =
      Map.of("l0.scanFreeRatio", "1", "l0.stop", "12", "write.flushThreshold", "0.95");

  /** A part of the memory as write memory, which stays so. */
  private static Map<String, String> fixed(LatencySpec spec, double part) {
    Map<String, String> settings = new LinkedHashMap<>(AS_PUBLISHED);
    settings.put("write.initialBytes", writeBytes(spec, part) + "B");
    settings.put("tuner.mode", TunerMode.FROZEN.name());
    return settings;
  }

  private static long writeBytes(LatencySpec spec, double part) {
    return (long) (spec.data().memoryBytes() * part);
  }

  /** The same for all schemes. */
  private static long tableBytes(LatencySpec spec, double part) {
    long bytes = writeBytes(spec, part) / TABLES_OF_MEMORY;
    return Math.max(LEAST_TABLE_BYTES, Math.min(MOST_TABLE_BYTES, bytes));
  }

  /** Adds a series with a log and a bandwidth that never ask for a flush. */
  void addUnbounded(Scheme scheme, LatencySpec spec, double part) {
    Map<String, String> settings = fixed(spec, part);
    settings.put("sstable.bytes", tableBytes(spec, part) + "B");
    settings.putAll(scheme.settings());
    settings.put("log.maxBytes", "16GiB");
    Subject subject = new Subject(Peer.LOAM, spec.subject().directory(), settings);
    all.add(new Series(scheme.name(), spec.with(subject)));
  }

  /** Adds the B+-tree in memory. */
  void addBaseline(String name, LatencySpec spec) {
    Subject subject = new Subject(Peer.INLINE_BTREE, spec.subject().directory(), Map.of());
    all.add(new Series(name, spec.with(subject)));
  }

  /** All that were added. */
  List<Series> all() {
    return List.copyOf(all);
  }

  /** Measures one after the other. */
  static List<LatencyResult> measure(
      List<Series> wanted, String round, List<String> notes, Progress progress) {
    List<LatencyResult> results = new ArrayList<>();
    for (Series series : wanted) {
      results.addAll(measure(series, List.of(series.name()), round, notes, progress));
    }
    return results;
  }

  /** Measures all mixes or stages of a series; the results have the names given. */
  static List<LatencyResult> measure(
      Series series, List<String> names, String round, List<String> notes, Progress progress) {
    List<LatencyResult> results =
        LatencyRun.allOf(series.spec(), series.name() + round, notes, progress);
    List<LatencyResult> named = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      named.add(results.get(i).named(names.get(i)));
    }
    progress.step(1);
    return named;
  }
}
