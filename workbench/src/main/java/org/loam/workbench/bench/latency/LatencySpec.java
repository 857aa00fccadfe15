package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

/**
 * Everything that one child process needs to know.
 *
 * @param subject the engine, and where it works
 * @param data records of all trees together, and the memory
 * @param trees number of them; each has the same number of records
 * @param durability of writes
 * @param traffic what clients do
 * @param phaseMillis length of each of the two phases
 * @param seed of all randomness
 */
public record LatencySpec(
    @JsonProperty("subject") Subject subject,
    @JsonProperty("data") DataSize data,
    @JsonProperty("trees") int trees,
    @JsonProperty("durability") Durability durability,
    @JsonProperty("traffic") Traffic traffic,
    @JsonProperty("phaseMillis") long phaseMillis,
    @JsonProperty("seed") long seed) {

  /**
   * What clients do.
   *
   * @param workload the mix
   * @param arrivals of the running phase
   * @param load of the running phase, as a share of the maximum
   * @param threads clients
   * @param zipf skew of the choice of trees and records; null if each tree is as likely, and each
   *     record as the workload says
   * @param offeredPerSecond of the running phase, whatever the maximum is, so that no testing phase
   *     is needed; null if it is a share of the maximum
   */
  public record Traffic(
      @JsonProperty("workload") Workload workload,
      @JsonProperty("arrivals") ArrivalPattern arrivals,
      @JsonProperty("load") double load,
      @JsonProperty("threads") int threads,
      @JsonProperty("zipf") @Nullable Double zipf,
      @JsonProperty("offeredPerSecond") @Nullable Double offeredPerSecond) {

    /** The same, with a rate of its own. */
    public Traffic at(double perSecond) {
      return new Traffic(workload, arrivals, load, threads, zipf, perSecond);
    }
  }

  /** The same for another engine or directory. */
  public LatencySpec with(Subject other) {
    return new LatencySpec(other, data, trees, durability, traffic, phaseMillis, seed);
  }

  /** The same with other traffic. */
  public LatencySpec with(Traffic other) {
    return new LatencySpec(subject, data, trees, durability, other, phaseMillis, seed);
  }

  long recordsPerTree() {
    return data.records() / trees;
  }

  /** How often the series has a point: 600 of them, but at least 100 ms and at most 1 s apart. */
  long intervalMillis() {
    return Math.max(100, Math.min(1_000, phaseMillis / 600));
  }

  /** Four periods of changing arrivals in a phase, as two hours of half an hour each. */
  double periodSeconds() {
    return phaseMillis / 4e3;
  }
}
