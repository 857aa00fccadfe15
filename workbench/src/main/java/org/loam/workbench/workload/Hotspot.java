package org.loam.workbench.workload;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A choice of trees by which some get most operations: 80-20 are 80 % of the operations on 20 % of
 * the trees (MemoryWalls §6.2.2). Within the hot trees, and within the others, each is as likely.
 * Immutable.
 *
 * @param operationsPercent share of the hot trees in all operations
 * @param treesPercent share of the hot trees in all trees; there is at least one of them
 */
public record Hotspot(
    @JsonProperty("operationsPercent") int operationsPercent,
    @JsonProperty("treesPercent") int treesPercent) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,3})-(\\d{1,3})");

  public Hotspot {
    if (operationsPercent < 1
        || operationsPercent > 100
        || treesPercent < 1
        || treesPercent > 100) {
      throw new IllegalArgumentException(
          "hotspot "
              + operationsPercent
              + "-"
              + treesPercent
              + ", rule: both from 1 to 100, percent of operations and of trees");
    }
  }

  /**
   * Reads one such as {@code 80-20}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Hotspot of(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "hotspot '" + text + "', rule: percent of operations, -, percent of trees, as 80-20");
    }
    return new Hotspot(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
  }

  /** How many of the first trees are hot. */
  public int hotTrees(int trees) {
    return Math.max(1, Math.round(trees * treesPercent / 100f));
  }

  /** The tree of the next operation. */
  public int choose(SplittableRandom random, int trees) {
    int hot = hotTrees(trees);
    if (hot == trees || random.nextInt(100) < operationsPercent) {
      return random.nextInt(hot);
    }
    return hot + random.nextInt(trees - hot);
  }

  @Override
  public String toString() {
    return operationsPercent + "-" + treesPercent;
  }
}
