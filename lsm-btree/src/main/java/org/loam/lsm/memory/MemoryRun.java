package org.loam.lsm.memory;

import org.loam.common.mem.Epochs;

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
    int slot = memoryEpochs.enter();
    try {
      long first = component.firstRecord();
      return first == 0
          ? of(component, KeySpan.ALL)
          : of(
              component,
              KeySpan.closed(
                  MemoryRecord.copyKey(first), MemoryRecord.copyKey(component.lastRecord())));
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

  @Override
  public long bytes() {
    return component.usedBytes();
  }

  @Override
  public long minLsn() {
    return component.minLsn();
  }
}
