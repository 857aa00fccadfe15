package org.loam.lsm.memory;

/**
 * Where the records of a batch belong in their components, found before the commit latch is taken:
 * under it only those are searched again whose leaf has changed meanwhile.
 *
 * <p>A batch's records belong to unrelated leaves of several trees, most of them far from the
 * processor. So a group is searched side by side: what all of them need next is loaded together,
 * and memory is waited for once instead of for each record.
 *
 * <p>One thread at a time, in one memory epoch from the search to the last insert.
 */
public final class InsertionPoints {
  /** Records behind these are searched when they are inserted. */
  static final int CAPACITY = 1024;

  /** Records searched side by side; an update that moves a record in two indexes has five. */
  private static final int GROUP = 8;

  /** No leaf: the search met a change, or the key lacks the prefix that all others share. */
  static final long UNKNOWN = 0;

  private final long[] leaves = new long[CAPACITY];
  private final long[] highs = new long[CAPACITY];
  private final long[] versions = new long[CAPACITY];
  private final int[] indexes = new int[CAPACITY];
  private int count;

  // Of one group.

  /** The parents of the leaves; 0 for a root. */
  private final long[] parents = new long[GROUP];

  private final long[] parentVersions = new long[GROUP];

  /** Records in the leaves whose keys have to be looked at; 0 for none. */
  private final long[] candidates = new long[GROUP];

  /** It is never read, but the compiler would leave out a load whose result goes nowhere. */
  @SuppressWarnings("UnusedVariable")
  private long loaded;

  /**
   * Searches for the first records of a batch.
   *
   * @param components which prepared the records
   */
  public void find(MemoryComponent[] components, long[] records, int batchSize) {
    count = Math.min(batchSize, CAPACITY);
    for (int from = 0; from < count; from += GROUP) {
      int size = Math.min(GROUP, count - from);
      for (int i = 0; i < size; i++) {
        leaves[from + i] = descend(i, components[from + i].tree(), records[from + i]);
      }
      for (int i = 0; i < size; i++) {
        if (leaves[from + i] != UNKNOWN) {
          loaded += Node.load(leaves[from + i]);
        }
      }
      for (int i = 0; i < size; i++) {
        candidates[i] = searchHeads(from + i, i, components[from + i].tree(), records[from + i]);
      }
      for (int i = 0; i < size; i++) {
        if (candidates[i] != 0) {
          loaded += MemoryRecord.load(candidates[i]);
        }
      }
      for (int i = 0; i < size; i++) {
        if (candidates[i] != 0) {
          searchKeys(from + i, records[from + i]);
        }
      }
    }
  }

  /** The leaf where a record belongs, which is not looked at yet; or {@link #UNKNOWN}. */
  private long descend(int i, RecordTree tree, long record) {
    long key = MemoryRecord.keyAddress(record);
    int keyLength = MemoryRecord.keyLength(record);
    long node = tree.rootFor(key, keyLength);
    parents[i] = 0;
    if (node == 0) {
      return UNKNOWN;
    }
    long version = Node.version(node);
    if ((version & 1) != 0 || tree.root() != node) {
      return UNKNOWN;
    }
    for (int level = Node.level(node); level > 0; level--) {
      int index = Node.searchInner(node, version, key, keyLength, false);
      if (index == Node.CHANGED) {
        return UNKNOWN;
      }
      parents[i] = node;
      parentVersions[i] = version;
      node = Node.ref(node, index);
      if (!Node.isUnchanged(parents[i], version)) {
        return UNKNOWN;
      }
      if (level > 1) {
        version = Node.version(node);
        if ((version & 1) != 0 || !Node.isUnchanged(parents[i], parentVersions[i])) {
          return UNKNOWN;
        }
      }
    }
    return node;
  }

  /**
   * Searches a leaf as far as heads tell. It has its own version only now, after the descent; so
   * what led to it is validated after that version is taken: the parent, or for a root leaf that it
   * still is the root. A leaf that was split in between has the version and the high bound of its
   * left half.
   *
   * @param at of the record in the batch
   * @param i of the record in the group
   * @return the record whose key decides, or 0
   */
  private long searchHeads(int at, int i, RecordTree tree, long record) {
    long leaf = leaves[at];
    if (leaf == UNKNOWN) {
      return 0;
    }
    long version = Node.version(leaf);
    boolean isReachable =
        parents[i] == 0 ? tree.root() == leaf : Node.isUnchanged(parents[i], parentVersions[i]);
    boolean isLeafOfKey = (version & 1) == 0 && isReachable;
    long high = Node.high(leaf);
    int index =
        Node.firstCandidate(leaf, MemoryRecord.keyAddress(record), MemoryRecord.keyLength(record));
    long candidate = index < 0 ? 0 : Node.ref(leaf, index);
    if (!isLeafOfKey || !Node.isUnchanged(leaf, version)) {
      leaves[at] = UNKNOWN;
      return 0;
    }
    highs[at] = high;
    versions[at] = version;
    indexes[at] = index;
    return candidate;
  }

  private void searchKeys(int at, long record) {
    long key = MemoryRecord.keyAddress(record);
    int keyLength = MemoryRecord.keyLength(record);
    indexes[at] = Node.searchKeys(leaves[at], versions[at], indexes[at], key, keyLength);
    if (indexes[at] == Node.CHANGED) {
      leaves[at] = UNKNOWN;
    }
  }

  // ---- Under the latch.

  /**
   * The leaf where a record belongs, or {@link #UNKNOWN}.
   *
   * @param at of the record in the batch
   */
  long leaf(int at) {
    // A leaf keeps its keys until it is split, and that moves its high bound.
    boolean isKnown = at < count && leaves[at] != UNKNOWN && Node.high(leaves[at]) == highs[at];
    return isKnown ? leaves[at] : UNKNOWN;
  }

  /** What {@link Node#searchLeaf} finds for a record in the leaf that is known. */
  int index(int at, long record) {
    long version = Node.version(leaves[at]);
    if (version == versions[at]) {
      return indexes[at];
    }
    long key = MemoryRecord.keyAddress(record);
    return Node.searchLeaf(leaves[at], version, key, MemoryRecord.keyLength(record));
  }
}
