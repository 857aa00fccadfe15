package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keys at which every flush and merge of a tree ends one SSTable and begins the next, whatever its
 * size. A component that a flush wrote in one piece over all keys has to be merged with all of L0
 * and L1; in pieces that end at the same keys everywhere, merges are short, and those of different
 * ranges run beside each other. The idea of guards is PebblesDB's (Raju et al., SOSP 2017, §3.2);
 * unlike there, the components of a level never overlap.
 *
 * <p>The last level gives the keys: they divide its bytes into equal parts. They stay as they are
 * until a part has grown to twice its share, since pieces cut at other keys than those before
 * overlap two of them. While the last level has too little for that, a large flush gives keys that
 * divide it: in a first load, merges would take all that is there. Nothing but speed depends on
 * guards, so they are not stored. Immutable.
 */
public final class Guards {
  /** No keys. */
  public static final Guards NONE = new Guards(List.of(), false);

  /** More would make flushes many small files, and merges no shorter than they need to be. */
  private static final int MAX_PARTS = 16;

  private final List<byte[]> keys;

  /** Whether they divide a flush. */
  private final boolean isOfFlush;

  /**
   * How fine guards are.
   *
   * @param tableBytes what a part of the last level holds at least: an SSTable
   * @param minPieceBytes what a part of a flushed component should hold at least, and a part of the
   *     last level if flushes come in ranges
   */
  public record Fineness(long tableBytes, long minPieceBytes) {
    /**
     * What a part of a flush should hold at least that gives a tree its first guards. Merges of
     * flushes that are no larger than a few SSTables together are short without.
     */
    private long firstPieceBytes() {
      return Math.max(minPieceBytes, tableBytes / MAX_PARTS);
    }
  }

  private Guards(List<byte[]> keys, boolean isOfFlush) {
    this.keys = keys;
    this.isOfFlush = isOfFlush;
  }

  /** The keys in order; each is the first of its part. Shared, not to be changed. */
  public List<byte[]> keys() {
    return keys;
  }

  /** The keys that divide a range; none if it is null. */
  public List<byte[]> within(@Nullable KeyRange range) {
    return range == null
        ? List.of()
        : keys.stream()
            .filter(key -> Arrays.compareUnsigned(range.min(), key) < 0)
            .filter(key -> Arrays.compareUnsigned(key, range.max()) <= 0)
            .toList();
  }

  /**
   * The guards that a tree should have now: these, or better ones if its data outgrew them.
   *
   * @param bounds of the ranges into which its write memory is divided: flushes are in such pieces
   *     already, so that guards are at these keys if there are any, however small the last level is
   */
  public Guards fitted(TreeShape shape, Fineness fineness, List<byte[]> bounds) {
    List<Component> last = shape.level(Level.LAST);
    long lastBytes = Component.bytes(last);
    long partBytes = bounds.isEmpty() ? fineness.tableBytes() : fineness.minPieceBytes();
    long most = most(shape, fineness);
    long wanted = isOfFlush && bounds.isEmpty() ? keys.size() + 1 : 0;
    long parts = Math.min(most, Math.max(wanted, lastBytes / partBytes));
    if (parts <= 1) {
      return NONE;
    }
    if (!bounds.isEmpty()) {
      return new Guards(thinned(bounds, (int) parts), false);
    }
    // Of guards that divide a flush, the parts in the last level come one after the other.
    long shareBytes = Math.max(lastBytes / parts, fineness.tableBytes());
    boolean fits = keys.size() < 2 * parts && heaviestPartBytes(last) <= 2 * shareBytes;
    return fits ? this : of(last, shareBytes);
  }

  /**
   * These guards, or if there are none, keys that divide a flush.
   *
   * @param shape of the tree before the flush
   * @param flushBytes of one that holds keys from everywhere in the tree
   * @param divide says which keys divide it into so many pieces, or fewer, ascending
   */
  public Guards orOfFlush(
      TreeShape shape, long flushBytes, Fineness fineness, IntFunction<List<byte[]>> divide) {
    long pieces = Math.min(most(shape, fineness), flushBytes / fineness.firstPieceBytes());
    return pieces <= 1 || !keys.isEmpty()
        ? this
        : new Guards(List.copyOf(divide.apply((int) pieces)), true);
  }

  /** Parts of which each flush has a piece that is large enough. */
  private static long most(TreeShape shape, Fineness fineness) {
    return Math.min(MAX_PARTS, shape.memoryComponentBytes() / fineness.minPieceBytes());
  }

  /** Keys that are left out evenly, so that they divide into so many parts at most. */
  private static List<byte[]> thinned(List<byte[]> bounds, int parts) {
    List<byte[]> keys = new ArrayList<>();
    int ranges = bounds.size() + 1;
    for (int i = 1; i < Math.min(parts, ranges); i++) {
      keys.add(bounds.get(i * ranges / Math.min(parts, ranges) - 1));
    }
    return List.copyOf(keys);
  }

  private static Guards of(List<Component> sorted, long shareBytes) {
    List<byte[]> keys = new ArrayList<>();
    long bytes = 0;
    for (Component component : sorted) {
      if (bytes >= (keys.size() + 1) * shareBytes) {
        keys.add(component.range().min());
      }
      bytes += component.bytes();
    }
    return new Guards(List.copyOf(keys), false);
  }

  private long heaviestPartBytes(List<Component> sorted) {
    long heaviest = 0;
    long bytes = 0;
    int part = 0;
    for (Component component : sorted) {
      byte[] min = component.range().min();
      while (part < keys.size() && Arrays.compareUnsigned(keys.get(part), min) <= 0) {
        part++;
        bytes = 0;
      }
      bytes += component.bytes();
      heaviest = Math.max(heaviest, bytes);
    }
    return heaviest;
  }
}
