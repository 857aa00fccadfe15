package org.loam.engine.tree;

import java.util.List;

/** Finds the name that was probably meant. */
public final class Names {
  private Names() {}

  /** "; did you mean 'x'?", or what else to do if no name is near. */
  public static String hint(String unknown, List<String> names, String otherwise) {
    String best = null;
    int bestDistance = 1 + Math.max(2, unknown.length() / 2);
    for (String name : names) {
      int distance = distance(unknown, name);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = name;
      }
    }
    return best == null ? otherwise : "; did you mean '" + best + "'?";
  }

  /** Edit distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
