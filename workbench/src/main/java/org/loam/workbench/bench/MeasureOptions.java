package org.loam.workbench.bench;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What measurements with phases ask of a user in addition: how long a phase is. */
public class MeasureOptions extends RoundOptions {
  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      description = "Seconds of each phase. Default: see above.")
  private @Nullable Integer seconds;

  /** Seconds of a phase, from 1 to a limit; null if the command decides. */
  public final @Nullable Integer seconds(int most) {
    return seconds == null ? null : requireIn("--seconds", seconds, 1, most);
  }
}
