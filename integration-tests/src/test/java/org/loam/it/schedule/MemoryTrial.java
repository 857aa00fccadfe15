package org.loam.it.schedule;

import org.loam.common.env.Waiter;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.VersionRetention;
import org.loam.lsm.read.EntryCursor;

/**
 * Readers of one memory component while its leaves split: without an engine around it a schedule
 * has few accesses, so that each of them is likely to be the one at which it switches.
 */
public final class MemoryTrial extends ScheduleTrial {
  private static final int KEYS = 200;
  private static final int GROWN_KEYS = 93;
  private static final int ROUNDS = 60;
  private static final int SCANS = 6;
  private static final int PAGES = 32;
  private static final int PAGE_BYTES = 4096;

  /** Keys inserted so far; they are acknowledged at once. */
  private int inserted;

  /** To be run in instrumented code. */
  public MemoryTrial() {
    super(MemoryTrial::world);
  }

  static void world(Simulation sim) {
    try (PagePool pool = new PagePool(PAGES, PAGE_BYTES)) {
      Waiter waiter = sim.env().waiter();
      MemoryComponent component =
          new MemoryComponent(pool.quota("test", PAGES), PAGE_BYTES, new Epochs(waiter, 1), waiter);
      MemoryTrial trial = new MemoryTrial();
      undisturbed(() -> trial.insert(component, GROWN_KEYS));
      boolean scans = coin(sim, 0);
      sim.run(
          () -> trial.insert(component, KEYS),
          () -> {
            if (scans) {
              trial.scan(component);
            } else {
              trial.find(component);
            }
          });
      component.release();
    }
  }

  private void insert(MemoryComponent component, int to) {
    while (inserted < to) {
      long record = component.prepare(EntryKind.PUT, OwnedKeys.key(inserted), new byte[0]);
      Check.that(record > 0 && component.reserve(1), "no room");
      component.insert(record, 1 + inserted, VersionRetention.ALL);
      inserted++;
    }
  }

  /** Looks for keys all over the tree. */
  private void find(MemoryComponent component) {
    long key = Mem.allocate(1, 1, "key");
    for (int i = 0; i < ROUNDS; i++) {
      int number = i * 61 % inserted;
      Mem.copyIn(OwnedKeys.key(number), 0, key, 1);
      Check.that(component.find(key, 1, Long.MAX_VALUE) > 0, "key " + number + " is not found");
    }
    Mem.free(key);
  }

  /** Down the tree, since a split moves keys up. */
  private void scan(MemoryComponent component) {
    for (int i = 0; i < SCANS; i++) {
      int least = inserted;
      int count = 0;
      int last = 1 << Byte.SIZE;
      try (EntryCursor cursor = component.cursor(Long.MAX_VALUE)) {
        for (boolean more = cursor.last(); more; more = cursor.previous()) {
          int key = Mem.getByte(cursor.keyAddress()) & 0xff;
          Check.that(key < last, "a scan shows keys out of order: " + last + ", " + key);
          last = key;
          count += Integer.reverse(key << 24) < least ? 1 : 0;
        }
      }
      Check.that(count == least, "a scan shows " + count + " of " + least + " keys");
    }
  }
}
