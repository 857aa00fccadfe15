package org.loam.workbench.bench.tpcc;

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
 * @param row all is done
 */
@JsonInclude(Include.NON_NULL)
record TpccMessage(
    @JsonProperty("began") @Nullable String began,
    @JsonProperty("note") @Nullable String note,
    @JsonProperty("failure") @Nullable String failure,
    @JsonProperty("row") @Nullable TpccRow row)
    implements EngineProcess.Message {

  static TpccMessage began(String part) {
    return new TpccMessage(part, null, null, null);
  }

  static TpccMessage noted(String note) {
    return new TpccMessage(null, note, null, null);
  }

  static TpccMessage failed(String failure) {
    return new TpccMessage(null, null, failure, null);
  }

  static TpccMessage finished(TpccRow row) {
    return new TpccMessage(null, null, null, row);
  }
}
