package org.loam.it;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Patterns that hide the subject of a sentence, or that only a native speaker reads without a stop.
 * CONTRIBUTING.md says what to write instead.
 */
final class PlainEnglish {
  /** A person, or no person, where the sentence is about a thing: a writer, the flush, the tree. */
  private static final String PERSONS =
      "who|whoever|whom|nobody|somebody|someone|anybody|anyone|everybody|everyone";

  /** Phrases that have a plain form: "apart from", "except", "even if it is", "all of it". */
  private static final String PHRASES =
      "but for|otherwise than|be it|be they|what there is|such as it is|for want of";

  private static final Pattern PATTERN =
      Pattern.compile(
          "\\b(" + PERSONS + "|" + PHRASES + ")\\b|a look, not a claim", Pattern.CASE_INSENSITIVE);

  /** Links lead where they lead, and code is no English. */
  private static final Pattern NOT_PROSE =
      Pattern.compile("\\]\\([^)]*\\)|`[^`\n]*`|(?m)^```(?s:.*?)^```");

  private PlainEnglish() {}

  /** The patterns that a text has, each with the words around it. */
  static List<String> offences(String text) {
    List<String> offences = new ArrayList<>();
    Matcher matcher = PATTERN.matcher(text.replaceAll("\\s+(\\*|//)?\\s*", " "));
    while (matcher.find()) {
      offences.add(around(matcher));
    }
    return offences;
  }

  /** As {@link #offences}, of the prose of a page in Markdown. */
  static List<String> offencesOfPage(String text) {
    return offences(NOT_PROSE.matcher(text).replaceAll(" "));
  }

  private static String around(Matcher found) {
    StringBuilder text = new StringBuilder();
    found.appendReplacement(text, "");
    return "..." + text.substring(Math.max(0, text.length() - 40)) + "[" + found.group() + "]";
  }
}
