package org.loam.workbench.bench;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as reports show them. Pure functions. */
public final class Figures {
  private Figures() {}

  /** Four significant digits: more would pretend. */
  public static double rounded(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value;
    }
    double unit = Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - 3);
    return unit >= 1 ? Math.round(value / unit) * unit : Math.round(value / unit) / (1 / unit);
  }

  /** A number of any size, as a cell of a table; a dash for none. */
  public static String decimal(@Nullable Double value) {
    if (value == null) {
      return "-";
    }
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
  }

  /** A large number, as a cell of a table; a dash for none. */
  public static String whole(@Nullable Double value) {
    if (value == null) {
      return "-";
    }
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
