package org.loam.it;

/** Numbers as text of equal length; {@code String.format} takes twenty times as long. */
public final class Digits {
  private Digits() {}

  /** A number, not negative, with zeros in front. */
  public static String of(long number, int digits) {
    String text = Long.toString(number);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }
}
