package org.loam.lsm.memory;

import org.loam.common.mem.Mem;

/**
 * The one writer of a {@link RecordTree}. It descends without validation, since no other thread
 * changes nodes. It locks the nodes that it changes against readers.
 */
final class TreeWriter {
  /** Enough for 41^12 leaves. */
  static final int MAX_HEIGHT = 12;

  /** Versions of a batch below which is looked when the next one comes. */
  private static final int MAX_SHOWN = 16;

  /** Heads move behind a longer prefix when that frees so many of their bytes. */
  private static final int WORTHWHILE_PREFIX_GAIN_BYTES = 2;

  private final RecordTree tree;
  private final NodeArena nodes;
  private final RecordArena records;
  private final NodeBudget budget = new NodeBudget(MAX_HEIGHT);

  /** The path of the last descent, from the leaf up, and the entry taken in each inner node. */
  private final long[] path = new long[MAX_HEIGHT];

  private final int[] pathIndex = new int[MAX_HEIGHT];

  /** Where the last new key went, to recognise runs of ascending or descending keys. */
  private long lastLeaf;

  private int lastIndex;

  /** The newest versions of their keys that were inserted last, with one LSN. */
  private final long[] shown = new long[MAX_SHOWN];

  private int shownCount;

  TreeWriter(RecordTree tree, NodeArena nodes, RecordArena records) {
    this.tree = tree;
    this.nodes = nodes;
    this.records = records;
  }

  boolean reserve(int operations) {
    return nodes.reserve(budget.worstCase(operations));
  }

  /**
   * Inserts a record whose LSN is set.
   *
   * @return whether its key is new
   */
  boolean insert(long record, VersionRetention retention) {
    long key = MemoryRecord.keyAddress(record);
    int keyLength = MemoryRecord.keyLength(record);
    if (tree.root() == 0) {
      plantRoot(record, keyLength);
      return true;
    }
    shortenCommonPrefix(key, keyLength);
    long leaf = descend(key, keyLength);
    int index = Node.searchLeaf(leaf, Mem.getLong(leaf), key, keyLength);
    return insertAt(leaf, index, record, retention);
  }

  /** Inserts the record of a batch at the place that was found for it, if there is one. */
  boolean insert(long record, VersionRetention retention, InsertionPoints points, int at) {
    long leaf = points.leaf(at);
    if (leaf == InsertionPoints.UNKNOWN) {
      return insert(record, retention);
    }
    int index = points.index(at, record);
    if (index < 0 && Node.count(leaf) == Node.CAPACITY) {
      // A split changes the nodes above, too.
      return insert(record, retention);
    }
    return insertAt(leaf, index, record, retention);
  }

  private boolean insertAt(long leaf, int index, long record, VersionRetention retention) {
    unlinkBelowShown(MemoryRecord.lsn(record), retention);
    if (index < 0) {
      add(leaf, -1 - index, record);
      return true;
    }
    long newest = Node.ref(leaf, index);
    if (MemoryRecord.lsn(newest) > MemoryRecord.lsn(record)) {
      throw new AssertionError(
          "LSN " + MemoryRecord.lsn(record) + " after " + MemoryRecord.lsn(newest) + " of one key");
    }
    if (MemoryRecord.isWarm(newest)) {
      MemoryRecord.markWarm(record);
    }
    boolean replaces = VersionChain.push(record, newest, retention);
    Node.setRef(leaf, index, record);
    if (retention != VersionRetention.ALL) {
      unlinkBelow(record, newest, replaces, retention);
    }
    return false;
  }

  private void unlinkBelow(long record, long newest, boolean replaces, VersionRetention retention) {
    if (replaces) {
      shownCount = 0;
      records.addSuperseded(MemoryRecord.sizeBytes(newest));
      records.recycle(newest);
    }
    VersionChain.unlink(record, retention, records);
    if (shownCount < MAX_SHOWN) {
      shown[shownCount++] = record;
    }
  }

  /**
   * Unlinks what lies below the versions of the batch before this one. That was needed until they
   * were published. They are the newest ones of their keys until the next insert.
   */
  private void unlinkBelowShown(long lsn, VersionRetention retention) {
    if (shownCount > 0 && MemoryRecord.lsn(shown[0]) != lsn) {
      for (int i = 0; i < shownCount; i++) {
        VersionChain.unlinkNext(shown[i], retention, records);
      }
      shownCount = 0;
    }
  }

  /**
   * Takes the newest version of a key away if it has the LSN.
   *
   * @return that version, or 0 if the key is absent or has another newest version
   */
  long undo(long key, int keyLength, long lsn) {
    shownCount = 0;
    if (tree.find(key, keyLength, Long.MAX_VALUE) == MemoryComponent.ABSENT) {
      return 0;
    }
    long leaf = descend(key, keyLength);
    int index = Node.searchLeaf(leaf, Mem.getLong(leaf), key, keyLength);
    long version = Node.ref(leaf, index);
    if (MemoryRecord.lsn(version) != lsn) {
      return 0;
    }
    long below = VersionChain.below(version);
    if (below != 0) {
      Node.setRef(leaf, index, below);
    } else {
      Node.lock(leaf);
      Node.remove(leaf, index);
      Node.unlock(leaf);
      // Removals do not count as the inserts that made a leaf full.
      lastLeaf = 0;
    }
    return version;
  }

  private void plantRoot(long record, int keyLength) {
    long root = nodes.take();
    MemoryRecord.markBound(record);
    Node.initialise(root, 0, keyLength, 0, 0);
    Node.insert(root, 0, Node.headOf(record, keyLength), record);
    budget.nodeAdded(0);
    tree.setCommonPrefix(record, keyLength);
    tree.setRoot(root);
  }

  private long descend(long key, int keyLength) {
    long node = tree.root();
    int level = Node.level(node);
    path[level] = node;
    while (level > 0) {
      int index = Node.searchInner(node, Mem.getLong(node), key, keyLength, false);
      pathIndex[level] = index;
      node = Node.ref(node, index);
      level--;
      path[level] = node;
    }
    return node;
  }

  /**
   * Makes room for a key that does not share the prefix of all others: nodes without a low or a
   * high bound rely on that prefix. They change before the prefix does, so that no reader combines
   * a key that passed the shorter prefix with heads behind the longer one.
   */
  private void shortenCommonPrefix(long key, int keyLength) {
    int bytes = tree.commonPrefixBytes();
    long record = tree.commonPrefixRecord();
    int common = Mem.mismatch(MemoryRecord.keyAddress(record), key, Math.min(bytes, keyLength));
    if (common == bytes) {
      return;
    }
    for (int side = 0; side < 2; side++) {
      long node = tree.root();
      while (true) {
        if (Node.prefixBytes(node) > common) {
          Node.lock(node);
          moveHeads(node, common);
          Node.unlock(node);
        }
        if (Node.level(node) == 0) {
          break;
        }
        node = Node.ref(node, side == 0 ? 0 : Node.count(node) - 1);
      }
    }
    tree.setCommonPrefix(record, common);
  }

  private void add(long leaf, int index, long record) {
    if (Node.count(leaf) < Node.CAPACITY) {
      Node.lock(leaf);
      Node.insert(leaf, index, Node.headOf(record, Node.prefixBytes(leaf)), record);
      Node.unlock(leaf);
      lastLeaf = leaf;
      lastIndex = index;
    } else {
      addWithSplits(index, record);
    }
  }

  private void addWithSplits(int leafIndex, long record) {
    boolean ascending =
        path[0] == lastLeaf && leafIndex == Node.CAPACITY && lastIndex == leafIndex - 1;
    boolean descending = path[0] == lastLeaf && leafIndex == 0 && lastIndex == 0;
    int rootLevel = Node.level(tree.root());
    int top = 0;
    while (top < rootLevel && Node.count(path[top]) == Node.CAPACITY) {
      top++;
    }
    for (int level = 0; level <= top; level++) {
      Node.lock(path[level]);
    }
    int index = leafIndex;
    long ref = record;
    long keyRecord = record;
    for (int level = 0; level <= top; level++) {
      long node = path[level];
      if (Node.count(node) < Node.CAPACITY) {
        Node.insert(node, index, Node.headOf(keyRecord, Node.prefixBytes(node)), ref);
        break;
      }
      int at = splitPoint(node, index, ascending, descending);
      long right = split(node, at, index, keyRecord, ref);
      if (level == 0) {
        boolean wentRight = index > at || at == Node.CAPACITY;
        lastLeaf = wentRight ? right : node;
        lastIndex = wentRight ? index - at : index;
      }
      if (level == rootLevel) {
        growRoot(node, right);
      } else {
        index = pathIndex[level + 1] + 1;
      }
      ref = right;
      keyRecord = Node.low(right);
    }
    for (int level = 0; level <= top; level++) {
      Node.unlock(path[level]);
    }
  }

  /**
   * How many entries stay in the left node. Half, but runs of ascending or descending keys leave
   * full nodes behind: in inner nodes only at the tree's edges, which keeps {@link NodeBudget}
   * right.
   */
  private static int splitPoint(long node, int index, boolean ascending, boolean descending) {
    boolean leaf = Node.level(node) == 0;
    if (ascending && index == Node.CAPACITY && (leaf || Node.high(node) == 0)) {
      return Node.CAPACITY;
    }
    int first = leaf ? 0 : 1;
    if (descending && index == first && (leaf || Node.low(node) == 0)) {
      return first;
    }
    return Node.CAPACITY / 2;
  }

  /**
   * Splits a full, locked node and inserts an entry into the half where it belongs.
   *
   * @param at entries that stay
   * @return the right node, its low bound set
   */
  private long split(long node, int at, int index, long keyRecord, long ref) {
    boolean toRight = index > at || at == Node.CAPACITY;
    long bound = at == Node.CAPACITY ? keyRecord : Node.keyRecord(node, at);
    MemoryRecord.markBound(bound);
    long high = Node.high(node);
    int level = Node.level(node);
    int prefixBytes = Node.prefixBytes(node);
    long right = nodes.take();
    budget.nodeAdded(level);
    Node.initialise(right, level, prefixBytes, bound, high);
    Node.moveEnd(node, at, right);
    Node.setHigh(node, bound);
    long half = toRight ? right : node;
    int head = Node.headOf(keyRecord, prefixBytes);
    Node.insert(half, toRight ? index - at : index, head, ref);
    lengthenPrefix(node);
    lengthenPrefix(right);
    return right;
  }

  private void growRoot(long left, long right) {
    int level = Node.level(left) + 1;
    if (level == MAX_HEIGHT) {
      throw new AssertionError("tree of height " + MAX_HEIGHT);
    }
    long root = nodes.take();
    budget.nodeAdded(level);
    Node.initialise(root, level, 0, 0, 0);
    Node.insert(root, 0, Node.NO_HEAD, left);
    Node.insert(root, 1, Node.headOf(Node.low(right), 0), right);
    lengthenPrefix(root);
    tree.setRoot(root);
  }

  /** Lets the heads of a node begin behind what its keys have in common, where that pays. */
  private void lengthenPrefix(long node) {
    long low = Node.low(node);
    long high = Node.high(node);
    int common =
        low == 0 || high == 0
            ? tree.commonPrefixBytes()
            : Mem.mismatch(
                MemoryRecord.keyAddress(low),
                MemoryRecord.keyAddress(high),
                Math.min(MemoryRecord.keyLength(low), MemoryRecord.keyLength(high)));
    int gain = common - Node.prefixBytes(node);
    if (gain >= WORTHWHILE_PREFIX_GAIN_BYTES || (gain > 0 && Node.hasEqualHeads(node))) {
      moveHeads(node, common);
    }
  }

  private static void moveHeads(long node, int prefixBytes) {
    int count = Node.count(node);
    for (int i = Node.level(node) == 0 ? 0 : 1; i < count; i++) {
      Node.setHead(node, i, Node.headOf(Node.keyRecord(node, i), prefixBytes));
    }
    Node.setPrefixBytes(node, prefixBytes);
  }
}
