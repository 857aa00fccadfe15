package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

/**
 * Everything one child process needs to know.
 *
 * @param subject the engine, and where it works
 * @param data how much of what
 * @param durability of writes; those of {@link Workload#SYNC} are always forced
 * @param workloads to report, in the order of the constants
 * @param threads client counts; each workload runs with each of them
 * @param timing of the phases
 * @param seed of all randomness
 */
record RoundSpec(
    @JsonProperty("subject") Subject subject,
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
  RoundSpec with(Subject other) {
    return new RoundSpec(other, data, durability, workloads, threads, timing, seed);
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
}
