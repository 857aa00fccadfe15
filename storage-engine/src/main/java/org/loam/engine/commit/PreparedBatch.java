package org.loam.engine.commit;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.EntryKind;
import org.loam.log.format.BatchEncoder;
import org.loam.log.format.BatchPayload;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.InsertionPoints;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.VersionRetention;

/**
 * The writes of a batch on their way through the commit: first only the caller's arrays, then also
 * records in the active components of their trees. Keys and values are not copied before that, and
 * have been checked. Of two writes to one key the later one counts. May be used again after {@link
 * #clear}; not thread-safe.
 */
public final class PreparedBatch {
  /** The place of a batch that does not wait for memory. */
  static final long NO_PLACE = 0;

  private static final byte[] NO_VALUE = new byte[0];

  private LsmTree[] trees;
  private byte[] kinds;
  private byte[][] keys;
  private byte[][] values;
  private long[] records;
  private MemoryComponent[] components;
  private int size;
  private long payloadBytes;
  private long memoryBytes;
  private long endLsn;
  private long place = NO_PLACE;

  /** An empty batch with room for so many writes; more are possible, too. */
  public PreparedBatch(int capacity) {
    trees = new LsmTree[capacity];
    kinds = new byte[capacity];
    keys = new byte[capacity][];
    values = new byte[capacity][];
    records = new long[capacity];
    components = new MemoryComponent[capacity];
  }

  /** Adds a write. */
  public void put(LsmTree tree, byte[] key, byte[] value) {
    add(tree, EntryKind.PUT, key, value);
  }

  /** Adds a deletion; the key need not exist. */
  public void delete(LsmTree tree, byte[] key) {
    add(tree, EntryKind.ANTI_MATTER, key, NO_VALUE);
  }

  /**
   * Adds a write or a deletion.
   *
   * @param value null to delete
   */
  public void write(LsmTree tree, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      delete(tree, key);
    } else {
      put(tree, key, value);
    }
  }

  /** Writes and deletions so far. */
  public int size() {
    return size;
  }

  /** Forgets them. */
  public void clear() {
    Arrays.fill(keys, 0, size, null);
    Arrays.fill(values, 0, size, null);
    Arrays.fill(trees, 0, size, null);
    Arrays.fill(components, 0, size, null);
    size = 0;
    payloadBytes = 0;
    memoryBytes = 0;
    endLsn = 0;
  }

  private void add(LsmTree tree, byte kind, byte[] key, byte[] value) {
    if (size == trees.length) {
      grow();
    }
    trees[size] = tree;
    kinds[size] = kind;
    keys[size] = key;
    values[size] = value;
    records[size] = 0;
    size++;
    payloadBytes += BatchPayload.operationBytes(tree.treeId(), key.length, value.length);
    memoryBytes += key.length + value.length;
  }

  private void grow() {
    int capacity = 2 * size;
    trees = Arrays.copyOf(trees, capacity);
    kinds = Arrays.copyOf(kinds, capacity);
    keys = Arrays.copyOf(keys, capacity);
    values = Arrays.copyOf(values, capacity);
    records = Arrays.copyOf(records, capacity);
    components = Arrays.copyOf(components, capacity);
  }

  // ---- For the commit.

  /** Exclusive end of the frame that has the batch; 0 if it is not written, or empty. */
  long endLsn() {
    return endLsn;
  }

  /** The batch shows, and its frame ends at an LSN. Under the commit latch. */
  void written(long frameEndLsn) {
    endLsn = frameEndLsn;
  }

  /** In the {@link BatchRoom.PageQueue}. */
  long place() {
    return place;
  }

  void place(long changed) {
    place = changed;
  }

  /** Gives back the memory of records that no reader has been shown. */
  void abandon() {
    // The last one first: what was taken last can be taken again.
    for (int i = size - 1; i >= 0; i--) {
      if (records[i] != 0) {
        components[i].giveBack(records[i], keys[i].length, values[i].length);
        records[i] = 0;
      }
    }
  }

  public long payloadBytes() {
    return payloadBytes;
  }

  long dataBytes() {
    return memoryBytes;
  }

  /** The part of {@link #dataBytes} that goes to a tree. */
  long dataBytes(LsmTree tree) {
    long bytes = 0;
    for (int i = 0; i < size; i++) {
      bytes += trees[i] == tree ? keys[i].length + values[i].length : 0;
    }
    return bytes;
  }

  /** What the largest write takes of {@link #payloadBytes}. */
  long largestPayloadBytes() {
    long largest = 0;
    for (int i = 0; i < size; i++) {
      largest =
          Math.max(
              largest,
              BatchPayload.operationBytes(trees[i].treeId(), keys[i].length, values[i].length));
    }
    return largest;
  }

  /** How often a write is to another tree than the one before it: at least {@link #treeCount}. */
  int treeChanges() {
    int changes = 0;
    for (int i = 0; i < size; i++) {
      changes += changesTree(i) ? 1 : 0;
    }
    return changes;
  }

  /** Whether a write is the first, or to another tree than the one before it. */
  boolean changesTree(int i) {
    return i == 0 || trees[i] != trees[i - 1];
  }

  /** Whether a write is the first, or in another component than the one before it. */
  boolean changesComponent(int i) {
    return i == 0 || components[i] != components[i - 1];
  }

  /** The trees that it writes to, in the order of their first writes. */
  Set<LsmTree> trees() {
    Set<LsmTree> distinct = new LinkedHashSet<>();
    for (int i = 0; i < size; i++) {
      if (changesTree(i)) {
        distinct.add(trees[i]);
      }
    }
    return distinct;
  }

  /** Whether the gates of all its trees are open. */
  boolean meetsOpenGates() {
    for (int i = 0; i < size; i++) {
      if (changesTree(i) && !trees[i].gate().isOpen()) {
        return false;
      }
    }
    return true;
  }

  /** How many trees it writes to. */
  int treeCount() {
    return trees().size();
  }

  /** The component that has a record that was prepared. */
  MemoryComponent component(int i) {
    return components[i];
  }

  public LsmTree tree(int i) {
    return trees[i];
  }

  /** Address of a record that was prepared. */
  long record(int i) {
    return records[i];
  }

  /** Refuses writes to a tree that was dropped or is being loaded. */
  void requireWritable() {
    for (int i = 0; i < size; i++) {
      if (changesTree(i)) {
        trees[i].requireWritable();
      }
    }
  }

  void encode(BatchEncoder encoder) {
    for (int i = 0; i < size; i++) {
      encoder.add(tree(i).treeId(), kinds[i], keys[i], values[i]);
    }
  }

  /**
   * Copies all records into the active components and looks for their places; false if write memory
   * is used up. What an earlier attempt has copied is not copied again.
   *
   * @throws org.loam.common.error.ClosedException if a tree was dropped
   * @throws IllegalStateException if a tree is being loaded
   */
  boolean prepare(InsertionPoints points) {
    for (int i = 0; i < size; i++) {
      MemoryComponent component = tree(i).active(keys[i]);
      // After the component: a dropped tree has an empty one, which is never released.
      trees[i].requireWritable();
      if (components[i] != component || records[i] == 0) {
        components[i] = component;
        records[i] = 0; // if this fails, the batch has no record of another component
        records[i] = component.prepare(kinds[i], keys[i], values[i]);
        if (records[i] == 0) {
          return false;
        }
      }
    }
    points.find(components, records, size);
    return true;
  }

  /** Tells of the key and the tree of each write. */
  void tell(ObjIntConsumer<byte[]> observer) {
    for (int i = 0; i < size; i++) {
      observer.accept(keys[i], trees[i].treeId());
    }
  }

  /** Whether the records are in components that are still active. Under the commit latch. */
  boolean isPrepared() {
    for (int i = 0; i < size; i++) {
      if (components[i].isFrozen()) {
        return false;
      }
    }
    return true;
  }

  /** Makes sure that inserting cannot fail. Under the commit latch. */
  boolean reserve() {
    if (size == 1) {
      return components[0].reserve(1);
    }
    for (int i = 0; i < size; i++) {
      components[i].plan();
    }
    boolean isReserved = true;
    for (int i = 0; i < size; i++) {
      isReserved &= components[i].reservePlanned();
    }
    return isReserved;
  }

  /** Shows the records. Under the commit latch. */
  void insert(long lsn, VersionRetention retention, InsertionPoints points) {
    for (int i = 0; i < size; i++) {
      long record = records[i];
      // Readers have it now: if the batch is written once more, or given up, it is not its own.
      records[i] = 0;
      components[i].insert(record, lsn, retention, points, i);
      trees[i].noteWritten((long) keys[i].length + values[i].length);
    }
  }
}
