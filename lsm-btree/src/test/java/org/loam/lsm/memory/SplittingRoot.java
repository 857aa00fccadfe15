package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.PagePool;
import org.loam.lsm.read.EntryCursor;

/**
 * A fresh component that two writers fill beside each other, as the engine does: places are found
 * outside of the latch and used under it. The keys are in bit-reversed order, so that each batch
 * has keys for both halves of a leaf that the other writer splits.
 */
final class SplittingRoot implements AutoCloseable {
  private static final int KEYS = 96;
  private static final int BATCH = 8;
  private static final int PAGES = 32;
  private static final int PAGE_BYTES = 4096;

  private final PagePool pool = new PagePool(PAGES, PAGE_BYTES);
  private final MemoryComponent component;
  private final Monitor latch;
  private long lsn;

  SplittingRoot(Waiter waiter) {
    component =
        new MemoryComponent(pool.quota("test", PAGES), PAGE_BYTES, new Epochs(waiter, 1), waiter);
    latch = waiter.newMonitor("commit latch");
  }

  /** Writes every other batch, from the first or the second on. */
  void write(int firstBatch) {
    InsertionPoints points = new InsertionPoints();
    MemoryComponent[] components = new MemoryComponent[BATCH];
    long[] records = new long[BATCH];
    for (int first = firstBatch * BATCH; first < KEYS; first += 2 * BATCH) {
      for (int i = 0; i < BATCH; i++) {
        components[i] = component;
        records[i] = component.prepare(EntryKind.PUT, key(first + i), new byte[0]);
        assertThat(records[i]).isPositive();
      }
      points.find(components, records, BATCH);
      latch.lock();
      try {
        assertThat(component.reserve(BATCH)).isTrue();
        for (int i = 0; i < BATCH; i++) {
          component.insert(records[i], ++lsn, Fixture.KEEP_NONE, points, i);
        }
      } finally {
        latch.unlock();
      }
    }
  }

  /** The keys as a scan shows them. */
  List<Integer> keys() {
    List<Integer> keys = new ArrayList<>();
    try (EntryCursor cursor = component.cursor(Long.MAX_VALUE)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        keys.add(Fixture.key(cursor)[0] & 0xff);
      }
    }
    return keys;
  }

  /** What {@link #keys} is to show: each key once, in order. */
  static List<Integer> expectedKeys() {
    return IntStream.range(0, KEYS).map(i -> key(i)[0] & 0xff).sorted().boxed().toList();
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) (Integer.reverse(number) >>> 24)};
  }

  @Override
  public void close() {
    component.release();
    pool.close();
  }
}
