package org.loam.common.key;

/**
 * What an entry or a logged operation does to its key. The codes are part of the log and SSTable
 * formats.
 */
public final class EntryKind {
  /** A base record: the key has this value. */
  public static final byte PUT = 1;

  /** Anti-matter: the key has no value. */
  public static final byte ANTI_MATTER = 2;

  /** Reserved: a delta to be folded into the older value (bLSM §3.1.1). */
  public static final byte DELTA = 3;

  /** Reserved: all keys of a range have no value. */
  public static final byte RANGE_ANTI_MATTER = 4;

  private EntryKind() {}
}
