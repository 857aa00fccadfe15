package org.loam.lsm.disk;

import java.util.concurrent.atomic.AtomicInteger;
import org.loam.cache.BufferCache;

/**
 * Which leaves of a table were asked for ahead of their use. Scans that go through a tree together
 * share it, so that one asks for all. Scans elsewhere in the table make each other ask again, which
 * costs little: what is there is not read. Thread-safe.
 */
final class AskedAhead {
  private final SSTable table;
  private final BufferCache cache;

  /** The last page that was asked for. */
  private final AtomicInteger last = new AtomicInteger();

  AskedAhead(SSTable table) {
    this.table = table;
    this.cache = table.cache();
  }

  /**
   * Has leaves read that are not there and were not asked for: as soon as they are half of those
   * that are to be read ahead at most, which makes a long request, or if the way ends there.
   *
   * @param reach says how many, and who reads them
   * @param from the page of the nearest
   * @param step 1 if the way goes up, -1 if down
   * @param most how many leaves there are on the way
   */
  void ask(Reach reach, int from, int step, int most) {
    int count = Math.min(reach.behind(), most);
    int before = last.get();
    int asked = (before - from) * step + 1;
    int there = asked > 0 && asked <= count ? asked : 0;
    while (there < count && cache.isThere(table.fileId(), from + there * step)) {
      there++;
    }
    int half = Math.max(1, reach.behind() / 2);
    int wanted = most < reach.behind() ? count - there : (count - there) / half * half;
    int end = from + (there + wanted - 1) * step;
    if (wanted > 0 && last.compareAndSet(before, end)) {
      reach.readAhead().begin(table, from + there * step, end);
    }
  }
}
