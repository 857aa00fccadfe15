package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One line from a child process to its parent; exactly one part is there.
 *
 * @param began the part of the measurement that begins
 * @param note for the reader of the figures
 * @param failure why the measurement ends without a result
 * @param result what was measured, or a part of it
 */
@JsonInclude(Include.NON_NULL)
public record EngineMessage<R>(
    @JsonProperty("began") @Nullable String began,
    @JsonProperty("note") @Nullable String note,
    @JsonProperty("failure") @Nullable String failure,
    @JsonProperty("result") @Nullable R result) {

  /** A part of the measurement begins. */
  public static <R> EngineMessage<R> began(String part) {
    return new EngineMessage<>(part, null, null, null);
  }

  /** Something that a reader should know. */
  public static <R> EngineMessage<R> noted(String note) {
    return new EngineMessage<>(null, note, null, null);
  }

  static <R> EngineMessage<R> failed(String failure) {
    return new EngineMessage<>(null, null, failure, null);
  }

  /** Something was measured. */
  public static <R> EngineMessage<R> of(R result) {
    return new EngineMessage<>(null, null, null, result);
  }
}
