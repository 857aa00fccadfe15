package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Hotspot;
import org.loam.workbench.workload.Workload;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;

/**
 * Everything that one child process needs to know.
 *
 * @param subject the engine, and where it works
 * @param data records of all trees together, and the memory
 * @param trees that the records are divided among
 * @param durability of writes
 * @param traffic what clients do
 * @param phases how long they are, and what changes between them
 * @param seed of all randomness
 * @param transactions that run in place of the workload; null if there are none
 */
public record LatencySpec(
    @JsonProperty("subject") Subject subject,
    @JsonProperty("data") DataSize data,
    @JsonProperty("trees") Trees trees,
    @JsonProperty("durability") Durability durability,
    @JsonProperty("traffic") Traffic traffic,
    @JsonProperty("phases") Phases phases,
    @JsonProperty("seed") long seed,
    @JsonProperty("transactions") @Nullable Transactions transactions) {
  private static final long NANOS = 1_000_000_000;

  /** Of operations on trees. */
  public LatencySpec(
      Subject subject,
      DataSize data,
      Trees trees,
      Durability durability,
      Traffic traffic,
      long phaseMillis,
      long seed) {
    this(subject, data, trees, durability, traffic, Phases.of(phaseMillis), seed, null);
  }

  /**
   * The phases of a run.
   *
   * @param millis length of each of the two phases, or of each stage
   * @param warmupParts the first of so many parts of a testing phase does not count
   * @param stages testing phases one after the other, in place of the two phases; usually none.
   *     Each has settings by name, to which the open engine is changed, and comes to rest, before
   *     it begins
   * @param testing settings by name that the open engine has in a testing phase alone; null if it
   *     has none of its own. There is one then also where the rate of the running phase is given
   */
  public record Phases(
      @JsonProperty("millis") long millis,
      @JsonProperty("warmupParts") int warmupParts,
      @JsonProperty("stages") List<Map<String, String>> stages,
      @JsonProperty("testing") @Nullable Map<String, String> testing) {
    /** 20 minutes of two hours (Stability §3.2). */
    private static final int WARMUP_PARTS = 6;

    /** Two phases. */
    static Phases of(long millis) {
      return new Phases(millis, WARMUP_PARTS, List.of(), null);
    }

    /** The same of another length. */
    public Phases lasting(long otherMillis) {
      return new Phases(otherMillis, warmupParts, stages, testing);
    }

    /** The same with other parts that do not count. */
    public Phases warmedUp(int parts) {
      return new Phases(millis, parts, stages, testing);
    }

    /** The same with stages. */
    public Phases staged(List<Map<String, String>> settings) {
      return new Phases(millis, warmupParts, settings, testing);
    }

    /** The same with settings of the testing phase. */
    public Phases testing(Map<String, String> settings) {
      return new Phases(millis, warmupParts, stages, settings);
    }
  }

  /** How long a phase, or a stage, is. */
  public long phaseMillis() {
    return phases.millis();
  }

  /** The same in seconds, for a text. */
  public String phaseSeconds() {
    return BigDecimal.valueOf(phaseMillis(), 3).stripTrailingZeros().toPlainString();
  }

  /**
   * Transactions derived from TPC-C, on its tables in place of trees.
   *
   * @param scale of the tables
   * @param mixes one for each phase, one after the other in the same tables
   */
  public record Transactions(
      @JsonProperty("scale") Scale scale, @JsonProperty("mixes") List<Mix> mixes) {}

  /**
   * Where records are.
   *
   * @param count of trees; each has the same number of records
   * @param indexes secondary indexes of each, in trees of their own; with some it is a dataset
   */
  public record Trees(@JsonProperty("count") int count, @JsonProperty("indexes") int indexes) {
    /** One tree without indexes. */
    public static final Trees ONE = new Trees(1, 0);
  }

  /**
   * What clients do.
   *
   * @param workload the mix
   * @param arrivals of the running phase
   * @param load of the running phase, as a share of the maximum; 0 if there is no such phase
   * @param threads clients
   * @param zipf skew of the choice of trees and records; null if each tree is as likely, and each
   *     record as the workload says
   * @param hotspot chooses the tree, so that {@code zipf} chooses only the record; null for none
   * @param offeredPerSecond of the running phase, whatever the maximum is, so that no testing phase
   *     is needed; null if it is a share of the maximum
   * @param shiftSeconds after which the running phase changes between the workload and {@link
   *     #OTHER}; null if it keeps the workload
   */
  public record Traffic(
      @JsonProperty("workload") Workload workload,
      @JsonProperty("arrivals") ArrivalPattern arrivals,
      @JsonProperty("load") double load,
      @JsonProperty("threads") int threads,
      @JsonProperty("zipf") @Nullable Double zipf,
      @JsonProperty("hotspot") @Nullable Hotspot hotspot,
      @JsonProperty("offeredPerSecond") @Nullable Double offeredPerSecond,
      @JsonProperty("shiftSeconds") @Nullable Integer shiftSeconds) {
    /** Mostly reads, so that write memory is too large then, and still writes. */
    public static final Workload OTHER = Workload.YCSB_B;

    /** Traffic whose workload stays, at a share of the maximum. */
    public Traffic(Workload workload, ArrivalPattern arrivals, double load, int threads) {
      this(workload, arrivals, load, threads, null, null, null, null);
    }

    /**
     * The workload of an operation of the running phase.
     *
     * @param dueNanos since the beginning of the phase
     */
    Workload workloadAt(long dueNanos) {
      return shiftSeconds == null || dueNanos / (NANOS * shiftSeconds) % 2 == 0 ? workload : OTHER;
    }

    /** Whether there is a running phase. */
    public boolean hasRunningPhase() {
      return offeredPerSecond != null || load > 0;
    }

    /** The same mix on other trees. */
    public Traffic with(Hotspot other) {
      return new Traffic(
          workload, arrivals, load, threads, zipf, other, offeredPerSecond, shiftSeconds);
    }

    /** Another mix. */
    public Traffic with(Workload other) {
      return new Traffic(
          other, arrivals, load, threads, zipf, hotspot, offeredPerSecond, shiftSeconds);
    }

    /** The same, with a rate of its own. */
    public Traffic at(double perSecond) {
      return new Traffic(workload, arrivals, load, threads, zipf, hotspot, perSecond, shiftSeconds);
    }
  }

  /** The same for another engine or directory. */
  public LatencySpec with(Subject other) {
    return new LatencySpec(other, data, trees, durability, traffic, phases, seed, transactions);
  }

  /** The same with other trees. */
  public LatencySpec with(Trees other) {
    return new LatencySpec(subject, data, other, durability, traffic, phases, seed, transactions);
  }

  /** The same with other traffic. */
  public LatencySpec with(Traffic other) {
    return new LatencySpec(subject, data, trees, durability, other, phases, seed, transactions);
  }

  /** The same in other phases. */
  public LatencySpec with(Phases other) {
    return new LatencySpec(subject, data, trees, durability, traffic, other, seed, transactions);
  }

  /** The same with other data. */
  public LatencySpec with(DataSize other) {
    return new LatencySpec(subject, other, trees, durability, traffic, phases, seed, transactions);
  }

  /** The same with as much data in another memory. */
  public LatencySpec withMemory(long memoryBytes) {
    return with(new DataSize(data.records(), data.valueBytes(), memoryBytes));
  }

  /** The same with transactions in place of the workload. */
  public LatencySpec with(Transactions other) {
    return new LatencySpec(subject, data, trees, durability, traffic, phases, seed, other);
  }

  long recordsPerTree() {
    return data.records() / trees.count();
  }

  /** How often the series has a point: 600 of them, but at least 100 ms and at most 1 s apart. */
  long intervalMillis() {
    return Math.max(100, Math.min(1_000, phaseMillis() / 600));
  }

  /** Four periods of changing arrivals in a phase, as two hours of half an hour each. */
  double periodSeconds() {
    return phaseMillis() / 4e3;
  }
}
