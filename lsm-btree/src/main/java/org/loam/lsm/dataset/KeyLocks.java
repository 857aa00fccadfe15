package org.loam.lsm.dataset;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/**
 * Locks on the keys of a dataset: no other writer changes a record between the look at the old one
 * and the application of the new one. A lock stands for many keys. Thread-safe. A caller that needs
 * several locks takes them in one call, which orders them.
 *
 * <p>A lock is made when a writer first takes it: an engine may have thousands of datasets, and all
 * locks of one take 160 KiB of heap.
 */
public final class KeyLocks {
  /** Among 16 writers one waits for another's key by chance in 15 of 1,024 cases. */
  private static final int STRIPE_BITS = 10;

  private static final int STRIPES = 1 << STRIPE_BITS;
  private static final int GOLDEN_RATIO = 0x9E3779B9;

  private final Waiter waiter;
  private final String dataset;

  /** A stripe is null until it is first taken, and the same monitor from then on. */
  private final AtomicReferenceArray<@Nullable Monitor> stripes =
      new AtomicReferenceArray<>(STRIPES);

  public KeyLocks(Waiter waiter, String dataset) {
    this.waiter = waiter;
    this.dataset = dataset;
  }

  /** The locks of keys, in the order of taking them, each once. */
  public int[] of(byte[]... keys) {
    int[] some = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      some[i] = stripeOf(keys[i]);
    }
    Arrays.sort(some);
    int distinct = 0;
    for (int stripe : some) {
      if (distinct == 0 || some[distinct - 1] != stripe) {
        some[distinct++] = stripe;
      }
    }
    return Arrays.copyOf(some, distinct);
  }

  private static int stripeOf(byte[] key) {
    // The upper bits of a product depend on all bits of the hash.
    return (Arrays.hashCode(key) * GOLDEN_RATIO) >>> (Integer.SIZE - STRIPE_BITS);
  }

  /** Takes locks, or none if another writer has one of them. */
  public boolean tryLock(int[] some) {
    return tryAll(some, Monitor::tryLock);
  }

  /**
   * Takes locks, or none if that takes too long.
   *
   * @param leftNanos how long a wait may last; asked before each lock
   */
  public boolean tryLock(int[] some, LongSupplier leftNanos) {
    return tryAll(some, stripe -> stripe.tryLock(leftNanos.getAsLong(), TimeUnit.NANOSECONDS));
  }

  /** Takes locks. */
  public void lock(int[] some) {
    tryAll(
        some,
        stripe -> {
          stripe.lock();
          return true;
        });
  }

  /** Keeps none unless all are taken, whatever one of them throws. */
  private boolean tryAll(int[] some, Predicate<Monitor> isTaken) {
    int count = 0;
    try {
      while (count < some.length && isTaken.test(stripe(some[count]))) {
        count++;
      }
    } finally {
      if (count < some.length) {
        unlock(some, count);
      }
    }
    return count == some.length;
  }

  private Monitor stripe(int i) {
    Monitor known = stripes.get(i);
    return known == null ? make(i) : known;
  }

  /** Of several threads that make one, all get the one that is first in its place. */
  private Monitor make(int i) {
    Monitor made = waiter.newMonitor("keys of dataset '" + dataset + "'");
    Monitor earlier = stripes.compareAndExchange(i, null, made);
    return earlier == null ? made : earlier;
  }

  /** Gives them back. */
  public void unlock(int[] some) {
    unlock(some, some.length);
  }

  /** Allocates nothing: the heap may be what is short. */
  private void unlock(int[] some, int count) {
    for (int i = count - 1; i >= 0; i--) {
      Objects.requireNonNull(stripes.get(some[i])).unlock();
    }
  }

  /**
   * Waits until each lock that is held now was free once. Makes none, and holds one at a time.
   *
   * <p>If a caller has shut a gate before, at which each writer looks as soon as it has its locks,
   * then no writer that found the gate open has a lock any more.
   */
  public void awaitHolders() {
    for (int i = 0; i < STRIPES; i++) {
      // One that is not there now is taken by a writer that finds the gate shut.
      if (stripes.get(i) != null) {
        int[] one = {i};
        lock(one);
        unlock(one);
      }
    }
  }
}
