package org.loam.workbench.asterixdb.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The texts of values, by their number in the domain of a type. */
final class Values {
  private static final int MIDDLE = ValueType.DOMAIN / 2;
  private static final int LAST = ValueType.DOMAIN - 1;

  /** Of keys: a composite one of three must stay below Loam's limit of 4 KiB. */
  private static final int LONG_PREFIX = 700;

  private static final List<String> WORDS =
      List.of(
          "loam", "sand", "clay", "silt", "sandy", "loamy", "peat", "humus", "gravel", "marl",
          "chalk", "stone");

  private static final List<String> STRINGS = strings();

  private Values() {}

  /** In the order of UTF-16, which is AsterixDB's. */
  private static List<String> strings() {
    TreeSet<String> strings = new TreeSet<>();
    strings.addAll(
        List.of(
            "",
            " ",
            "a",
            "aa",
            "ab",
            "a b",
            "b",
            "A",
            "Z",
            "\u0000",
            "a\u0000",
            "a\u0000b",
            "\u007f",
            "\u0080",
            "é",
            "e\u0301",
            "ß",
            "日本",
            "日本語",
            "\uffee",
            "😀",
            "😀a",
            "z",
            "it's",
            "%",
            "_",
            "a%",
            "100%"));
    String prefix = "p".repeat(LONG_PREFIX);
    strings.add(prefix);
    strings.add(prefix + "\u0000");
    strings.add(prefix + "q");
    strings.add(prefix + "qq");
    for (int i = 0; strings.size() < ValueType.DOMAIN; i++) {
      strings.add(word(i) + "-" + Integer.toString(i * 101 % 997, Character.MAX_RADIX));
    }
    return new ArrayList<>(strings);
  }

  private static String word(int i) {
    return WORDS.get(i % WORDS.size());
  }

  /** Without quotes; characters that need it are escaped. */
  static String string(int i) {
    StringBuilder escaped = new StringBuilder();
    for (char c : STRINGS.get(i).toCharArray()) {
      if (c < ' ' || c == '\u007f') {
        escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  static String fraction(int i, double step) {
    return switch (i) {
      case 0 -> "-INF";
      case MIDDLE - 1 -> "-0.0";
      case MIDDLE -> "0.0";
      case LAST - 1 -> "INF";
      case LAST -> "NaN";
      default -> Double.toString((i - MIDDLE) * step);
    };
  }

  static String bytes(int i) {
    if (i == 0) {
      return "";
    }
    String first = String.format(Locale.ROOT, "%02x", i / 3);
    return first + "00".repeat(i % 3);
  }

  static String date(int i) {
    if (i == 0) {
      return "0001-01-01";
    }
    if (i == LAST) {
      return "9999-12-31";
    }
    return String.format(
        Locale.ROOT, "%04d-%02d-%02d", 1970 + (i - MIDDLE) / 8, 1 + i % 12, 1 + i % 28);
  }

  static String time(int i) {
    return String.format(
        Locale.ROOT, "%02d:%02d:%02d.%03d", i * 24 / 256, i * 7 % 60, i % 60, i == LAST ? 999 : i);
  }

  static String months(int i) {
    int months = (i - MIDDLE) * 5;
    int size = Math.abs(months);
    return (months < 0 ? "-" : "") + "P" + size / 12 + "Y" + size % 12 + "M";
  }

  static String millis(int i) {
    int size = Math.abs(i - MIDDLE);
    return (i < MIDDLE ? "-" : "")
        + ("P" + size / 4 + "DT" + size % 24 + "H" + size % 60 + "M")
        + (size % 10 + ".00" + size % 10 + "S");
  }

  /** Of a grid of sixteen by sixteen. */
  static String point(int i, int shift) {
    int x = i % 16 + shift;
    int y = i / 16 + shift;
    return x + ".5," + y + ".25";
  }

  static String words(int i) {
    if (i == 0) {
      return "";
    }
    return IntStream.rangeClosed(0, i % 5)
        .mapToObj(k -> word(i * (k + 1) + k))
        .collect(Collectors.joining(i % 7 == 0 ? ", " : " "));
  }

  static String numbers(int i) {
    return list(i, k -> "" + (i * (k + 3) % 20));
  }

  static String wordList(int i) {
    return list(i, k -> '"' + word(i + k * k) + '"');
  }

  static String objects(int i) {
    return list(i, k -> "{\"a\": " + i * (k + 1) % 20 + ", \"c\": \"" + word(i + k) + "\"}");
  }

  /** Empty ones, and values twice, too. */
  private static String list(int i, java.util.function.IntFunction<String> element) {
    return IntStream.range(0, i % 6).mapToObj(element).collect(Collectors.joining(", ", "[", "]"));
  }
}
