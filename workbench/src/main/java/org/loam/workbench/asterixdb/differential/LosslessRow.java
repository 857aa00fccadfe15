package org.loam.workbench.asterixdb.differential;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Rows in AsterixDB's format {@code lossless-adm}: a value is a text of its type, as two digits,
 * and of what the storage has, which are the bits of a fraction.
 */
final class LosslessRow {
  private static final Pattern NUMBER = Pattern.compile("\"(0[1-3bBcC]):(-?\\d+)\"");

  private LosslessRow() {}

  /** The same with numbers as SQL++ writes them. */
  static String readable(String row) {
    return NUMBER.matcher(row).replaceAll(LosslessRow::number);
  }

  private static String number(MatchResult value) {
    String digits = value.group(2);
    return switch (value.group(1).toUpperCase(Locale.ROOT)) {
      case "01" -> "tinyint(\"" + digits + "\")";
      case "02" -> "smallint(\"" + digits + "\")";
      case "03" -> "integer(\"" + digits + "\")";
      case "0B" -> "float(\"" + Float.intBitsToFloat(Integer.parseInt(digits)) + "\")";
      default -> Double.toString(Double.longBitsToDouble(Long.parseLong(digits)));
    };
  }
}
