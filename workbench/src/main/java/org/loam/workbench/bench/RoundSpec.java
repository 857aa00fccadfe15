package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;
import org.loam.workbench.workload.Workload;

/**
 * Everything one child process needs to know.
 *
 * @param peer the engine
 * @param directory for its databases, empty
 * @param data how much of what
 * @param durability of writes, but for {@link Workload#SYNC}
 * @param workloads to report, in the order of the constants
 * @param threads client counts; each workload runs with each of them
 * @param timing of the phases
 * @param seed of all randomness
 */
record RoundSpec(
    @JsonProperty("peer") Peer peer,
    @JsonProperty("directory") String directory,
    @JsonProperty("data") DataSize data,
    @JsonProperty("durability") Durability durability,
    @JsonProperty("workloads") List<Workload> workloads,
    @JsonProperty("threads") List<Integer> threads,
    @JsonProperty("timing") Timing timing,
    @JsonProperty("seed") long seed) {

  RoundSpec {
    workloads = workloads.stream().sorted().distinct().toList();
    threads = threads.stream().sorted().distinct().toList();
    if (workloads.isEmpty() || threads.isEmpty()) {
      throw new IllegalArgumentException("a round needs a workload and a thread count");
    }
  }

  /** The same round for one engine, in one directory. */
  RoundSpec with(Peer newPeer, String newDirectory) {
    return new RoundSpec(newPeer, newDirectory, data, durability, workloads, threads, timing, seed);
  }

  /** The largest client count, with which workloads run that run once. */
  int maxThreads() {
    return threads.get(threads.size() - 1);
  }

  /** With how many clients a workload runs, one phase each. */
  List<Integer> threadsOf(Workload workload) {
    return switch (workload) {
      case SYNC -> List.of(Workload.SYNC_THREADS);
      case OVERWRITE -> List.of(maxThreads());
      default -> threads;
    };
  }

  /** How many rows a round gives. */
  int phaseCount() {
    return workloads.stream().mapToInt(w -> threadsOf(w).size()).sum();
  }

  /**
   * A database of the benchmark.
   *
   * @param records loaded
   * @param valueBytes of each
   * @param memoryBytes given to the engine
   */
  record DataSize(
      @JsonProperty("records") long records,
      @JsonProperty("valueBytes") int valueBytes,
      @JsonProperty("memoryBytes") long memoryBytes) {
    DataSize {
      require(records >= 1_000, "records", records, "at least 1000");
      require(records <= 1L << 31, "records", records, "at most 2^31");
      require(
          valueBytes >= Values.HEADER_BYTES && valueBytes <= 1 << 20,
          "valueBytes",
          valueBytes,
          Values.HEADER_BYTES + " to 1048576");
      require(memoryBytes >= 64L << 20, "memoryBytes", memoryBytes, "at least 67108864 (64 MiB)");
    }

    int recordBytes() {
      return Keys.LENGTH_BYTES + valueBytes;
    }

    long dataBytes() {
      return records * recordBytes();
    }

    private static void require(boolean holds, String name, long value, String rule) {
      if (!holds) {
        throw new IllegalArgumentException(name + " = " + value + ", rule: " + rule);
      }
    }
  }

  /**
   * How long a phase lasts.
   *
   * @param warmupMillis before measuring
   * @param measureMillis measured
   * @param overwriteMillis measured of {@link Workload#OVERWRITE}, long enough to meet its merges
   */
  record Timing(
      @JsonProperty("warmupMillis") long warmupMillis,
      @JsonProperty("measureMillis") long measureMillis,
      @JsonProperty("overwriteMillis") long overwriteMillis) {
    long measureMillis(Workload workload) {
      return workload == Workload.OVERWRITE ? overwriteMillis : measureMillis;
    }
  }
}
