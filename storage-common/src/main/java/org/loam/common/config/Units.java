package org.loam.common.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and durations as people write them: {@code 512MiB}, {@code 250ms}. Pure functions. */
public final class Units {
  private static final Pattern FORM = Pattern.compile("(\\d{1,19}) ?([A-Za-z]*)");
  private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final String[] DURATIONS = {"ns", "us", "ms", "s", "min", "h"};
  private static final long[] NANOS = {
    1, 1_000, 1_000_000, 1_000_000_000, 60_000_000_000L, 3_600_000_000_000L
  };

  private Units() {}

  /**
   * Reads a size: digits, then nothing or {@code B}, {@code KiB}, {@code MiB}, {@code GiB}, {@code
   * TiB}.
   *
   * @return bytes
   * @throws IllegalArgumentException if it is no size
   */
  public static long parseBytes(String text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      String unit = form.group(2);
      for (int i = 0; i < SIZES.length; i++) {
        if (unit.equals(SIZES[i]) || (i == 0 && unit.isEmpty())) {
          return times(text, form.group(1), 1L << (10 * i));
        }
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no size: write digits and B, KiB, MiB, GiB or TiB, as in 512MiB");
  }

  /**
   * Reads a duration: digits, then {@code ns}, {@code us}, {@code ms}, {@code s}, {@code min} or
   * {@code h}.
   *
   * @return nanoseconds
   * @throws IllegalArgumentException if it is no duration
   */
  public static long parseNanos(String text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      for (int i = 0; i < DURATIONS.length; i++) {
        if (form.group(2).equals(DURATIONS[i])) {
          return times(text, form.group(1), NANOS[i]);
        }
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no duration: write digits and ns, us, ms, s, min or h, as in 250ms");
  }

  /** A size in the largest unit that shows it exactly; reads back as the same. */
  public static String formatBytes(long bytes) {
    int i = 0;
    long value = bytes;
    while (i < SIZES.length - 1 && value != 0 && value % 1024 == 0) {
      value /= 1024;
      i++;
    }
    return i == 0 ? Long.toString(value) : value + SIZES[i];
  }

  /** A size for people: as {@link #formatBytes}, but from 1 MiB on in whole MiB, rounded down. */
  public static String roundBytes(long bytes) {
    return formatBytes(bytes < 1 << 20 ? bytes : bytes >> 20 << 20);
  }

  /** A duration in the largest unit that shows it exactly; reads back as the same. */
  public static String formatNanos(long nanos) {
    int i = DURATIONS.length - 1;
    while (i > 0 && (nanos == 0 || nanos % NANOS[i] != 0)) {
      i--;
    }
    return nanos / NANOS[i] + DURATIONS[i];
  }

  private static long times(String text, String digits, long unit) {
    try {
      return Math.multiplyExact(Long.parseLong(digits), unit);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is too large", e);
    }
  }
}
