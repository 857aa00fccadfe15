package org.loam.common.mem;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;

/**
 * Epoch-based reclamation: memory that readers reach without a lock is released only when every
 * reader that could have seen it has left. Thread-safe; any number of threads. Use as
 *
 * <pre>{@code
 * int slot = epochs.enter();
 * try {
 *   // follow pointers into shared memory; no I/O, no waiting, no calls to users
 * } finally {
 *   epochs.exit(slot);
 * }
 * }</pre>
 *
 * <p>A thread that unlinks memory calls {@link #retire} after the unlinking store, or takes a
 * {@link #moment} and asks later whether it has passed. A thread may be inside several times, each
 * with a slot of its own.
 *
 * <p>How it works. A slot holds 0 (free) or the epoch that its owner read when it entered. Retiring
 * stamps the release with the current epoch t and moves the epoch on to t + 1, so that a reader
 * that reads t + 1 also sees the unlinking. The release may run when every slot is free or holds
 * more than t. A reader may read an old epoch and claim its slot only after the slot was scanned.
 * That is harmless: claiming is a full fence, and so is moving the epoch. So either the scan sees
 * the claim, or the reader sees the unlinking.
 */
public final class Epochs implements Moments, AutoCloseable {
  /** Enough for the threads that are inside at one moment on any machine of today. */
  public static final int DEFAULT_SLOTS = 128;

  private static final long FREE = 0;
  private static final long CLOSED = -1;

  /** Two cache lines per slot, because processors fetch lines in pairs. */
  private static final int STRIDE_SHIFT = 4;

  private final Waiter waiter;
  private final int slotMask;

  /** Slot {@code i} is at {@code (i + 1) << STRIDE_SHIFT}, away from the array's length. */
  private final AtomicLongArray slots;

  /** The current epoch, at least 1, or {@link #CLOSED}; written under {@link #retired}. */
  private volatile long epoch = 1;

  /** Releases that wait, by ascending epoch; also the lock around a few instructions. */
  @GuardedBy("retired")
  private final ArrayDeque<Retired> retired = new ArrayDeque<>();

  /** Releases that have begun and not ended. */
  @GuardedBy("retired")
  private int running;

  private record Retired(long epoch, Runnable release) {}

  /** With {@link #DEFAULT_SLOTS} slots. */
  public Epochs(Waiter waiter) {
    this(waiter, DEFAULT_SLOTS);
  }

  /**
   * @param waiter passes the time when all slots are taken
   * @param slots how many readers may be inside at once before others wait; a power of two
   */
  public Epochs(Waiter waiter, int slots) {
    if (slots < 1 || slots > 1 << 16 || Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException("slots " + slots + ": a power of two in 1..65536");
    }
    this.waiter = waiter;
    this.slotMask = slots - 1;
    this.slots = new AtomicLongArray((slots + 2) << STRIDE_SHIFT);
  }

  /** Slot ids are 0 up to this, so that callers can keep an object per slot. */
  public int slots() {
    return slotMask + 1;
  }

  /**
   * Goes inside; waits while all slots are taken.
   *
   * @return the slot to pass to {@link #exit}; until then no other caller gets it
   * @throws ClosedException if closed
   */
  public int enter() {
    long now = epoch;
    int slot = home();
    if (now == CLOSED || !slots.compareAndSet(index(slot), FREE, now)) {
      return enterElsewhere(slot);
    }
    return slot;
  }

  /** Leaves; the caller must no longer follow pointers that it read inside. */
  public void exit(int slot) {
    int i = index(slot);
    if (slots.getPlain(i) <= FREE) {
      throw new AssertionError("epoch slot " + slot + " left but not entered");
    }
    slots.setRelease(i, FREE);
  }

  /**
   * Runs {@code release} once every reader that is inside now has left. If none is inside, it runs
   * before this returns, else in a later {@link #retire}, {@link #collect} or {@link #close}. It
   * runs on the thread that calls, outside of all locks of this class. Releases run in order of
   * their retirement unless several threads collect at once.
   *
   * @throws ClosedException if closed
   */
  public void retire(Runnable release) {
    synchronized (retired) {
      retired.addLast(new Retired(moveOn(), release));
    }
    collect();
  }

  /**
   * {@inheritDoc}
   *
   * @throws ClosedException if closed
   */
  @Override
  public long moment() {
    synchronized (retired) {
      return moveOn();
    }
  }

  @Override
  public boolean hasPassed(long moment) {
    return oldestInside(Long.MAX_VALUE) > moment;
  }

  /** Returns the current epoch and moves on to the next one. */
  @GuardedBy("retired")
  private long moveOn() {
    long now = epoch;
    if (now == CLOSED) {
      throw closed();
    }
    epoch = now + 1;
    return now;
  }

  /** Runs the releases that wait for no reader any more. */
  public void collect() {
    long now = epoch;
    if (now != CLOSED) {
      runRetiredBefore(oldestInside(now));
    }
  }

  /** The oldest epoch in which a reader is inside, if it is older than another one. */
  private long oldestInside(long other) {
    long oldest = other;
    for (int slot = 0; slot <= slotMask; slot++) {
      long entered = slots.get(index(slot));
      if (entered > FREE && entered < oldest) {
        oldest = entered;
      }
    }
    return oldest;
  }

  /** How many releases wait. */
  public int retiredCount() {
    synchronized (retired) {
      return retired.size();
    }
  }

  /**
   * Refuses to let threads in, waits until all are out, runs every release, and waits for those
   * that other threads run. The caller must not be inside, nor in a release. Closing twice is
   * harmless.
   */
  @Override
  public void close() {
    synchronized (retired) {
      if (epoch == CLOSED) {
        return;
      }
      epoch = CLOSED;
    }
    // Claiming every slot for good also stops a thread that read the epoch just before.
    for (int slot = 0; slot <= slotMask; slot++) {
      while (!slots.compareAndSet(index(slot), FREE, CLOSED)) {
        waiter.spin();
      }
    }
    runRetiredBefore(Long.MAX_VALUE);
    while (isRunning()) {
      waiter.spin();
    }
  }

  private boolean isRunning() {
    synchronized (retired) {
      return running > 0;
    }
  }

  private int enterElsewhere(int start) {
    while (true) {
      for (int i = 0; i <= slotMask; i++) {
        long now = epoch;
        if (now == CLOSED) {
          throw closed();
        }
        int slot = (start + i) & slotMask;
        if (slots.getPlain(index(slot)) == FREE && slots.compareAndSet(index(slot), FREE, now)) {
          return slot;
        }
      }
      waiter.spin();
    }
  }

  private void runRetiredBefore(long safe) {
    for (Runnable next = pollRetiredBefore(safe); next != null; next = pollRetiredBefore(safe)) {
      try {
        next.run();
      } finally {
        synchronized (retired) {
          running--;
        }
      }
    }
  }

  private @Nullable Runnable pollRetiredBefore(long safe) {
    synchronized (retired) {
      Retired first = retired.peekFirst();
      if (first == null || first.epoch >= safe) {
        return null;
      }
      retired.removeFirst();
      running++;
      return first.release;
    }
  }

  /** Spreads threads; consecutive ids land far apart. */
  private int home() {
    return (int) ((Thread.currentThread().getId() * 0x9E3779B97F4A7C15L) >>> 40) & slotMask;
  }

  private static int index(int slot) {
    return (slot + 1) << STRIDE_SHIFT;
  }

  private static ClosedException closed() {
    return new ClosedException("the epochs are closed");
  }
}
