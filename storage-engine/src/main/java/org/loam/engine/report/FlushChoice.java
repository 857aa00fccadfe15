package org.loam.engine.report;

import org.loam.lsm.FlushCause;

/**
 * Why memory was chosen to be flushed: what it was, by which rule, and what the rule compared.
 *
 * @param ageNanos how long ago that was
 * @param cause why something had to be flushed
 * @param rule why it was this
 */
public record FlushChoice(
    long ageNanos, FlushCause cause, Rule rule, Chosen chosen, Compared compared) {
  /** What chooses memory. */
  public enum Rule {
    /** The component had reached the size at which it is frozen. */
    FULL,
    /** By the flush policy of this name: its tree had most memory. */
    MAX_MEMORY,
    /** By the flush policy of this name: it had the oldest write. */
    MIN_LSN,
    /** By the flush policy of this name: the share of its tree was most above that in writes. */
    OPTIMAL,
    /** Its dataset was not written to for longest. */
    LEAST_RECENT,
    /** It had one of the oldest writes of the log. */
    OLDEST,
    /** All that is in memory had to go. */
    ALL
  }

  /**
   * The memory that was chosen.
   *
   * @param range number of its range of keys, from 1 on; 0 for all of them. With the schemes LEVELS
   *     and ACCORDION the number of the run, from the newest on, after what takes writes
   * @param ranges of the tree at that moment
   * @param bytes its size
   * @param supersededBytes of that, versions that a later write has superseded: the flush frees
   *     them and does not write them
   * @param minLsn its oldest write
   */
  public record Chosen(
      String tree, int range, int ranges, long bytes, long supersededBytes, long minLsn) {}

  /**
   * What there was at that moment.
   *
   * @param memoryShare of the tree, in the active memory of all trees
   * @param writeShare of the tree, in the recent writes of all trees: those while the log grew by
   *     four times the write memory, or by its maximum if that is less
   * @param supersededBytes of the tree, in its active memory: what its other ranges and runs have,
   *     too
   * @param endLsn end of the log
   * @param leavingBytes memory that was on its way out already
   */
  public record Compared(
      double memoryShare,
      double writeShare,
      long supersededBytes,
      long endLsn,
      long leavingBytes) {}

  /** The same choice, seen later. */
  public FlushChoice aged(long nanos) {
    return new FlushChoice(nanos, cause, rule, chosen, compared);
  }
}
