package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
 * overlap two of them. Nothing but speed depends on guards, so they are not stored. Immutable.
 */
public final class Guards {
  /** No keys. */
  public static final Guards NONE = new Guards(List.of());

  /** More would make flushes many small files, and merges no shorter than they need to be. */
  private static final int MAX_PARTS = 16;

  private final List<byte[]> keys;

  /**
   * How fine guards are.
   *
   * @param tableBytes what a part of the last level holds at least: an SSTable
   * @param minPieceBytes what a part of a flushed component should hold at least, and a part of the
   *     last level if flushes come in ranges
   */
  public record Fineness(long tableBytes, long minPieceBytes) {}

  private Guards(List<byte[]> keys) {
    this.keys = keys;
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
    long parts =
        Math.min(
            Math.min(MAX_PARTS, lastBytes / partBytes),
            shape.memoryComponentBytes() / fineness.minPieceBytes());
    if (parts <= 1) {
      return NONE;
    }
    if (!bounds.isEmpty()) {
      return new Guards(thinned(bounds, (int) parts));
    }
    long shareBytes = lastBytes / parts;
    boolean fits = keys.size() < 2 * parts && heaviestPartBytes(last) <= 2 * shareBytes;
    return fits ? this : of(last, shareBytes);
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
    return new Guards(List.copyOf(keys));
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
