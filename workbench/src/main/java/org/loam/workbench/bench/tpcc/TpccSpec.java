package org.loam.workbench.bench.tpcc;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.Timing;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;

/**
 * Everything that one child process needs to know.
 *
 * @param subject the engine, and where it works
 * @param scale of the tables
 * @param mix of the transactions
 * @param threads terminals
 * @param memoryBytes for the engine
 * @param durability of writes
 * @param timing of the run
 * @param seed of all randomness
 */
public record TpccSpec(
    @JsonProperty("subject") Subject subject,
    @JsonProperty("scale") Scale scale,
    @JsonProperty("mix") Mix mix,
    @JsonProperty("threads") int threads,
    @JsonProperty("memoryBytes") long memoryBytes,
    @JsonProperty("durability") Durability durability,
    @JsonProperty("timing") Timing timing,
    @JsonProperty("seed") long seed) {
  /** The same for another engine. */
  public TpccSpec with(Subject other) {
    return new TpccSpec(other, scale, mix, threads, memoryBytes, durability, timing, seed);
  }
}
