package org.loam.workbench.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How long a demonstration took and where it ran; part of its report.
 *
 * @param seconds all of it
 * @param directory of what it made, if that was kept
 * @param machine that it ran on
 */
public record Circumstances(
    @JsonProperty("seconds") double seconds,
    @JsonProperty("directory") @Nullable String directory,
    @JsonProperty("machine") Machine machine) {
  /**
   * Of a demonstration at its end.
   *
   * @param kept the directory, null if it is deleted
   * @param work a directory that exists, for its file system
   */
  public static Circumstances of(long elapsedNanos, @Nullable Path kept, Path work) {
    return new Circumstances(
        Math.round(elapsedNanos / 1e8) / 10.0,
        kept == null ? null : kept.toString(),
        Machine.of(work));
  }
}
