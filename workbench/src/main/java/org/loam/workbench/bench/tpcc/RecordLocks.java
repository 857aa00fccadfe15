package org.loam.workbench.bench.tpcc;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Locks of clients on what a transaction reads in order to write it: a warehouse's own record; all
 * of a district, with its customers and orders; the stock of an item in a warehouse. A transaction
 * takes all its locks at once, in one order for all, so that none waits in a circle. Names share
 * stripes, which costs a wait now and then and nothing else. Thread-safe.
 */
public final class RecordLocks {
  private static final int STRIPES = 1 << 12;

  private final ReentrantLock[] stripes =
      Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(ReentrantLock[]::new);

  /** Locks that are held. */
  public interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** The name of a warehouse's record. */
  static long warehouse(int warehouse) {
    return (long) warehouse << 32;
  }

  /** The name of a district with its customers and orders. */
  static long district(int warehouse, int district) {
    return ((long) warehouse << 32) | (1L << 31) | district;
  }

  /** The name of an item's stock. */
  static long stock(int warehouse, int item) {
    return ((long) warehouse << 32) | item;
  }

  /** Waits for all the locks of these names. */
  Held lock(long... names) {
    int[] sorted = Arrays.stream(names).mapToInt(RecordLocks::stripe).sorted().distinct().toArray();
    IntStream.of(sorted).forEach(stripe -> stripes[stripe].lock());
    return () -> IntStream.of(sorted).forEach(stripe -> stripes[stripe].unlock());
  }

  private static int stripe(long name) {
    long mixed = (name ^ (name >>> 32)) * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> (Long.SIZE - Integer.numberOfTrailingZeros(STRIPES)));
  }
}
