package org.loam.workbench.figure;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shape of a claim, such as {@code greedy.writeP99Micros < 0.5 * fair.writeP99Micros}: an order
 * or a ratio of the same number in two series. An absolute number cannot be written. Immutable.
 *
 * @param text as in the claim file
 * @param left the series before the sign
 * @param sign one of {@code <}, {@code <=}, {@code >}, {@code >=}
 * @param factor of the other series, 1 if there is none
 * @param right the series after the sign
 * @param number the name of the number in both
 */
record Check(String text, String left, String sign, double factor, String right, String number) {
  private static final Pattern FORM =
      Pattern.compile("(\\w+)\\.(\\w+) (<=|>=|<|>) (?:(\\d+(?:\\.\\d+)?) \\* )?(\\w+)\\.(\\w+)");

  /**
   * Reads a check.
   *
   * @throws IllegalArgumentException if it has another form, or compares different numbers
   */
  static Check of(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches() || !parts.group(2).equals(parts.group(6))) {
      throw new IllegalArgumentException(
          "check '"
              + text
              + "', rule: SERIES.number SIGN [FACTOR *] SERIES.number, twice the same");
    }
    double factor = parts.group(4) == null ? 1 : Double.parseDouble(parts.group(4));
    return new Check(
        text.strip(), parts.group(1), parts.group(3), factor, parts.group(5), parts.group(2));
  }

  /**
   * Applies it to what was measured.
   *
   * @param measured numbers by name, by series
   * @throws IllegalArgumentException if a number was not measured
   */
  Outcome apply(Map<String, Map<String, Double>> measured) {
    double a = value(measured, left);
    double b = value(measured, right);
    return new Outcome(a, b, holds(a, factor * b));
  }

  private boolean holds(double a, double b) {
    return switch (sign) {
      case "<" -> a < b;
      case "<=" -> a <= b;
      case ">" -> a > b;
      default -> a >= b;
    };
  }

  private double value(Map<String, Map<String, Double>> measured, String series) {
    Double value = measured.getOrDefault(series, Map.of()).get(number);
    if (value == null) {
      throw new IllegalArgumentException(
          "check '" + text + "': " + series + "." + number + " was not measured");
    }
    return value;
  }

  /**
   * What came out.
   *
   * @param left value of the left series
   * @param right value of the right series, without the factor
   * @param passed whether the claim holds
   */
  record Outcome(double left, double right, boolean passed) {}
}
