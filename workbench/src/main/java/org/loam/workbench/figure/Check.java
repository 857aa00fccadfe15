package org.loam.workbench.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

    private @Nullable Double value(Map<String, Map<String, Double>> measured) {
      return measured.getOrDefault(series, Map.of()).get(number);
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
   * Applies it to what was measured. It does not pass if a number was not: where no operation was
   * done in a part of a short phase, none has a cost there.
   *
   * @param measured numbers by name, by series
   */
  Outcome apply(Map<String, Map<String, Double>> measured) {
    Double a = left.value(measured);
    Double b = right.value(measured);
    return new Outcome(a, b, a != null && b != null && holds(a, factor * b));
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
   * @param left value of the left side; null if it was not measured
   * @param right value of the right side, without the factor; null if it was not measured
   * @param passed whether the claim holds
   */
  record Outcome(
      @JsonProperty("left") @Nullable Double left,
      @JsonProperty("right") @Nullable Double right,
      @JsonProperty("passed") boolean passed) {
    /** Both values. */
    String text() {
      return text(left) + " against " + text(right);
    }

    private static String text(@Nullable Double value) {
      return value == null ? "not measured" : String.format(Locale.ROOT, "%,.2f", value);
    }
  }
}
