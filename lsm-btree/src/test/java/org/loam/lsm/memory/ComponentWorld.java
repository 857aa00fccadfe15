package org.loam.lsm.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;
import org.loam.lsm.visibility.ReadRegistry;

/**
 * A fresh component for the threads of a simulation, and what its readers may see at each moment.
 * What a read LSN shows is one state. A reader of the newest versions may see each state that a key
 * had between the beginning and the end of the read.
 *
 * <p>The states are kept in plain fields: the threads of a simulation hand each other the baton.
 */
final class ComponentWorld implements AutoCloseable {
  static final long ABSENT = -1;
  private static final int VALUE_BYTES = 40;
  private static final int EPOCH_SLOTS = 8;
  private static final int PAGES = 256;
  private static final int PAGE_BYTES = 4096;

  /** What a key was, from the first state on: the LSN of its newest version, or absent. */
  static final class States {
    final List<Long> all = new ArrayList<>(List.of(ABSENT));

    /** The last state that every reader must see. */
    int applied;

    /** Whether a reader that began at a state may see another now. */
    boolean mayBe(int from, long lsn) {
      return all.subList(from, all.size()).contains(lsn);
    }

    /** What a read LSN shows, if nothing was undone. */
    long at(long readLsn) {
      return all.stream().mapToLong(lsn -> lsn).filter(lsn -> lsn <= readLsn).max().orElseThrow();
    }
  }

  final MemoryComponent component;
  final ReadRegistry reads;
  final Epochs epochs;
  final AtomicLong published = new AtomicLong(1);
  private final PagePool pool = new PagePool(PAGES, PAGE_BYTES);
  private final Monitor latch;
  private final VersionRetention retention;
  private final NavigableMap<byte[], States> states = new TreeMap<>(Arrays::compareUnsigned);
  private final Map<Long, Byte> values = new HashMap<>();
  private byte lastValue;
  private long lastLsn;

  /** A component that drops what no reader needs. */
  ComponentWorld(Simulation sim) {
    this(sim, false);
  }

  /**
   * @param isHosted whether writes may be undone, so that nothing is dropped
   */
  ComponentWorld(Simulation sim, boolean isHosted) {
    Waiter waiter = sim.env().waiter();
    epochs = new Epochs(waiter, EPOCH_SLOTS);
    component = new MemoryComponent(pool.quota("test", PAGES), PAGE_BYTES, epochs, waiter);
    latch = waiter.newMonitor("commit latch");
    // No method reference: the call of one is no switching point.
    reads = new ReadRegistry(() -> published.get());
    retention = isHosted ? VersionRetention.ALL : reads;
  }

  /** Numbers as keys of a shape. */
  static List<byte[]> keys(KeyShape shape, int from, int to) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = from; i < to; i++) {
      keys.add(shape.key(i));
    }
    return keys;
  }

  States states(byte[] key) {
    return states.computeIfAbsent(key, k -> new States());
  }

  NavigableMap<byte[], States> states() {
    return states;
  }

  /** The state of each key that a reader which begins now must see at least. */
  Map<byte[], Integer> appliedStates() {
    Map<byte[], Integer> applied = new TreeMap<>(Arrays::compareUnsigned);
    states.forEach((key, of) -> applied.put(key, of.applied));
    return applied;
  }

  /** Writes keys in batches, and publishes each batch. */
  void write(Collection<byte[]> keys, int batchSize) {
    List<byte[]> left = new ArrayList<>(keys);
    InsertionPoints points = new InsertionPoints();
    while (!left.isEmpty()) {
      List<byte[]> batch = left.subList(0, Math.min(batchSize, left.size()));
      writeBatch(batch, points);
      batch.clear();
    }
  }

  private void writeBatch(List<byte[]> keys, InsertionPoints points) {
    int slot = epochs.enter();
    try {
      writeInside(keys, points);
    } finally {
      epochs.exit(slot);
    }
  }

  private void writeInside(List<byte[]> keys, InsertionPoints points) {
    int count = keys.size();
    MemoryComponent[] components = new MemoryComponent[count];
    long[] records = new long[count];
    for (int i = 0; i < count; i++) {
      components[i] = component;
      records[i] = prepare(keys.get(i));
    }
    points.find(components, records, count);
    latch.lock();
    try {
      require(component.reserve(count), "memory for nodes");
      for (int i = 0; i < count; i++) {
        long lsn = ++lastLsn;
        States of = states(keys.get(i));
        of.all.add(lsn);
        noteValue(records[i], lsn);
        component.insert(records[i], lsn, retention, points, i);
        of.applied = of.all.size() - 1;
      }
      published.set(lastLsn + 1);
    } finally {
      latch.unlock();
    }
  }

  /** Writes a key, as a transaction does that will be rolled back. */
  long writeToUndo(byte[] key) {
    long record = prepare(key);
    latch.lock();
    try {
      require(component.reserve(1), "memory for nodes");
      long lsn = ++lastLsn;
      noteValue(record, lsn);
      States of = states(key);
      of.all.add(lsn);
      component.insert(record, lsn, retention);
      of.applied = of.all.size() - 1;
      return lsn;
    } finally {
      latch.unlock();
    }
  }

  /** Takes the newest version of a key away, which came after the one before. */
  void undo(byte[] key, long lsn) {
    long address = Mem.allocate(key.length, 8);
    Mem.copyIn(key, 0, address, key.length);
    latch.lock();
    try {
      States of = states(key);
      of.all.add(of.all.get(of.all.indexOf(lsn) - 1));
      require(component.undo(address, key.length, lsn), "the version to undo");
      of.applied = of.all.size() - 1;
    } finally {
      latch.unlock();
      Mem.free(address);
    }
  }

  /** A record whose value is another one than all before. */
  private long prepare(byte[] key) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, ++lastValue);
    long record = component.prepare(EntryKind.PUT, key, value);
    require(record > 0, "memory for a record");
    return record;
  }

  private void noteValue(long record, long lsn) {
    values.put(lsn, Fixture.value(record)[0]);
  }

  /** Checks that a record that a reader has found has the value of its LSN. */
  void requireValue(long lsn, byte[] value) {
    byte[] expected = new byte[VALUE_BYTES];
    Arrays.fill(expected, values.get(lsn));
    require(Arrays.equals(value, expected), "a value of another version at LSN " + lsn);
  }

  static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  @Override
  public void close() {
    component.release();
    pool.close();
  }
}
