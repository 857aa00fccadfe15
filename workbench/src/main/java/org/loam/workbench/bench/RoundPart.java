package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What a round tells; one of the two is there.
 *
 * @param row a phase that was measured
 * @param summary the round is complete
 */
@JsonInclude(Include.NON_NULL)
record RoundPart(
    @JsonProperty("row") @Nullable Row row, @JsonProperty("summary") @Nullable Summary summary) {

  /**
   * The whole process, to hold against what engines say of themselves.
   *
   * @param peakResidentBytes of the process, heap and native; -1 if unknown
   * @param engineWrittenBytes as the engine counts
   * @param kernelWrittenBytes as the kernel counts; -1 if unknown
   * @param writeMemoryBytes what the engine gave to writes at the end; -1 if unknown
   */
  record Summary(
      @JsonProperty("peakResidentBytes") long peakResidentBytes,
      @JsonProperty("engineWrittenBytes") long engineWrittenBytes,
      @JsonProperty("kernelWrittenBytes") long kernelWrittenBytes,
      @JsonProperty("writeMemoryBytes") long writeMemoryBytes) {}
}
