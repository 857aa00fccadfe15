package org.loam.tuner.ghost;

import java.util.Arrays;

/**
 * Ids in the order in which they were added, of which the oldest makes room for a new one. Each
 * operation takes constant time on average; about 55 bytes an id. Not thread-safe.
 *
 * <p>An id has the next slot when it is added, and leaves a hole when it is removed. When the slots
 * are used up, the ids move together; there are twice as many slots as ids, so that this is rare. A
 * hash table with linear probing finds the slot of an id.
 *
 * <p>Ids belong to parts, and are counted in groups: some parts are a group each, and all the
 * others are the last group. No call but {@link #countApart} allocates.
 */
final class IdQueue {
  private static final int NONE = -1;

  private final int capacity;
  private final long[] ids;

  /** The part of the id in a slot. */
  private final int[] parts;

  /** A bit for each slot that has an id. */
  private final long[] live;

  /** Parts that are a group each, in rising order. */
  private int[] apart = {};

  /** A bit for each slot that has an id of a group; the last group has all other parts. */
  private long[][] liveOfGroup;

  /** Slot + 1, or 0 if empty. */
  private final int[] table;

  private final int mask;
  private int oldest;
  private int next;
  private int size;

  IdQueue(int capacity) {
    this.capacity = capacity;
    this.ids = new long[2 * capacity];
    this.parts = new int[2 * capacity];
    this.live = new long[(2 * capacity + Long.SIZE - 1) / Long.SIZE];
    this.liveOfGroup = new long[1][live.length];
    int tableSize = Integer.highestOneBit(Math.max(1, 2 * capacity - 1)) << 1;
    this.table = new int[tableSize];
    this.mask = tableSize - 1;
  }

  /** Spreads ids: page numbers count up, and so do the ids of files. */
  static long hash(long id) {
    long h = (id + 1) * 0x9E3779B97F4A7C15L;
    h = (h ^ (h >>> 32)) * 0xD6E8FEB86659FD93L;
    return h ^ (h >>> 32);
  }

  int size() {
    return size;
  }

  boolean contains(long id) {
    return find(id) != NONE;
  }

  /** How many ids were added after this one; -1 if it is absent. */
  int newerThan(long id) {
    int place = find(id);
    return place == NONE ? NONE : count(live, table[place]);
  }

  /**
   * Some parts are a group each from now on, and all others are one.
   *
   * @param someParts in rising order
   */
  void countApart(int[] someParts) {
    apart = someParts.clone();
    liveOfGroup = new long[apart.length + 1][live.length];
    moveTogether();
  }

  /** The group of an id, which is there: the place of its part, or the number of these. */
  int groupOf(long id) {
    return groupIn(table[find(id)] - 1);
  }

  private int groupIn(int slot) {
    int at = Arrays.binarySearch(apart, parts[slot]);
    return at < 0 ? apart.length : at;
  }

  /** How many ids of its group were added after this one, which is there. */
  int newerOfItsGroup(long id) {
    int slot = table[find(id)] - 1;
    return count(liveOfGroup[groupIn(slot)], slot + 1);
  }

  /** How many bits are set, from a slot on. */
  private int count(long[] bits, int from) {
    int word = from / Long.SIZE;
    int last = (next - 1) / Long.SIZE;
    if (from == next) {
      return 0;
    }
    int count = Long.bitCount(bits[word] & -1L << from);
    for (word++; word <= last; word++) {
      count += Long.bitCount(bits[word]);
    }
    return count;
  }

  /** Adds an id of part 0. */
  void add(long id) {
    add(id, 0);
  }

  /** Adds an id, or makes it the newest; the oldest leaves if there is no room. */
  void add(long id, int part) {
    remove(id);
    if (size == capacity) {
      removeOldest();
    }
    if (next == ids.length) {
      moveTogether();
    }
    ids[next] = id;
    parts[next] = part;
    enter(next);
    next++;
    size++;
  }

  private void enter(int slot) {
    live[slot / Long.SIZE] |= 1L << slot;
    liveOfGroup[groupIn(slot)][slot / Long.SIZE] |= 1L << slot;
    list(slot);
  }

  /** Removes an id; false if it is absent. */
  boolean remove(long id) {
    int place = find(id);
    if (place == NONE) {
      return false;
    }
    int slot = table[place] - 1;
    live[slot / Long.SIZE] &= ~(1L << slot);
    liveOfGroup[groupIn(slot)][slot / Long.SIZE] &= ~(1L << slot);
    unlist(place);
    size--;
    return true;
  }

  /** Removes all ids of a range, both ends in it. */
  void removeRange(long first, long last) {
    for (int slot = oldest; slot < next; slot++) {
      if (isLive(slot) && ids[slot] >= first && ids[slot] <= last) {
        remove(ids[slot]);
      }
    }
  }

  private void removeOldest() {
    while (!isLive(oldest)) {
      oldest++;
    }
    remove(ids[oldest]);
  }

  private boolean isLive(int slot) {
    return (live[slot / Long.SIZE] & 1L << slot) != 0;
  }

  private void moveTogether() {
    int to = 0;
    for (int slot = oldest; slot < next; slot++) {
      if (isLive(slot)) {
        ids[to] = ids[slot];
        parts[to++] = parts[slot];
      }
    }
    Arrays.fill(live, 0);
    for (long[] bits : liveOfGroup) {
      Arrays.fill(bits, 0);
    }
    Arrays.fill(table, 0);
    for (int slot = 0; slot < to; slot++) {
      enter(slot);
    }
    oldest = 0;
    next = to;
  }

  /** The place of an id in the table. */
  private int find(long id) {
    for (int place = home(id); table[place] != 0; place = place + 1 & mask) {
      if (ids[table[place] - 1] == id) {
        return place;
      }
    }
    return NONE;
  }

  private void list(int slot) {
    int place = home(ids[slot]);
    while (table[place] != 0) {
      place = place + 1 & mask;
    }
    table[place] = slot + 1;
  }

  /** Empties a place; later ones move up, where their home allows it. */
  private void unlist(int removed) {
    int hole = removed;
    for (int place = hole + 1 & mask; table[place] != 0; place = place + 1 & mask) {
      int home = home(ids[table[place] - 1]);
      if ((place - home & mask) >= (place - hole & mask)) {
        table[hole] = table[place];
        hole = place;
      }
    }
    table[hole] = 0;
  }

  private int home(long id) {
    return (int) hash(id) & mask;
  }
}
