package org.loam.lsm.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which runs of a partitioned memory component are merged, and which are flushed (MemoryWalls
 * §4.1.1, §4.1.4). Pure functions of the runs and their sizes.
 */
public final class MemoryLeveling {
  private MemoryLeveling() {}

  /** A run as far as a choice depends on it. */
  public interface Run {
    /** Its keys. */
    KeySpan keys();

    /** Its memory. */
    long bytes();

    /** The oldest write in it. */
    long minLsn();

    /** Whether a part of it was merged into the level below, and the rest should follow. */
    boolean isBegun();

    /** Whether the nodes of its index are full. */
    boolean isFlat();
  }

  /** How runs are merged: in levels of {@link Sizes}, or as a {@link Pipeline}. */
  public sealed interface Merging permits Sizes, Pipeline {}

  /**
   * How large things should be.
   *
   * @param activeBytes what takes writes is to be merged from this size on
   * @param runBytes of a run in a level, about
   * @param ratio of the size of a level and the level above it
   */
  public record Sizes(long activeBytes, long runBytes, int ratio) implements Merging {
    /** Refuses sizes of nothing. */
    public Sizes {
      if (activeBytes < 1 || runBytes < 1 || ratio < 2) {
        throw new IllegalArgumentException(
            "activeBytes "
                + activeBytes
                + ", runBytes "
                + runBytes
                + ", ratio "
                + ratio
                + ": must be at least 1, 1 and 2");
      }
    }
  }

  /**
   * How a pipeline is kept short.
   *
   * @param mostRuns more of them are merged into one
   * @param copiesData whether a merge copies what is still needed; else it makes a common index of
   *     records that stay where they are
   */
  public record Pipeline(int mostRuns, boolean copiesData) implements Merging {
    /** Refuses a pipeline of nothing. */
    public Pipeline {
      if (mostRuns < 1) {
        throw new IllegalArgumentException("mostRuns " + mostRuns + ": must be at least 1");
      }
    }

    /** Whether a pipeline with so many runs is merged. */
    public boolean isDue(int runs) {
      return runs > mostRuns;
    }
  }

  /**
   * The runs of a tree.
   *
   * @param waiting those that were active and are in no level yet, newest first
   * @param levels from the newest on; the runs of each have no key in common, and are in their
   *     order
   */
  public record Shape<R extends Run>(List<R> waiting, List<List<R>> levels) {
    /** All runs, newest first. */
    public List<R> all() {
      List<R> all = new ArrayList<>(waiting);
      levels.forEach(all::addAll);
      return all;
    }
  }

  /**
   * A step of a merge: the first part of a run and those of the next level that it overlaps.
   *
   * @param fromLevel of the upper run, 0 if it waits; the result goes to the level after it
   * @param addsLevel whether a level is put in between for the result
   * @param end the upper run is merged up to before this key; null if all of it is
   * @param isMove whether the upper run changes its level as it is
   */
  @SuppressWarnings("ArrayRecordComponent") // steps are not compared
  public record Step<R>(
      int fromLevel,
      boolean addsLevel,
      R upper,
      List<R> lower,
      byte @Nullable [] end,
      boolean isMove) {
    /** The same for a shorter part, and those of the next level that the shorter part overlaps. */
    public Step<R> upTo(byte @Nullable [] end, List<R> lower) {
      return new Step<>(fromLevel, addsLevel, upper, lower, end, isMove);
    }
  }

  // ---- Merges.

  /** The next step of a merge; null if all levels are as they should be. */
  public static <R extends Run> @Nullable Step<R> next(Shape<R> shape, Sizes sizes) {
    List<List<R>> levels = shape.levels();
    // What waits is in the way of each read, so that it is as urgent as a level that is full.
    double most = shape.waiting().size();
    int from = 0;
    for (int level = 1; level < levels.size(); level++) {
      double fill = (double) bytes(levels.get(level - 1)) / capacity(levels, level, sizes);
      if (fill > 1 && fill > most) {
        most = fill;
        from = level;
      }
    }
    if (most == 0) {
      return null;
    }
    if (from > 0) {
      return step(from, leastOverlap(levels.get(from - 1), levels.get(from)), shape, sizes);
    }
    R oldest = shape.waiting().get(shape.waiting().size() - 1);
    return step(0, oldest, shape, sizes);
  }

  /** By the size of the last level, and never less than what comes into the first one at once. */
  private static <R extends Run> double capacity(List<List<R>> levels, int level, Sizes sizes) {
    double last = (double) bytes(levels.get(levels.size() - 1));
    double share = last / Math.pow(sizes.ratio(), levels.size() - level);
    return Math.max((double) sizes.activeBytes(), share);
  }

  /** The one that is begun; else the one that overlaps least for its size. */
  private static <R extends Run> R leastOverlap(List<R> level, List<R> next) {
    return level.stream()
        .min(
            Comparator.comparing((R run) -> !run.isBegun())
                .thenComparingDouble(run -> (double) bytes(overlapping(run, next)) / run.bytes()))
        .orElseThrow();
  }

  private static <R extends Run> Step<R> step(int from, R upper, Shape<R> shape, Sizes sizes) {
    List<List<R>> levels = shape.levels();
    boolean addsLevel =
        from == 0
            && !levels.isEmpty()
            && bytes(levels.get(0)) > sizes.ratio() * sizes.activeBytes();
    List<R> below = levels.size() <= from || addsLevel ? List.of() : levels.get(from);
    List<R> overlapping = overlapping(upper, below);
    List<R> lower = new ArrayList<>();
    for (R run : overlapping) {
      if (bytes(lower) < sizes.runBytes()) {
        lower.add(run);
      }
    }
    byte[] end =
        lower.size() < overlapping.size() ? overlapping.get(lower.size()).keys().low() : null;
    boolean isMove = from > 0 && overlapping.isEmpty() && !upper.isBegun();
    return new Step<>(from, addsLevel, upper, List.copyOf(lower), end, isMove);
  }

  private static <R extends Run> List<R> overlapping(R run, List<R> level) {
    return level.stream().filter(other -> other.keys().overlaps(run.keys())).toList();
  }

  private static <R extends Run> long bytes(List<R> runs) {
    return runs.stream().mapToLong(Run::bytes).sum();
  }

  // ---- Flushes.

  /**
   * All runs in the order in which they leave for the sake of memory, so that each follows those
   * which are older: the last level first, from a key on and around.
   *
   * @param after the key; null for the first of all
   */
  public static <R extends Run> List<R> flushOrder(Shape<R> shape, byte @Nullable [] after) {
    List<R> order = new ArrayList<>();
    for (int level = shape.levels().size() - 1; level >= 0; level--) {
      List<R> runs = shape.levels().get(level);
      int first = after == null || level < shape.levels().size() - 1 ? 0 : firstFrom(runs, after);
      order.addAll(runs.subList(first, runs.size()));
      order.addAll(runs.subList(0, first));
    }
    for (int i = shape.waiting().size() - 1; i >= 0; i--) {
      order.add(shape.waiting().get(i));
    }
    return order;
  }

  private static <R extends Run> int firstFrom(List<R> runs, byte[] key) {
    for (int i = 0; i < runs.size(); i++) {
      byte[] low = runs.get(i).keys().low();
      if (low != null && Arrays.compareUnsigned(low, key) >= 0) {
        return i;
      }
    }
    return 0;
  }

  /**
   * Runs that leave memory, and those that must go with them: every older one that overlaps one of
   * them. Otherwise a reader would find an old version in memory before a newer one on disk.
   *
   * @return newest first
   */
  public static <R extends Run> List<R> withOlder(Shape<R> shape, Collection<R> chosen) {
    Set<R> leaving = new LinkedHashSet<>();
    for (R run : shape.all()) {
      if (chosen.contains(run) || leaving.stream().anyMatch(l -> l.keys().overlaps(run.keys()))) {
        leaving.add(run);
      }
    }
    return List.copyOf(leaving);
  }

  /**
   * Divides runs into groups, so that those of different groups have no key in common.
   *
   * @param newestFirst the runs
   * @return in the order of keys; each group newest first
   */
  public static <R extends Run> List<List<R>> groups(List<R> newestFirst) {
    List<R> byLow = new ArrayList<>(newestFirst);
    byLow.sort(Comparator.comparing(Run::keys, KeySpan.BY_LOW));
    List<List<R>> groups = new ArrayList<>();
    KeySpan hull = null;
    for (R run : byLow) {
      if (hull == null || hull.isBelow(run.keys())) {
        groups.add(new ArrayList<>());
        hull = run.keys();
      } else {
        hull = hull.hull(run.keys());
      }
      groups.get(groups.size() - 1).add(run);
    }
    groups.forEach(group -> group.sort(Comparator.comparingInt(newestFirst::indexOf)));
    return groups;
  }
}
