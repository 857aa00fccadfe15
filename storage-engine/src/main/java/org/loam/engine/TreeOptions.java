package org.loam.engine;

/**
 * What is fixed when a tree is created. Immutable.
 *
 * @param keyPrefixLength bytes that all keys of the tree have in common at their start, 0 if none;
 *     advice that speeds up comparisons
 */
public record TreeOptions(int keyPrefixLength) {
  /** Keys have nothing in common. */
  public static final TreeOptions DEFAULT = new TreeOptions(0);

  public TreeOptions {
    if (keyPrefixLength < 0) {
      throw new IllegalArgumentException(
          "keyPrefixLength is " + keyPrefixLength + ", must be at least 0");
    }
  }
}
