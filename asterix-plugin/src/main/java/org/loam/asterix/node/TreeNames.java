package org.loam.asterix.node;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of the trees of indexes. Pure functions. */
final class TreeNames {
  /** What the engine allows. */
  private static final int MAX_BYTES = 255;

  /** Characters kept for people; each has at most 3 bytes. */
  private static final int KEPT_CHARS = 60;

  private TreeNames() {}

  /** The name of the tree of the index at a path: the path, unless it is too long for one. */
  static String of(String path) {
    return path.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES ? path : shorten(path);
  }

  /** The directory of an index's path, which all indexes of a partition of a dataset share. */
  static String partitionOf(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  /** The end of the path, and a hash of all of it. */
  private static String shorten(String path) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash) + "..." + end(path);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }

  /** A character of two chars stays whole or goes: half of one has no bytes in UTF-8. */
  private static String end(String path) {
    int from = Math.max(0, path.length() - KEPT_CHARS);
    return path.substring(Character.isLowSurrogate(path.charAt(from)) ? from + 1 : from);
  }
}
