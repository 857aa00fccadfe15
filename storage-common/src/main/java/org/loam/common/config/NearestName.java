package org.loam.common.config;

import java.util.Collection;
import java.util.Optional;

/** Finds the name that was probably meant. */
public final class NearestName {
  private NearestName() {}

  /** The name that is most like one that is not among them; empty if none is alike. */
  public static Optional<String> of(String unknown, Collection<String> names) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String name : names) {
      int distance = distance(unknown, name);
      if (distance < least) {
        least = distance;
        best = name;
      }
    }
    // Beyond half of its letters, or two of a short one, a word is another word.
    return least <= Math.max(2, unknown.length() / 2) ? Optional.of(best) : Optional.empty();
  }

  /** A question for the end of a message: "; did you mean 'x'?", or what else to do. */
  public static String question(String unknown, Collection<String> names, String otherwise) {
    return of(unknown, names).map(name -> "; did you mean '" + name + "'?").orElse(otherwise);
  }

  /** The least number of letters to insert, delete or replace (Levenshtein). */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
