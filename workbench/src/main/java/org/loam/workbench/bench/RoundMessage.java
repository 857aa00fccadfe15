package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One line from a child process to its parent; exactly one part is there.
 *
 * @param began the phase that begins
 * @param row a phase that was measured
 * @param note for the reader of the figures
 * @param failure why the round ends without a result
 * @param summary the round is complete
 */
@JsonInclude(Include.NON_NULL)
record RoundMessage(
    @JsonProperty("began") @Nullable String began,
    @JsonProperty("row") @Nullable Row row,
    @JsonProperty("note") @Nullable String note,
    @JsonProperty("failure") @Nullable String failure,
    @JsonProperty("summary") @Nullable Summary summary)
    implements EngineProcess.Message {

  static RoundMessage began(String phase) {
    return new RoundMessage(phase, null, null, null, null);
  }

  static RoundMessage measured(Row row) {
    return new RoundMessage(null, row, null, null, null);
  }

  static RoundMessage noted(String note) {
    return new RoundMessage(null, null, note, null, null);
  }

  static RoundMessage failed(String failure) {
    return new RoundMessage(null, null, null, failure, null);
  }

  static RoundMessage finished(Summary summary) {
    return new RoundMessage(null, null, null, null, summary);
  }

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
