package org.loam.log.recover;

import java.nio.file.Path;
import java.util.Locale;
import org.loam.log.format.SegmentHeader;

/**
 * A segment file as found on disk.
 *
 * @param path its path
 * @param header the newer of its valid header copies
 * @param copyDamaged whether the other copy is not valid: a torn rewrite, or damage survived
 */
public record SegmentFile(Path path, SegmentHeader header, boolean copyDamaged) {
  static final String PREFIX = "log-";
  static final String SUFFIX = ".seg";

  /** Appended to the name until the file is complete. */
  static final String UNFINISHED_SUFFIX = ".new";

  /** The name of the file of a slot. */
  public static String name(int slot) {
    return String.format(Locale.ROOT, "%s%06d%s", PREFIX, slot, SUFFIX);
  }

  /** The name of the file of a slot while it is being written for the first time. */
  public static String unfinishedName(int slot) {
    return name(slot) + UNFINISHED_SUFFIX;
  }
}
