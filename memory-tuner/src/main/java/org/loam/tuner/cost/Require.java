package org.loam.tuner.cost;

import java.util.Locale;

/** The rules of numbers: an error names the number, its value and the rule. */
public final class Require {
  private Require() {}

  /** A count or a size that is at least {@code least}. */
  public static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + ": " + value + ", must be at least " + least);
    }
  }

  /** A count or a size that is at most {@code most}. */
  public static void atMost(String name, long value, long most, String why) {
    if (value > most) {
      throw new IllegalArgumentException(
          name + ": " + value + ", must be at most " + why + ", " + most);
    }
  }

  /** A finite number in a range, both ends allowed. */
  public static void within(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s: %s, must be in %s..%s", name, value, least, most));
    }
  }
}
