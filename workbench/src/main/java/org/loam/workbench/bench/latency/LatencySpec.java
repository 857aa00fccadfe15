package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

/**
 * Everything that one child process needs to know.
 *
 * @param peer the engine
 * @param directory for its database, empty
 * @param data records of all trees together, and the memory
 * @param trees that the records are in
 * @param durability of writes
 * @param traffic what clients do
 * @param phaseMillis length of each of the two phases
 * @param seed of all randomness
 */
record LatencySpec(
    @JsonProperty("peer") Peer peer,
    @JsonProperty("directory") String directory,
    @JsonProperty("data") DataSize data,
    @JsonProperty("trees") Trees trees,
    @JsonProperty("durability") Durability durability,
    @JsonProperty("traffic") Traffic traffic,
    @JsonProperty("phaseMillis") long phaseMillis,
    @JsonProperty("seed") long seed) {

  /**
   * The trees.
   *
   * @param count of them; each has the same number of records
   * @param zipf whether an operation chooses its tree by a zipfian distribution, else all alike
   */
  record Trees(@JsonProperty("count") int count, @JsonProperty("zipf") boolean zipf) {}

  /**
   * What clients do.
   *
   * @param workload the mix
   * @param arrivals of the running phase
   * @param load of the running phase, as a share of the maximum
   * @param threads clients
   */
  record Traffic(
      @JsonProperty("workload") Workload workload,
      @JsonProperty("arrivals") ArrivalPattern arrivals,
      @JsonProperty("load") double load,
      @JsonProperty("threads") int threads) {}

  LatencySpec with(Peer newPeer, String newDirectory) {
    return new LatencySpec(
        newPeer, newDirectory, data, trees, durability, traffic, phaseMillis, seed);
  }

  long recordsPerTree() {
    return data.records() / trees.count();
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
