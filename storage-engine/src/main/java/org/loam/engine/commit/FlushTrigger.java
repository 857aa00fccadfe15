package org.loam.engine.commit;

import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.scheme.MemoryScheme;
import org.loam.engine.scheme.MemoryScheme.Victims;
import org.loam.lsm.EvenFlushes;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;

/**
 * Decides when some of write memory has to be flushed (MemoryWalls §3, §4.2): a component is full,
 * memory is short, or the log is too long. The {@link MemoryScheme} says what that is, and the
 * {@link Freezer} does it. Under the commit latch.
 *
 * <p>From the threshold on, as much memory is on its way out as is used above the threshold, and a
 * sixteenth of write memory more. What running flushes have written already does not count, so the
 * next components are frozen before a flush ends, and its thread goes on with them. Of many trees a
 * sixteenth is several components, which are flushed together.
 */
public final class FlushTrigger {
  /**
   * When to flush.
   *
   * @param scheme what to flush
   * @param thresholdRatio used part of the quota at which components are chosen
   * @param maxLogBytes length at which the component with the oldest write is flushed
   */
  public record Limits(MemoryScheme scheme, double thresholdRatio, long maxLogBytes) {
    private double memoryThresholdRatio() {
      return thresholdRatio - scheme.keptFreeRatio();
    }
  }

  /** Part of write memory that is on its way out, beside what is above the threshold. */
  private static final int FLUSHED_AHEAD = 16;

  /** How often trees are looked at while memory is short: once for each such part of it. */
  private static final int LOOKS = 256;

  private final MemoryArbiter pages;
  private final WriteMemory memory;
  private final BatchRoom room;
  private final Freezer freezer;
  private final EvenFlushes evenFlushes = new EvenFlushes();
  private Limits limits;

  /** Used pages at the last look at the trees. */
  private int lookedAtPages;

  private long nextLogCheckLsn;

  /**
   * @param pages of the write memory
   * @param limits whose scheme the write memory has already
   */
  public FlushTrigger(
      MemoryArbiter pages, WriteMemory memory, BatchRoom room, Freezer freezer, Limits limits) {
    this.pages = pages;
    this.memory = memory;
    this.room = room;
    this.freezer = freezer;
    this.limits = limits;
    pages.flushesAt(limits.memoryThresholdRatio());
  }

  /** What says what to flush now. */
  public MemoryScheme scheme() {
    return limits.scheme();
  }

  /** Changes when to flush, and what; the next write finds out whether it has to. */
  public void change(Limits changed) {
    limits = changed;
    memory.share(changed.scheme());
    pages.flushesAt(changed.memoryThresholdRatio());
    lookedAtPages = -pages.own();
    nextLogCheckLsn = 0;
  }

  /** Looks whether a batch made a flush necessary. */
  void afterInsert(PreparedBatch batch, long endLsn, long logBytes) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.changesComponent(i)) {
        Victims full = memory.scheme().full(memory, batch.tree(i), batch.component(i));
        if (full != null) {
          keepOrFlush(batch.tree(i), full, endLsn);
        }
      }
    }
    int used = pages.used();
    if (used >= pages.thresholdPages() && isWorthALook(used, lookedAtPages, pages.own())) {
      lookedAtPages = used;
      flushForMemory(endLsn, FlushCause.MEMORY);
    }
    if (endLsn >= nextLogCheckLsn) {
      long untilNextBytes = memory.windowBytes(limits.maxLogBytes()) / 64;
      nextLogCheckLsn = endLsn + untilNextBytes;
      memory.markRecent(endLsn, limits.maxLogBytes());
      keepLogShort(endLsn, logBytes, untilNextBytes);
    }
  }

  /** Has something flushed for a batch that waits, if the log would be too long with it. */
  void makeRoomInLog(long endLsn, long neededBytes) {
    if (neededBytes >= longBytes()) {
      flushForLog(endLsn);
    }
  }

  private long longBytes() {
    return (long) (limits.thresholdRatio() * limits.maxLogBytes());
  }

  private void keepLogShort(long endLsn, long logBytes, long untilNextBytes) {
    long longBytes = longBytes();
    if (logBytes >= longBytes) {
      flushForLog(endLsn);
    } else if (EvenFlushes.mayChoose(logBytes, longBytes)) {
      flush(
          scheme().beforeLogIsLong(memory, evenFlushes, endLsn, longBytes, untilNextBytes),
          endLsn,
          FlushCause.LOG);
    }
  }

  /** Whether so much of it was taken or given back since the last look. */
  static boolean isWorthALook(int usedPages, int lookedAtPages, int ownPages) {
    return Math.abs((long) usedPages - lookedAtPages) * LOOKS >= ownPages;
  }

  private void keepOrFlush(LsmTree tree, Victims full, long endLsn) {
    if (!limits.scheme().keeps(memory, tree)) {
      flush(full, endLsn, FlushCause.MEMORY);
    } else if (tree.freezes().settle()) {
      freezer.signal();
    } else {
      // It was divided by another scheme.
      freezer.freeze(tree, endLsn, FlushCause.MEMORY);
    }
  }

  /**
   * Has something flushed for a batch that waits.
   *
   * @param lacksPages whether that is what it waits for; else it was not admitted
   * @return whether the batch need not wait any more
   */
  boolean makeRoom(PreparedBatch batch, boolean lacksPages, long endLsn) {
    if (room.isAdmitted(batch)) {
      if (!lacksPages && room.mayBeThere(batch)) {
        return true;
      }
      flushForMemory(endLsn, FlushCause.MEMORY);
      return false;
    }
    flush(memory.scheme().admit(memory, batch.trees()), endLsn, FlushCause.MEMORY);
    return room.mayBeThere(batch);
  }

  /**
   * Has components flushed for the sake of memory, unless enough of it is on its way out.
   *
   * @param cause why memory is needed
   */
  public void flushForMemory(long endLsn, FlushCause cause) {
    double excess = Math.max(0, (pages.used() - pages.thresholdPages()) * pages.pageBytes());
    double ahead = (double) pages.own() * pages.pageBytes() / FLUSHED_AHEAD;
    long leaving = memory.stillLeavingBytes();
    // Half of it is left before they are looked at again.
    if (leaving > 0 && leaving >= excess + ahead / 2) {
      return;
    }
    // Asked first: a tree that is being flushed is not chosen, and its flush may end meanwhile.
    boolean isAnyLeaving = memory.leavingBytes() > 0;
    Victims chosen = memory.scheme().forMemory(memory, (long) (excess + ahead - leaving));
    flush(chosen, endLsn, cause);
    if (chosen.components().isEmpty() && !isAnyLeaving) {
      // All there is are records that were prepared for batches which did not fit.
      freezer.freezeAll(RangeSizes.WHOLE, endLsn, cause);
    }
  }

  /**
   * Has components with the oldest writes flushed. If there are none, the background threads find
   * that the log can be truncated.
   */
  void flushForLog(long endLsn) {
    Victims oldest = memory.scheme().forLog(memory, limits.maxLogBytes());
    flush(oldest, endLsn, FlushCause.LOG);
    if (oldest.components().isEmpty()) {
      freezer.signal();
    }
  }

  private void flush(Victims victims, long endLsn, FlushCause cause) {
    long fillableBytes = (long) (limits.thresholdRatio() * memory.treeBytes());
    freezer.freeze(victims, fillableBytes, endLsn, cause);
  }
}
