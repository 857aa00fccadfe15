package org.loam.lsm.memory;

import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Epochs;
import org.loam.lsm.read.EntryCursor;
import org.loam.scheduler.merge.KeyRange;

/**
 * A memory component that takes no more writes, and the keys for which it counts. Immutable.
 *
 * @param keys its own keys lie within, unless a part of it is merged into a run below: that part is
 *     left out
 * @param isBegun whether a part is left out
 * @param isFlat whether the nodes of its index are full
 */
public record MemoryRun(MemoryComponent component, KeySpan keys, boolean isBegun, boolean isFlat)
    implements MemoryLeveling.Run {
  /** All of a component. */
  public static MemoryRun of(MemoryComponent component, KeySpan keys) {
    return new MemoryRun(component, keys, false, false);
  }

  /** All of a component that takes no more writes, with the keys that it has. */
  public static MemoryRun of(MemoryComponent component, Epochs memoryEpochs) {
    KeyRange keys = keysOf(component, memoryEpochs);
    return of(component, keys == null ? KeySpan.ALL : KeySpan.closed(keys.min(), keys.max()));
  }

  /** From the first key of a component to the last; null if it has none. */
  public static @Nullable KeyRange keysOf(MemoryComponent component, Epochs memoryEpochs) {
    int slot = memoryEpochs.enter();
    try {
      ReadCursor cursor = new ReadCursor(component.tree(), Long.MAX_VALUE);
      if (!cursor.first()) {
        return null;
      }
      byte[] first = MemoryRecord.copyKey(cursor.record());
      cursor.last();
      return new KeyRange(first, MemoryRecord.copyKey(cursor.record()));
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  /** What is left when everything below a key is merged into a run below. */
  public MemoryRun from(byte[] key) {
    return new MemoryRun(component, keys.from(key), true, isFlat);
  }

  /** The same with an index that was made of others, in the order of keys. */
  public MemoryRun flat() {
    return new MemoryRun(component, keys, isBegun, true);
  }

  /**
   * What {@link MemoryComponent#find} finds of the keys for which the run counts. Of those that are
   * left out, a newer version may have left memory.
   */
  public long find(long key, int keyLength, long readLsn) {
    byte[] low = keys.low();
    return isBegun && low != null && ReadCursor.Rest.isBelow(low, key, keyLength)
        ? MemoryComponent.ABSENT
        : component.find(key, keyLength, readLsn);
  }

  /** Like {@link MemoryComponent#cursor}, over the keys for which the run counts. */
  public EntryCursor cursor(long readLsn) {
    byte[] low = keys.low();
    return isBegun && low != null
        ? new ReadCursor.Rest(component.tree(), readLsn, low)
        : component.cursor(readLsn);
  }

  @Override
  public long bytes() {
    return component.usedBytes();
  }

  @Override
  public long minLsn() {
    return component.minLsn();
  }
}
