package org.loam.lsm.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.loam.common.env.Waiter;
import org.loam.common.mem.Mem;

/**
 * The tree as its readers see it: optimistic descents by any number of threads, beside the one
 * writer, {@link TreeWriter}.
 *
 * <p>A reader validates the parent before it follows a reference and again after it took the
 * child's version, so that no split passes unseen; the writer locks all nodes of a split before it
 * changes the first. On a change the descent starts again.
 */
final class RecordTree {
  /** Which leaf a descent looks for. */
  enum Target {
    /** The leftmost. */
    FIRST,
    /** The rightmost. */
    LAST,
    /** The one that may have the key. */
    AT,
    /** The last that may have a smaller key. */
    BEFORE
  }

  private static final int PREFIX_SHIFT = MemoryRecord.ADDRESS_BITS;
  private static final long ADDRESS_MASK = (1L << PREFIX_SHIFT) - 1;

  private final Waiter waiter;

  /** 0 while nothing was ever inserted. */
  private volatile long root;

  /**
   * A record's address and, from bit 48, how many bytes all keys of the tree share with its key.
   * Only ever shrinks. It bounds the keys where a node has no low or no high.
   */
  private volatile long commonPrefix;

  RecordTree(Waiter waiter) {
    this.waiter = waiter;
  }

  long root() {
    return root;
  }

  void setRoot(long node) {
    root = node;
  }

  int commonPrefixBytes() {
    return (int) (commonPrefix >>> PREFIX_SHIFT);
  }

  long commonPrefixRecord() {
    return commonPrefix & ADDRESS_MASK;
  }

  void setCommonPrefix(long record, int bytes) {
    commonPrefix = record | ((long) bytes << PREFIX_SHIFT);
  }

  /**
   * Compares a key with all keys of the tree at once.
   *
   * @param prefix the common prefix; while the tree keeps it, so does it keep an order other than 0
   * @return 0 if it shares their common prefix; negative if it is below them all, positive if above
   */
  private static int orderAgainstAll(long key, int keyLength, long prefix) {
    int bytes = (int) (prefix >>> PREFIX_SHIFT);
    long record = prefix & ADDRESS_MASK;
    int order =
        Mem.compare(key, Math.min(keyLength, bytes), MemoryRecord.keyAddress(record), bytes);
    return order;
  }

  /** The root if a key has the common prefix; 0 if not, or if nothing was ever inserted. */
  long rootFor(long key, int keyLength) {
    long node = root;
    return node == 0 || orderAgainstAll(key, keyLength, commonPrefix) != 0 ? 0 : node;
  }

  /** See {@link MemoryComponent#find}. */
  long find(long key, int keyLength, long readLsn) {
    while (true) {
      long node = rootFor(key, keyLength);
      if (node == 0) {
        return MemoryComponent.ABSENT;
      }
      long result = tryFind(node, key, keyLength, readLsn);
      if (result != RETRY) {
        return result;
      }
      waiter.spin();
    }
  }

  private static final long RETRY = Long.MIN_VALUE;

  private long tryFind(long root, long key, int keyLength, long readLsn) {
    long node = root;
    long version = Node.version(node);
    if ((version & 1) != 0 || this.root != node) {
      return RETRY;
    }
    while (Node.level(node) > 0) {
      int index = Node.searchInner(node, version, key, keyLength, false);
      if (index == Node.CHANGED) {
        return RETRY;
      }
      long child = Node.ref(node, index);
      if (!Node.isUnchanged(node, version)) {
        return RETRY;
      }
      long childVersion = Node.version(child);
      if ((childVersion & 1) != 0 || !Node.isUnchanged(node, version)) {
        return RETRY;
      }
      node = child;
      version = childVersion;
    }
    int index = Node.searchLeaf(node, version, key, keyLength);
    if (index == Node.CHANGED) {
      return RETRY;
    }
    long record = index < 0 ? 0 : Node.ref(node, index);
    if (!Node.isUnchanged(node, version)) {
      return RETRY;
    }
    return index < 0 ? MemoryComponent.ABSENT : VersionChain.find(record, readLsn);
  }

  /**
   * Copies a leaf as it was at one moment.
   *
   * @param key used by {@link Target#AT} and {@link Target#BEFORE}
   * @return false if nothing was ever inserted
   */
  boolean copyLeaf(Target target, long key, int keyLength, LeafCopy copy) {
    while (true) {
      long node = root;
      if (node == 0) {
        return false;
      }
      Target actual = target;
      long prefix = commonPrefix;
      int order = 0;
      if (target == Target.AT || target == Target.BEFORE) {
        order = orderAgainstAll(key, keyLength, prefix);
        if (order != 0) {
          actual = order < 0 ? Target.FIRST : Target.LAST;
        }
      }
      // A shorter prefix may have let keys in on the other side of this one.
      if (tryCopyLeaf(node, actual, key, keyLength, copy)
          && (order == 0 || commonPrefix == prefix)) {
        if (order != 0) {
          copy.setPosition(order < 0 ? 0 : copy.count());
        }
        return true;
      }
      waiter.spin();
    }
  }

  private boolean tryCopyLeaf(long root, Target target, long key, int keyLength, LeafCopy copy) {
    long node = root;
    long version = Node.version(node);
    if ((version & 1) != 0 || this.root != node) {
      return false;
    }
    while (Node.level(node) > 0) {
      int index = childIndex(node, version, target, key, keyLength);
      if (index == Node.CHANGED) {
        return false;
      }
      long child = Node.ref(node, index);
      if (!Node.isUnchanged(node, version)) {
        return false;
      }
      long childVersion = Node.version(child);
      if ((childVersion & 1) != 0 || !Node.isUnchanged(node, version)) {
        return false;
      }
      node = child;
      version = childVersion;
    }
    int position = 0;
    if (target == Target.AT || target == Target.BEFORE) {
      position = Node.searchLeaf(node, version, key, keyLength);
      if (position == Node.CHANGED) {
        return false;
      }
      position = position < 0 ? -1 - position : position;
    }
    copy.take(node, position);
    return Node.isUnchanged(node, version);
  }

  /** See {@link MemoryComponent#divide}. */
  List<byte[]> divide(int pieces) {
    long[] separators = separators();
    int wanted = Math.min(pieces - 1, separators.length);
    List<byte[]> keys = new ArrayList<>(Math.max(0, wanted));
    for (int i = 1; i <= wanted; i++) {
      int at = (int) ((long) i * (separators.length + 1) / (wanted + 1)) - 1;
      keys.add(MemoryRecord.copyKey(separators[at]));
    }
    return keys;
  }

  /**
   * Records whose keys divide the tree about evenly: the entries of the root and of its children
   * begin at them, and the first record is left out. The writer alone may ask.
   *
   * @return ascending; none if there are less than two keys
   */
  private long[] separators() {
    LongStream.Builder records = LongStream.builder();
    long top = root;
    if (top != 0) {
      addSeparators(top, Node.level(top) > 0, records);
    }
    return records.build().toArray();
  }

  private static void addSeparators(long node, boolean withChildren, LongStream.Builder records) {
    for (int i = 0; i < Node.count(node); i++) {
      if (i > 0) {
        records.add(Node.keyRecord(node, i));
      }
      if (withChildren) {
        addSeparators(Node.ref(node, i), false, records);
      }
    }
  }

  private static int childIndex(long node, long version, Target target, long key, int keyLength) {
    return switch (target) {
      case FIRST -> 0;
      case LAST -> Math.max(0, Node.count(node) - 1);
      case AT -> Node.searchInner(node, version, key, keyLength, false);
      case BEFORE -> Node.searchInner(node, version, key, keyLength, true);
    };
  }
}
