package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.loam.workbench.workload.Workload;

/**
 * How long a phase lasts.
 *
 * @param warmupMillis before measuring
 * @param measureMillis measured
 * @param overwriteMillis measured of {@link Workload#OVERWRITE}, long enough to meet its merges
 * @param quietMillis how long an engine must do nothing to be at rest
 */
public record Timing(
    @JsonProperty("warmupMillis") long warmupMillis,
    @JsonProperty("measureMillis") long measureMillis,
    @JsonProperty("overwriteMillis") long overwriteMillis,
    @JsonProperty("quietMillis") long quietMillis) {
  long measureMillis(Workload workload) {
    return workload == Workload.OVERWRITE ? overwriteMillis : measureMillis;
  }
}
