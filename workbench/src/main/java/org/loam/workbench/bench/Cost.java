package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What operations cost; part of a row.
 *
 * @param cpuMicrosPerOp processor time of the whole process, background included
 * @param writeAmplification bytes sent towards the disk, as the kernel counts (elsewhere than on
 *     Linux as the engine counts), per byte of key and value that clients wrote; of forced writes,
 *     bytes that the device wrote for all processes; null for workloads that write nothing
 */
public record Cost(
    @JsonProperty("cpuMicrosPerOp") double cpuMicrosPerOp,
    @JsonProperty("writeAmplification") @Nullable Double writeAmplification) {
  /**
   * Of what a phase is charged for.
   *
   * @param writtenBytes by the phase
   * @param recordBytes key and value of one record
   */
  public static Cost of(Phase.Charge charge, long writtenBytes, int recordBytes) {
    return new Cost(
        Figures.rounded(charge.usage().cpuNanos() / 1e3 / Math.max(1, charge.operations())),
        charge.writes() == 0
            ? null
            : Figures.rounded(writtenBytes / ((double) charge.writes() * recordBytes)));
  }
}
