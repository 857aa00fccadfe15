package org.loam.workbench.bench.latency;

import java.util.Locale;
import org.loam.workbench.workload.Named;

/** How the rate of arrivals changes with time; the mean is the same for all. */
public enum ArrivalPattern implements Named {
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
  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The pattern of this name.
   *
   * @throws IllegalArgumentException with all names, if there is none
   */
  static ArrivalPattern of(String id) {
    return Named.find("arrivals", id, values());
  }
}
