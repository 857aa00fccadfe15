package org.loam.workbench.figure;

import java.util.Comparator;
import java.util.List;

/** The figures of this build. */
final class Figures {
  static final List<Figure> ALL = List.of(new Stability9());

  private Figures() {}

  /**
   * The figure of this name.
   *
   * @throws IllegalArgumentException with the nearest name, if there is none
   */
  static Figure of(String id) {
    return ALL.stream()
        .filter(figure -> figure.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown figure '" + id + "'; did you mean '" + nearest(id) + "'?"));
  }

  private static String nearest(String id) {
    return ALL.stream()
        .map(Figure::id)
        .min(Comparator.comparingInt(known -> distance(known, id)))
        .orElseThrow();
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
