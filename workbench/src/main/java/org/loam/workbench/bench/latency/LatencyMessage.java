package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.EngineProcess;

/**
 * One line from a child process to its parent; exactly one part is there.
 *
 * @param began the part that begins
 * @param note for the reader of the figures
 * @param failure why there is no result
 * @param result all is done
 */
@JsonInclude(Include.NON_NULL)
record LatencyMessage(
    @JsonProperty("began") @Nullable String began,
    @JsonProperty("note") @Nullable String note,
    @JsonProperty("failure") @Nullable String failure,
    @JsonProperty("result") @Nullable LatencyResult result)
    implements EngineProcess.Message {

  static LatencyMessage began(String part) {
    return new LatencyMessage(part, null, null, null);
  }

  static LatencyMessage noted(String note) {
    return new LatencyMessage(null, note, null, null);
  }

  static LatencyMessage failed(String failure) {
    return new LatencyMessage(null, null, failure, null);
  }

  static LatencyMessage finished(LatencyResult result) {
    return new LatencyMessage(null, null, null, result);
  }
}
