package org.loam.engine;

/**
 * What is fixed when a tree is created. Immutable.
 *
 * @param keyPrefixLength bytes that all keys of the tree have in common at their start, 0 if none;
 *     advice that speeds up comparisons
 * @param directory number of the data directory where its disk components are; 0 is that of the
 *     database
 */
public record TreeOptions(int keyPrefixLength, int directory) {
  /** No known common prefix of the keys; the tree is in the directory of the database. */
  public static final TreeOptions DEFAULT = new TreeOptions(0);

  public TreeOptions {
    if (keyPrefixLength < 0) {
      throw new IllegalArgumentException(
          "keyPrefixLength is " + keyPrefixLength + ", must be at least 0");
    }
    if (directory < 0) {
      throw new IllegalArgumentException("directory is " + directory + ", must be at least 0");
    }
  }

  /** Options for a tree in the directory of the database. */
  public TreeOptions(int keyPrefixLength) {
    this(keyPrefixLength, 0);
  }

  /** These options for a tree in a data directory; see {@link OpenOptions#withDirectories}. */
  public TreeOptions inDirectory(int number) {
    return new TreeOptions(keyPrefixLength, number);
  }
}
