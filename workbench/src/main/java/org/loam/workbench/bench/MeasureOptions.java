package org.loam.workbench.bench;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What measurements with phases ask of a user in addition: how long a phase is. */
public class MeasureOptions extends RoundOptions {
  /** A series has a point in so many seconds. */
  private static final double LEAST = 0.1;

  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      description = "Seconds of each phase, at least " + LEAST + ". Default: see above.")
  private @Nullable Double seconds;

  /** Milliseconds of a phase: the usual ones, or from a tenth of a second to a limit in seconds. */
  public final long phaseMillis(long usualMillis, int mostSeconds) {
    Long asked = phaseMillis(mostSeconds);
    return asked == null ? usualMillis : asked;
  }

  /** As the other method; null if the command decides. */
  final @Nullable Long phaseMillis(int mostSeconds) {
    if (seconds == null) {
      return null;
    }
    if (!(seconds >= LEAST && seconds <= mostSeconds)) {
      throw usage("--seconds = " + seconds + ", rule: " + LEAST + " to " + mostSeconds);
    }
    return Math.round(seconds * 1e3);
  }
}
