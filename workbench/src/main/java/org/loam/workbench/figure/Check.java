package org.loam.workbench.figure;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shape of a claim, such as {@code greedy.writeP99Micros < 0.5 * fair.writeP99Micros}: an order
 * or a ratio of the same number in two series, or of two numbers of one series that have the same
 * unit. An absolute number cannot be written. Immutable.
 *
 * @param text as in the claim file
 * @param left before the sign
 * @param sign one of {@code <}, {@code <=}, {@code >}, {@code >=}
 * @param factor of the other side, 1 if there is none
 * @param right after the sign
 */
record Check(String text, Term left, String sign, double factor, Term right) {
  private static final Pattern FORM =
      Pattern.compile("(\\w+)\\.(\\w+) (<=|>=|<|>) (?:(\\d+(?:\\.\\d+)?) \\* )?(\\w+)\\.(\\w+)");

  /** The last word of a number's name, and what it is counted for, such as {@code PagesPerOp}. */
  private static final Pattern UNIT = Pattern.compile("[A-Z][a-z]+(?:Per[A-Z][a-z]+)?$");

  /**
   * A number of a series.
   *
   * @param series its name
   * @param number its name, which ends in its unit
   */
  record Term(String series, String number) {
    private boolean isComparableWith(Term other) {
      return number.equals(other.number)
          || (series.equals(other.series) && unit().equals(other.unit()));
    }

    private String unit() {
      Matcher unit = UNIT.matcher(number);
      return unit.find() ? unit.group() : number;
    }

    private double value(Map<String, Map<String, Double>> measured, String check) {
      Double value = measured.getOrDefault(series, Map.of()).get(number);
      if (value == null) {
        throw new IllegalArgumentException(
            "check '" + check + "': " + series + "." + number + " was not measured");
      }
      return value;
    }
  }

  /**
   * Reads a check.
   *
   * @throws IllegalArgumentException if it has another form, or compares what is not comparable
   */
  static Check of(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      throw refused(text);
    }
    Term left = new Term(parts.group(1), parts.group(2));
    Term right = new Term(parts.group(5), parts.group(6));
    if (!left.isComparableWith(right)) {
      throw refused(text);
    }
    double factor = parts.group(4) == null ? 1 : Double.parseDouble(parts.group(4));
    return new Check(text.strip(), left, parts.group(3), factor, right);
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "check '"
            + text
            + "', rule: SERIES.number SIGN [FACTOR *] SERIES.number, twice the same number, or two"
            + " numbers of one series in the same unit");
  }

  /**
   * Applies it to what was measured.
   *
   * @param measured numbers by name, by series
   * @throws IllegalArgumentException if a number was not measured
   */
  Outcome apply(Map<String, Map<String, Double>> measured) {
    double a = left.value(measured, text);
    double b = right.value(measured, text);
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

  /**
   * What came out.
   *
   * @param left value of the left side
   * @param right value of the right side, without the factor
   * @param passed whether the claim holds
   */
  record Outcome(double left, double right, boolean passed) {}
}
