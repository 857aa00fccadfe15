package org.loam.workbench.bench.latency;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the rate of arrivals changes with time; the mean is the same for all. */
public enum ArrivalPattern {
  /** The same distance between any two. */
  CONSTANT,

  /**
   * In each period, five parts of normal traffic and one part of four times as much (Stability §5.3
   * has 25 minutes and 5 minutes).
   */
  BURSTY,

  /** A sine between half of the mean and one and a half. */
  PERIODIC;

  /** The name on the command line and in reports. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The pattern of this name.
   *
   * @throws IllegalArgumentException with all names, if there is none
   */
  static ArrivalPattern of(String id) {
    String wanted = id.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(p -> p.id().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown arrivals '"
                        + id
                        + "'; choose from "
                        + Arrays.stream(values())
                            .map(ArrivalPattern::id)
                            .collect(Collectors.joining(", "))));
  }
}
