package org.loam.engine;

/**
 * What is fixed when a tree is created. Immutable.
 *
 * @param directory number of the data directory where its disk components are; 0 is that of the
 *     database
 */
public record TreeOptions(int directory) {
  /** A tree in the directory of the database. */
  public static final TreeOptions DEFAULT = new TreeOptions(0);

  public TreeOptions {
    if (directory < 0) {
      throw new IllegalArgumentException("directory is " + directory + ", must be at least 0");
    }
  }

  /** These options for a tree in a data directory; see {@link OpenOptions#withDirectories}. */
  public TreeOptions inDirectory(int number) {
    return new TreeOptions(number);
  }
}
