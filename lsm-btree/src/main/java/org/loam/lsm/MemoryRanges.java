package org.loam.lsm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.loam.lsm.memory.KeySpan;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRun;
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
   * Memory that takes no more writes and waits to be flushed as one: a component, or runs of a
   * partitioned one that overlap each other.
   *
   * @param runs newest first
   * @param keys their keys lie within
   * @param moment what is frozen later has a greater one, and is newer; what is frozen together has
   *     no key in common
   * @param endLsn end of the log when it was frozen: everything in it is below
   * @param cause why it was frozen
   */
  record Frozen(List<MemoryRun> runs, KeySpan keys, long moment, long endLsn, FlushCause cause) {
    /** In the order of their keys; an order only of those that have no key in common. */
    static final Comparator<Frozen> BY_KEY =
        (a, b) -> a.keys.isBelow(b.keys) ? -1 : b.keys.isBelow(a.keys) ? 1 : 0;

    /** Newest first; what was frozen together in the order of keys. */
    static final Comparator<Frozen> NEWEST_FIRST =
        Comparator.comparingLong(Frozen::moment).reversed();

    /** Whether it may have a key in common with another one. */
    boolean overlaps(Frozen other) {
      return keys.overlaps(other.keys);
    }

    long usedBytes() {
      return runs.stream().mapToLong(MemoryRun::bytes).sum();
    }

    /** The oldest write in it. */
    long minLsn() {
      return runs.stream().mapToLong(MemoryRun::minLsn).min().orElse(Long.MAX_VALUE);
    }

    /** Its components, newest first. */
    Stream<MemoryComponent> components() {
      return runs.stream().map(MemoryRun::component);
    }
  }

  private final RangeBounds bounds;
  private final Range[] ranges;

  private MemoryRanges(RangeBounds bounds, Range[] ranges) {
    this.bounds = bounds;
    this.ranges = ranges;
  }

  /** One range, and what is frozen in it. */
  private MemoryRanges(MemoryComponent active, List<Frozen> frozen) {
    this(RangeBounds.NONE, new Range[] {new Range(active, frozen)});
  }

  /** One range, with nothing frozen. */
  static MemoryRanges of(MemoryComponent active) {
    return new MemoryRanges(active, List.of());
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

  /** The active components with their ranges, in the order of keys. */
  List<MemoryRun> runs() {
    List<MemoryRun> runs = new ArrayList<>();
    for (int i = 0; i < ranges.length; i++) {
      runs.add(MemoryRun.of(ranges[i].active(), KeySpan.of(bounds, i)));
    }
    return runs;
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

  /** This one range with another active component. */
  MemoryRanges withActive(MemoryComponent next) {
    return new MemoryRanges(next, ranges[0].frozen());
  }

  /** This one range with runs frozen in it, which are newer than what is frozen. */
  MemoryRanges withFrozen(List<Frozen> more) {
    List<Frozen> all = new ArrayList<>(more);
    all.addAll(ranges[0].frozen());
    return new MemoryRanges(ranges[0].active(), List.copyOf(all));
  }

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
      Occasion occasion) {
    return new Freeze(chosen, sizes, components, occasion);
  }

  /**
   * When and why something is frozen.
   *
   * @param moment greater than those before
   * @param endLsn end of the log
   */
  record Occasion(long moment, long endLsn, FlushCause cause) {
    /** Memory that is frozen on this occasion. */
    Frozen freeze(List<MemoryRun> runs) {
      KeySpan keys = runs.stream().map(MemoryRun::keys).reduce(KeySpan::hull).orElseThrow();
      return new Frozen(List.copyOf(runs), keys, moment, endLsn, cause);
    }
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
        Occasion occasion) {
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
          MemoryRun run = MemoryRun.of(range.active(), KeySpan.of(bounds, i));
          Frozen one = occasion.freeze(List.of(run));
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
      long bytes = range.active().usedBytes();
      int pieces = sizes.pieces(bytes, treeBytes, count);
      List<byte[]> keys = pieces < 2 ? List.of() : range.active().divide(pieces);
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
      all.sort(Frozen.NEWEST_FIRST);
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
