package org.loam.log.recover;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.loam.log.format.SegmentHeader;

/**
 * A segment file as found on disk.
 *
 * @param path its path
 * @param header the newer of its valid header copies
 * @param first the copy in its first block, null if that is not valid
 * @param last the copy in its last block, null if that is not valid
 */
public record SegmentFile(
    Path path, SegmentHeader header, @Nullable SegmentHeader first, @Nullable SegmentHeader last) {
  static final String PREFIX = "log-";
  static final String SUFFIX = ".seg";

  /** Appended to the name until the file is complete. */
  static final String UNFINISHED_SUFFIX = ".new";

  /** Whether a copy of the header is not valid: a torn rewrite, or damage survived. */
  public boolean copyDamaged() {
    return first == null || last == null;
  }

  /** The name of the file of a slot. */
  public static String name(int slot) {
    return String.format(Locale.ROOT, "%s%06d%s", PREFIX, slot, SUFFIX);
  }

  /** The name of the file of a slot while it is being written for the first time. */
  public static String unfinishedName(int slot) {
    return name(slot) + UNFINISHED_SUFFIX;
  }
}
