package org.loam.cache.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.loam.cache.CacheCounters;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.env.Waiter;
import org.loam.common.error.DeadlineException;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;

/**
 * Where the frame for a missed page comes from: a small reserve of free frames, then the quota,
 * then a page that is evicted. Thread-safe.
 *
 * <p>The policy is CLOCK (as in MemoryWalls) with a memory of three turns: the hand credits a page
 * that was hit since it last passed, debits one that was not, and evicts one without credit. So a
 * hit sets one bit, and pages hit often outlive scans. Simulated hit ratios, Zipf 0.99 over 20
 * times the cache, without and with a third of scans: 71.3 and 65.5 %; CLOCK with one bit 69.4 and
 * 62.9 %; a counter up to 3 raised by each hit 70.4 and 64.1 %. The first use of a page that was
 * read ahead is no hit: it would outlive a page that cost a request of its own.
 *
 * <p>Before the clock a missed page stands a trial ({@link Trials}), which leaves to the clock the
 * pages that are read again; {@code HitRatioTest} has what that saves.
 *
 * <p>Threads that need frames at the same time sweep different groups of frames, without a lock.
 */
final class FrameSupply {
  private static final int NONE = PageTable.NONE;

  /** Frames kept free at most: 1 in 64 of the target, no more than 32. */
  private static final int RESERVE_FRACTION = 64;

  private static final int MAX_RESERVE_FRAMES = 32;

  /**
   * Frames that a sweeping thread claims at once: four cache lines of frame words, or as many as
   * the reserve, so that one claim never evicts much of a small cache.
   */
  private static final int MAX_CLAIM_FRAMES = 16;

  /**
   * Attempts before the claim that all frames are pinned. The first few only let others run, the
   * others pause 100 µs, 200 µs and so on up to 12.8 ms: a quarter of a second in all.
   */
  private static final int ATTEMPTS = 28;

  private static final int SPINS = 4;
  private static final long FIRST_PAUSE_NANOS = 100_000;
  private static final int PAUSE_DOUBLINGS = 7;

  private final PagePool pool;
  private final PagePool.Quota quota;
  private final FrameWords words;
  private final PageTable table;
  private final Trials trials;
  private final Waiter waiter;
  private final CacheCounters counters;
  private final AtomicLong hand = new AtomicLong();

  private final Object freeLock = new Object();

  @GuardedBy("freeLock")
  private int firstFree = NONE;

  @GuardedBy("freeLock")
  private int freeCount;

  FrameSupply(
      CacheMemory memory,
      FrameWords words,
      PageTable table,
      Trials trials,
      Waiter waiter,
      CacheCounters counters) {
    this.pool = memory.pool();
    this.quota = memory.quota();
    this.words = words;
    this.table = table;
    this.trials = trials;
    this.waiter = waiter;
    this.counters = counters;
  }

  /** Where a page that is missed for this use goes on trial; null if it does not. */
  @Nullable TrialQueue trial(long pageId, Use use) {
    return trials.of(pageId, use, quota.targetPages());
  }

  /** Puts a page on trial that the caller has listed and pinned. */
  void putOnTrial(TrialQueue trial, int frame) {
    trial.add(frame, quota.targetPages());
  }

  /**
   * A free frame, now the caller's.
   *
   * @param trial where the caller then puts the page, if it does
   * @throws DeadlineException if all frames stayed pinned for a quarter of a second
   */
  int take(@Nullable TrialQueue trial) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int frame = takeNow(trial);
      if (frame != NONE) {
        return frame;
      }
      if (attempt < SPINS) {
        waiter.spin();
      } else {
        waiter.pause(FIRST_PAUSE_NANOS << Math.min(attempt - SPINS, PAUSE_DOUBLINGS));
      }
    }
    throw new DeadlineException(
        String.format(
            Locale.ROOT,
            "no frame for a page: of %d frames of the buffer cache (target %d) %d are pinned and "
                + "stayed so through %d sweeps: give the cache more memory or run fewer readers",
            quota.usedPages(),
            quota.targetPages(),
            pinnedFrames(),
            ATTEMPTS));
  }

  /** Only pages that were in use once are looked at: of a large pool few may be. */
  int pinnedFrames() {
    return words.pinnedFrames(pool.peakPages());
  }

  /** As {@link #take}, but {@link PageTable#NONE} if all frames are pinned. */
  int takeNow(@Nullable TrialQueue trial) {
    int frame = trial == null ? NONE : takeForTrial(trial);
    if (frame == NONE) {
      frame = takeFree();
    }
    return frame == NONE ? evict() : frame;
  }

  /** Frees a cleared frame of the caller's. */
  void give(int frame) {
    if (quota.excessPages() == 0 && keep(frame)) {
      return;
    }
    quota.free(address(frame));
  }

  /**
   * Evicts a page, and the others that the hand finds evictable among the frames it claimed: their
   * frames become free. A thread that evicts ahead of demand would call this.
   *
   * @return the frame, now the caller's; {@link PageTable#NONE} if all frames are pinned
   */
  int evict() {
    int pageCount = pool.pageCount();
    int claimFrames = Math.min(MAX_CLAIM_FRAMES, reserveFrames());
    long most = (long) pageCount * FrameWords.MAX_TURNS;
    for (long seen = 0; seen < most; seen += claimFrames) {
      int first = (int) (hand.getAndAdd(claimFrames) % pageCount);
      int evicted = evictClaimed(first, claimFrames);
      if (evicted != NONE) {
        return evicted;
      }
    }
    return NONE;
  }

  /** Ends a pin: at the last one, a page that is doomed, or not to be kept, leaves its frame. */
  void unpin(int frame) {
    FrameWords.Last last = words.unpin(frame);
    if (last != FrameWords.Last.NO) {
      release(frame, last);
    }
  }

  private void release(int frame, FrameWords.Last last) {
    if (last == FrameWords.Last.DOOMED) {
      words.clear(frame);
      give(frame);
    } else if (words.takePassing(frame)) {
      unlist(frame);
      give(frame);
    }
  }

  /** Removes from the table the page of a frame that was just taken. */
  private void unlist(int frame) {
    table.remove(PageTable.hash(words.pageId(frame)), frame);
  }

  /**
   * Gives frames back until the quota's target is met.
   *
   * @param maxFrames at most about so many
   * @return frames still above the target
   */
  int shrink(int maxFrames) {
    int least = quota.usedPages() - maxFrames;
    while (quota.excessPages() > 0 && quota.usedPages() > least) {
      int frame = takeReserved();
      if (frame == NONE) {
        frame = evict();
      }
      if (frame == NONE) {
        break;
      }
      quota.free(address(frame));
    }
    return quota.excessPages();
  }

  /** Gives all frames back. No other thread may use the cache any more, and no page is pinned. */
  void close() {
    for (int frame = takeReserved(); frame != NONE; frame = takeReserved()) {
      quota.free(address(frame));
    }
    for (int frame = 0; quota.usedPages() > 0 && frame < pool.pageCount(); frame++) {
      if (words.isListed(frame)) {
        quota.free(address(frame));
      }
    }
  }

  long address(int frame) {
    return pool.base() + (long) frame * pool.pageBytes();
  }

  private int evictClaimed(int first, int claimFrames) {
    int evicted = NONE;
    int frame = first;
    for (int i = 0; i < claimFrames; i++) {
      if (words.passClock(frame)) {
        unlist(frame);
        counters.evicted(words.pageId(frame));
        if (evicted == NONE) {
          evicted = frame;
        } else {
          give(frame);
        }
      }
      frame = frame + 1 == pool.pageCount() ? 0 : frame + 1;
    }
    return evicted;
  }

  private int reserveFrames() {
    return Math.min(MAX_RESERVE_FRAMES, Math.max(1, quota.targetPages() / RESERVE_FRACTION));
  }

  /**
   * A free frame, or that of the oldest on trial. Free are those that the hand found beside the one
   * it looked for: the more of the cache has no use any more, the more pages stay without having
   * stood their trial. Pages of stretches leave these frames to pages missed one by one; otherwise
   * they would take all of them.
   */
  private int takeForTrial(TrialQueue trial) {
    int frame = trials.isOfSingles(trial) ? takeFree() : takeUnallocated();
    if (frame == NONE) {
      frame = trial.takeOldest(quota.targetPages());
      if (frame != NONE) {
        unlist(frame);
        counters.evicted(words.pageId(frame));
      }
    }
    return frame;
  }

  private int takeFree() {
    int frame = takeReserved();
    return frame == NONE ? takeUnallocated() : frame;
  }

  private int takeUnallocated() {
    long address = quota.allocate();
    return address == 0 ? NONE : pool.indexOf(address);
  }

  private int takeReserved() {
    synchronized (freeLock) {
      int frame = firstFree;
      if (frame != NONE) {
        firstFree = words.next(frame);
        freeCount--;
        Mem.unpoison(address(frame), pool.pageBytes());
      }
      return frame;
    }
  }

  private boolean keep(int frame) {
    int most = reserveFrames();
    synchronized (freeLock) {
      if (freeCount >= most) {
        return false;
      }
      Mem.poison(address(frame), pool.pageBytes());
      words.setNext(frame, firstFree);
      firstFree = frame;
      freeCount++;
      return true;
    }
  }
}
