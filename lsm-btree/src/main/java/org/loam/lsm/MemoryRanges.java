package org.loam.lsm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.RangeBounds;

/**
 * The write memory of a tree, divided by key into ranges. Each range has an active component of its
 * own, and is frozen by itself: so a flush takes the part of memory that it should, and gives back
 * just that (bLSM §4.2.2, MemoryWalls §4.1.3). Immutable; the components go on changing as their
 * own rules say.
 *
 * <p>A component belongs to its range for life. Ranges are divided and joined only when their
 * components are frozen or empty, so no entry ever moves.
 */
final class MemoryRanges {
  /**
   * One range.
   *
   * @param active takes its writes
   * @param frozen those in which its keys may be, newest first; each may be in other ranges, too
   */
  record Range(MemoryComponent active, List<Frozen> frozen) {
    private Range without(Set<Frozen> flushed) {
      return frozen.stream().noneMatch(flushed::contains)
          ? this
          : new Range(active, frozen.stream().filter(f -> !flushed.contains(f)).toList());
    }
  }

  /**
   * A memory component that takes no more writes and waits to be flushed.
   *
   * @param endLsn end of the log when it was frozen: everything in it is below. Components with the
   *     same end have no key in common
   * @param cause why it was frozen
   * @param bounds of the ranges when it was frozen
   * @param range its own one of them
   */
  record Frozen(
      MemoryComponent component, long endLsn, FlushCause cause, RangeBounds bounds, int range) {
    /** In the order of their ranges; an order only of those that have no key in common. */
    static final Comparator<Frozen> BY_KEY = (a, b) -> a.isBelow(b) ? -1 : b.isBelow(a) ? 1 : 0;

    /** Whether its range and that of another one have a key in common. */
    boolean overlaps(Frozen other) {
      return !isBelow(other) && !other.isBelow(this);
    }

    private boolean isBelow(Frozen other) {
      return range + 1 < bounds.ranges()
          && other.range > 0
          && Arrays.compareUnsigned(bounds.low(range + 1), other.bounds.low(other.range)) <= 0;
    }
  }

  private final RangeBounds bounds;
  private final Range[] ranges;

  private MemoryRanges(RangeBounds bounds, Range[] ranges) {
    this.bounds = bounds;
    this.ranges = ranges;
  }

  /** One range, with nothing frozen. */
  static MemoryRanges of(MemoryComponent active) {
    return new MemoryRanges(RangeBounds.NONE, new Range[] {new Range(active, List.of())});
  }

  // ---- Reading.

  RangeBounds bounds() {
    return bounds;
  }

  int count() {
    return ranges.length;
  }

  Range range(int i) {
    return ranges[i];
  }

  /** The range of a key. */
  Range of(long key, int keyLength) {
    return ranges[bounds.rangeOf(key, keyLength)];
  }

  /** The range of a key. */
  Range of(byte[] key) {
    return ranges[bounds.rangeOf(key)];
  }

  /** The active components, in the order of their keys. */
  List<MemoryComponent> actives() {
    return Arrays.stream(ranges).map(Range::active).toList();
  }

  /** The active components of the ranges in which nothing is frozen. */
  List<MemoryComponent> activesAlone() {
    return Arrays.stream(ranges).filter(r -> r.frozen().isEmpty()).map(Range::active).toList();
  }

  /** Memory of the active components. */
  long activeBytes() {
    long sum = 0;
    for (Range range : ranges) {
      sum += range.active().usedBytes();
    }
    return sum;
  }

  // ---- Changes. Under the commit latch.

  /** These ranges without components that were flushed. */
  MemoryRanges without(Set<Frozen> flushed) {
    Range[] next = new Range[ranges.length];
    for (int i = 0; i < next.length; i++) {
      next[i] = ranges[i].without(flushed);
    }
    return new MemoryRanges(bounds, next);
  }

  /**
   * Freezes active components.
   *
   * @param chosen those that are frozen, as far as they have entries; one without is replaced
   * @param sizes how ranges are divided and joined on this occasion
   */
  Freeze freeze(
      Set<MemoryComponent> chosen,
      RangeSizes sizes,
      Supplier<MemoryComponent> components,
      long endLsn,
      FlushCause cause) {
    return new Freeze(chosen, sizes, components, endLsn, cause);
  }

  /** What freezing makes of the ranges. */
  final class Freeze {
    private final RangeSizes sizes;
    private final Supplier<MemoryComponent> components;
    private final long treeBytes = activeBytes();
    private final List<Frozen> frozen = new ArrayList<>();
    private final List<Range> next = new ArrayList<>();
    private final List<byte[]> lows = new ArrayList<>();

    /** Whether the last range is empty, and may go together with the next one. */
    private boolean isOpen;

    private int count = ranges.length;

    private Freeze(
        Set<MemoryComponent> chosen,
        RangeSizes sizes,
        Supplier<MemoryComponent> components,
        long endLsn,
        FlushCause cause) {
      this.sizes = sizes;
      this.components = components;
      for (int i = 0; i < ranges.length; i++) {
        Range range = ranges[i];
        boolean isEmpty = range.active().maxLsn() < 0;
        if (!chosen.contains(range.active())) {
          add(i, range, isEmpty);
        } else if (isEmpty) {
          add(i, new Range(components.get(), range.frozen()), true);
        } else {
          Frozen one = new Frozen(range.active(), endLsn, cause, bounds, i);
          frozen.add(one);
          divide(i, one, range);
        }
      }
    }

    /** Puts as many empty ranges in the place of a frozen one as it should have been. */
    private void divide(int i, Frozen one, Range range) {
      List<Frozen> under = new ArrayList<>();
      under.add(one);
      under.addAll(range.frozen());
      List<Frozen> list = List.copyOf(under);
      long bytes = one.component().usedBytes();
      int pieces = sizes.pieces(bytes, treeBytes, count);
      List<byte[]> keys = pieces < 2 ? List.of() : one.component().divide(pieces);
      add(i, new Range(components.get(), list), sizes.isSmall(bytes, treeBytes));
      for (byte[] key : keys) {
        lows.add(key);
        next.add(new Range(components.get(), list));
        isOpen = false;
        count++;
      }
    }

    /**
     * Adds a range, or lets the one before it grow over it.
     *
     * @param mayJoin whether the range is empty, and no larger than it should be
     */
    private void add(int i, Range range, boolean mayJoin) {
      if (i > 0 && isOpen && mayJoin) {
        Range before = next.remove(next.size() - 1);
        next.add(new Range(before.active(), newestFirst(before.frozen(), range.frozen())));
        count--;
        return;
      }
      if (i > 0) {
        lows.add(bounds.low(i));
      }
      next.add(range);
      isOpen = mayJoin;
    }

    private static List<Frozen> newestFirst(List<Frozen> low, List<Frozen> high) {
      List<Frozen> all = new ArrayList<>(low);
      high.stream().filter(f -> !low.contains(f)).forEach(all::add);
      // Of those that were frozen together, which have no key in common, the lower one first.
      all.sort((a, b) -> Long.compare(b.endLsn(), a.endLsn()));
      return List.copyOf(all);
    }

    /** What was frozen, in the order of keys. */
    List<Frozen> frozen() {
      return frozen;
    }

    /** The ranges afterwards. */
    MemoryRanges ranges() {
      return new MemoryRanges(RangeBounds.of(lows), next.toArray(Range[]::new));
    }
  }
}
