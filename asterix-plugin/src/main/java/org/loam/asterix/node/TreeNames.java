package org.loam.asterix.node;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of trees for paths that are too long for one. Pure functions. */
final class TreeNames {
  /** What the engine allows. */
  static final int MAX_BYTES = 255;

  /** Characters kept for people; each has at most 3 bytes. */
  private static final int KEPT_CHARS = 60;

  private TreeNames() {}

  /** The end of the path, and a hash of all of it. */
  static String shorten(String path) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
      String end = path.substring(Math.max(0, path.length() - KEPT_CHARS));
      return HexFormat.of().formatHex(hash) + "..." + end;
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
