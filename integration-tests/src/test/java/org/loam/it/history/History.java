package org.loam.it.history;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/**
 * What was written to slots, that is to say to keys of trees or datasets. Slots are in groups: one
 * thread writes a group, always the whole of it in one batch. The writes of a group have the
 * numbers 1, 2 and so on, and what a write does to a slot follows from slot and number: it writes a
 * value that names both, or deletes. Before the first, all slots are absent.
 */
final class History {
  /** A group of one is written without a batch; one of twelve takes long to insert. */
  private static final int[] GROUP_SIZES = {1, 1, 2, 3, 5, 12};

  private static final int ONE_DELETE_IN = 6;

  private final long seed;
  private final int[] groupOf;
  private final int[][] slots;
  private final AtomicLongArray started;
  private final AtomicLongArray acknowledged;
  private final long[][] seen;

  /**
   * @param readers threads that read, each with a number
   */
  History(RandomGenerator random, int slotCount, int readers) {
    this.seed = random.nextLong();
    int[] shuffled = shuffled(random, slotCount);
    groupOf = new int[slotCount];
    int[][] groups = new int[slotCount][];
    int count = 0;
    for (int from = 0; from < slotCount; count++) {
      int size = Math.min(GROUP_SIZES[count % GROUP_SIZES.length], slotCount - from);
      groups[count] = Arrays.copyOfRange(shuffled, from, from + size);
      for (int slot : groups[count]) {
        groupOf[slot] = count;
      }
      from += size;
    }
    slots = Arrays.copyOf(groups, count);
    started = new AtomicLongArray(count);
    acknowledged = new AtomicLongArray(count);
    seen = new long[readers][count];
  }

  private static int[] shuffled(RandomGenerator random, int count) {
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      int j = random.nextInt(i + 1);
      all[i] = all[j];
      all[j] = i;
    }
    return all;
  }

  int groupCount() {
    return slots.length;
  }

  int slotCount() {
    return groupOf.length;
  }

  int group(int slot) {
    return groupOf[slot];
  }

  int[] slots(int group) {
    return slots[group];
  }

  /** A group that a writer may write. */
  int anyGroup(RandomGenerator random, int writer, int writers) {
    return writer + writers * random.nextInt((slots.length - writer + writers - 1) / writers);
  }

  /** Begins a write to a group; returns its number. Only for its writer. */
  long start(int group) {
    return started.incrementAndGet(group);
  }

  void acknowledge(int group, long number) {
    acknowledged.set(group, number);
  }

  /** The last write to a group that may show. */
  long started(int group) {
    return started.get(group);
  }

  /** The last write to a group that must show. */
  long acknowledged(int group) {
    return acknowledged.get(group);
  }

  /** For each group the last write that a reader knows of. Only for that reader. */
  long[] seen(int reader) {
    return seen[reader];
  }

  /** What a slot shows after a write: its number, or 0 if the slot is absent. */
  long shown(int slot, long number) {
    return number == 0 || Long.remainderUnsigned(mixed(slot, number), ONE_DELETE_IN) == 0
        ? 0
        : number;
  }

  /** A number that follows from slot and write, and looks like chance. */
  long mixed(int slot, long number) {
    long z = seed + slot * 0x9E3779B97F4A7C15L + number * 0xD1B54A32D192ED03L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
