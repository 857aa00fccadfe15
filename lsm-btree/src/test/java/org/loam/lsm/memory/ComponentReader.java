package org.loam.lsm.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/** Reads a {@link ComponentWorld}, and checks each answer. One thread. */
final class ComponentReader implements AutoCloseable {
  private static final long NEWEST = Long.MAX_VALUE;

  /** More than a world has writes, each of which can drop what a reader is about to find. */
  private static final int ATTEMPTS = 100;

  /** Where a walk begins, and so its direction. */
  enum Start {
    FIRST,
    LAST,
    CEILING,
    LOWER
  }

  private final ComponentWorld world;
  private final long scratch = Mem.allocate(1024, 8);

  ComponentReader(ComponentWorld world) {
    this.world = world;
  }

  long offHeap(byte[] key) {
    Mem.copyIn(key, 0, scratch, key.length);
    return scratch;
  }

  /** Looks for the newest version, published or not. */
  void get(byte[] key) {
    ComponentWorld.States states = world.states(key);
    int from = states.applied;
    int slot = world.epochs.enter();
    long lsn = lsnOf(world.component.find(offHeap(key), key.length, NEWEST), key);
    world.epochs.exit(slot);
    if (!states.mayBe(from, lsn)) {
      throw wrong(key, lsn, states.all.subList(from, states.all.size()));
    }
  }

  /** Looks for what is published now, without being registered. */
  void getPublished(byte[] key) {
    for (int i = 0; i < ATTEMPTS; i++) {
      int slot = world.epochs.enter();
      long readLsn = world.reads.currentReadLsn();
      long found = world.component.find(offHeap(key), key.length, readLsn);
      if (found != MemoryComponent.DROPPED) {
        requireAt(readLsn, key, found);
        world.epochs.exit(slot);
        return;
      }
      world.epochs.exit(slot);
    }
    throw new AssertionError("what is published was dropped");
  }

  /** Looks for what a read LSN shows that is registered. */
  void getAt(long readLsn, byte[] key) {
    int slot = world.epochs.enter();
    requireAt(readLsn, key, world.component.find(offHeap(key), key.length, readLsn));
    world.epochs.exit(slot);
  }

  private void requireAt(long readLsn, byte[] key, long found) {
    long expected = world.states(key).at(readLsn);
    long lsn = lsnOf(found, key);
    if (lsn != expected) {
      throw wrong(key, lsn, "at " + readLsn + " " + expected);
    }
  }

  private long lsnOf(long found, byte[] key) {
    ComponentWorld.require(found != MemoryComponent.DROPPED, "a version that was dropped");
    if (found <= 0) {
      return ComponentWorld.ABSENT;
    }
    ComponentWorld.require(
        Arrays.equals(MemoryRecord.copyKey(found), key), "found another key than asked for");
    long lsn = MemoryRecord.lsn(found);
    world.requireValue(lsn, Fixture.value(found));
    return lsn;
  }

  /** Walks over the newest versions, published or not. */
  void scan(Start start, byte[] bound) {
    Map<byte[], Integer> applied = world.appliedStates();
    Map<byte[], Long> rows = rows(start, bound, NEWEST);
    world
        .states()
        .forEach(
            (key, states) -> {
              long lsn = rows.getOrDefault(key, ComponentWorld.ABSENT);
              int from = applied.getOrDefault(key, 0);
              if (isWithin(start, bound, key) && !states.mayBe(from, lsn)) {
                throw wrong(key, lsn, states.all.subList(from, states.all.size()));
              }
            });
  }

  /** Walks over what a read LSN shows that is registered. */
  void scanAt(long readLsn, Start start, byte[] bound) {
    Map<byte[], Long> rows = rows(start, bound, readLsn);
    world
        .states()
        .forEach(
            (key, states) -> {
              long lsn = rows.getOrDefault(key, ComponentWorld.ABSENT);
              long expected =
                  isWithin(start, bound, key) ? states.at(readLsn) : ComponentWorld.ABSENT;
              if (lsn != expected) {
                throw wrong(key, lsn, "at " + readLsn + " " + expected);
              }
            });
  }

  private Map<byte[], Long> rows(Start start, byte[] bound, long readLsn) {
    List<byte[]> keys = new ArrayList<>();
    Map<byte[], Long> rows = new TreeMap<>(Arrays::compareUnsigned);
    int slot = world.epochs.enter();
    try (EntryCursor cursor = world.component.cursor(readLsn)) {
      boolean more =
          switch (start) {
            case FIRST -> cursor.first();
            case LAST -> cursor.last();
            case CEILING -> cursor.ceiling(offHeap(bound), bound.length);
            case LOWER -> cursor.lower(offHeap(bound), bound.length);
          };
      boolean up = isUp(start);
      while (more) {
        byte[] key = Fixture.key(cursor);
        ComponentWorld.require(isWithin(start, bound, key), "a key that is not in the range");
        if (!keys.isEmpty()) {
          int order = Arrays.compareUnsigned(keys.get(keys.size() - 1), key);
          ComponentWorld.require(up ? order < 0 : order > 0, "keys out of order");
        }
        keys.add(key);
        rows.put(key, cursor.lsn());
        world.requireValue(cursor.lsn(), Fixture.value(cursor));
        more = up ? cursor.next() : cursor.previous();
      }
    } finally {
      world.epochs.exit(slot);
    }
    return rows;
  }

  private static boolean isUp(Start start) {
    return start == Start.FIRST || start == Start.CEILING;
  }

  private static boolean isWithin(Start start, byte[] bound, byte[] key) {
    return switch (start) {
      case FIRST, LAST -> true;
      case CEILING -> Arrays.compareUnsigned(key, bound) >= 0;
      case LOWER -> Arrays.compareUnsigned(key, bound) < 0;
    };
  }

  private static AssertionError wrong(byte[] key, long lsn, Object expected) {
    return new AssertionError("key " + Fixture.text(key) + " is " + lsn + ", expected " + expected);
  }

  @Override
  public void close() {
    Mem.free(scratch);
  }
}
