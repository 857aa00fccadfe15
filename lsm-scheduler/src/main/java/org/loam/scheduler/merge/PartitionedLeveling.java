package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Leveling by SSTables (Stability §6) under a grouped L0 (MemoryWalls §4.1.2). Thread-safe: it has
 * no state.
 *
 * <p>L0 is merged where it is deep ({@link Depths}): when some key has so many components of L0
 * above each other as are due, or when L0 is {@code levelRatio} times as large as the write memory.
 * {@code l0MinMerge} are due where scans come, each of which looks into all of them, and up to
 * {@code l0MaxMerge} where they are few: merges write less the more components they take together.
 * The deepest range goes first. Of its components a merge takes the oldest one, or the two oldest,
 * and so on, and with them what overlaps them in older groups and in the levels down to the target:
 * so many that the fewest bytes are merged for each component by which the depth falls. More than
 * are due go together only while the inputs are at most a quarter of the tree, or no more than a
 * flush, so that no merge keeps its part of L0 for long. Of several ranges that are equally deep
 * the cheapest one goes first. If the deepest range waits for a running merge, others follow that
 * are due themselves.
 *
 * <p>A level over its target gives one component to the next level. Whichever is furthest over its
 * limit goes first (score-based, as in LevelDB). How large levels should be, and how many there
 * are: {@link LevelTargets}. A merge into a level that has no room for it waits until merges out of
 * that level have made some: {@link LevelSizes}.
 *
 * <p>While no write comes, L0 is merged down even if it is not due.
 *
 * <p>A merge that cannot read all runs down to its target ends in a level above it: {@link
 * Closure#target}.
 *
 * <p>Components that a running merge has taken count as gone, and are not chosen.
 */
public final class PartitionedLeveling implements MergePolicy {
  /** Which component leaves a level that is over its target. */
  public enum Selection {
    /** The one after the last one that left, in key order. */
    ROUND_ROBIN,
    /** The one with the least overlap below, relative to its own size. */
    CHOOSE_BEST
  }

  /**
   * The numbers of the policy.
   *
   * @param levelRatio largest size ratio T of adjacent levels, at least 2
   * @param l0MinMerge depth of L0 that makes a merge worthwhile where scans come, T0, at least 1
   * @param l0MaxMerge the same where no scan comes, at least {@code l0MinMerge}
   * @param deleteFactor how far beyond redundancy L1 must be before it is drained, f, at least 1
   * @param selection which component leaves a level
   * @param mergesWhenQuiet whether L0 is merged although it is not due, while no write comes
   * @param elastic whether a merge out of L0 takes all components of its deepest key, which absorbs
   *     bursts; or at most as many as make it due, so that a backlog does not reshape the tree and
   *     flatter a maximum that is measured (Stability §6.2)
   */
  public record Settings(
      int levelRatio,
      int l0MinMerge,
      int l0MaxMerge,
      double deleteFactor,
      Selection selection,
      boolean mergesWhenQuiet,
      boolean elastic) {
    /** T = 10, T0 = 4 to 8, f = 1.5, choose-best, merges when it is quiet, and elastic. */
    public static final Settings DEFAULT =
        new Settings(10, 4, 8, 1.5, Selection.CHOOSE_BEST, true, true);

    /** Checks the numbers. */
    public Settings {
      require(levelRatio >= 2, "levelRatio", levelRatio, "at least 2");
      require(l0MinMerge >= 1, "l0MinMerge", l0MinMerge, "at least 1");
      require(l0MaxMerge >= l0MinMerge, "l0MaxMerge", l0MaxMerge, "at least l0MinMerge");
      require(deleteFactor >= 1, "deleteFactor", deleteFactor, "at least 1");
    }

    /** The numbers that size levels. */
    public LevelTargets.Rule levels() {
      return new LevelTargets.Rule(levelRatio, l0MinMerge, deleteFactor);
    }

    private static void require(boolean holds, String name, Object value, String rule) {
      if (!holds) {
        throw new IllegalArgumentException(name + " is " + value + ", must be " + rule);
      }
    }
  }

  /**
   * The depth of L0 that costs least has a square of so many bytes that are flushed for each scan:
   * a scan looks into as many components as L0 is deep, and what merges rewrite of L1 for a byte
   * that is flushed goes with one by the depth. Measured with scans that read from disk.
   */
  private static final double SCAN_BYTES = 2 << 10;

  private static final Comparator<MergePlan> MOST_URGENT_FIRST =
      Comparator.comparingDouble(MergePlan::score).reversed();

  private final Settings settings;

  /** Makes the policy; it is replaced, not changed, when settings change. */
  public PartitionedLeveling(Settings settings) {
    this.settings = settings;
  }

  /** The numbers in use. */
  public Settings settings() {
    return settings;
  }

  @Override
  public List<MergePlan> plan(TreeShape shape, RunMode mode) {
    Set<Long> taken = new HashSet<>();
    for (MergePlan running : shape.running()) {
      for (Component input : running.inputs()) {
        taken.add(input.id());
      }
    }
    LevelTargets targets = targets(shape);
    LevelSizes sizes = new LevelSizes(shape, targets);
    List<MergePlan> plans = new ArrayList<>();
    boolean l0Waits = !add(bestOfL0(sizes, taken), false, sizes, plans);
    for (Level level : shape.levels()) {
      if (targets.has(level.id())) {
        List<Closure> choices = bestOfLevel(sizes, level, free(level.components(), taken));
        l0Waits &= !add(choices, l0Waits, sizes, plans);
      }
    }
    if (plans.isEmpty() && shape.running().isEmpty()) {
      drain(shape, targets, plans);
      if (plans.isEmpty() && mode == RunMode.QUIET && settings.mergesWhenQuiet()) {
        tidyL0(shape, targets, plans);
      }
    }
    plans.sort(MOST_URGENT_FIRST); // stable: a plan that must wait stays before its substitute
    return plans;
  }

  @Override
  public int l0Due(TreeShape shape) {
    double best = Math.sqrt(shape.lately().flushedPerScan() / SCAN_BYTES);
    return (int) Math.max(settings.l0MinMerge(), Math.min(settings.l0MaxMerge(), best));
  }

  /** Scans make an L0 due that is not deep enough without them. */
  @Override
  public boolean mayBecomeDue(TreeShape shape) {
    int depth = shape.l0Depth();
    return depth >= settings.l0MinMerge() && depth < settings.l0MaxMerge();
  }

  @Override
  public LevelTargets targets(TreeShape shape) {
    return LevelTargets.of(shape, settings.levels());
  }

  private List<Closure> bestOfL0(LevelSizes sizes, Set<Long> taken) {
    TreeShape shape = sizes.shape();
    double mostBytes = (double) shape.memoryComponentBytes() * settings.levelRatio();
    List<List<Component>> free = new ArrayList<>();
    for (List<Component> group : shape.l0()) {
      free.add(free(group, taken));
    }
    long bytes = shape.l0Bytes() - TreeShape.bytes(shape.l0()) + TreeShape.bytes(free);
    int due = l0Due(shape);
    if (shape.l0Depth() < due && bytes < mostBytes) {
      return List.of();
    }
    List<Depths.Peak> all = Depths.peaks(free);
    int depth = all.stream().mapToInt(Depths.Peak::depth).max().orElse(0);
    // The deepest range may be left out: then merges of older groups are what brings it nearer.
    boolean isLeftOut = shape.l0Depth() > Depths.greatest(shape.l0());
    int deepest = isLeftOut ? shape.l0Depth() : depth;
    double score = Math.max((double) deepest / due, bytes / mostBytes);
    if (depth == 0 || score < 1) {
      return List.of();
    }
    int most = settings.elastic() ? Integer.MAX_VALUE : due;
    List<Depths.Peak> peaks = new ArrayList<>();
    for (Depths.Peak peak : all) {
      if (peak.depth() >= Math.min(depth, due)) {
        peaks.add(peak);
      }
    }
    return new L0Choice(shape, free, sizes.targets().top(), score, due, most).best(peaks);
  }

  private List<Closure> bestOfLevel(LevelSizes sizes, Level level, List<Component> free) {
    double score = sizes.fullness(level.id());
    if (score <= 1) {
      return List.of();
    }
    int target = level.id() + 1;
    Function<Component, Closure> closing =
        seed -> Closure.ofLevel(sizes.shape(), seed, level.id(), target, score);
    return switch (settings.selection()) {
      case CHOOSE_BEST -> leastOverlapFirst(free, closing);
      case ROUND_ROBIN -> afterCursor(free, level.cursor()).stream().map(closing).toList();
    };
  }

  /** Empties the levels above the top one, in idle times only (MemoryWalls §4.1.3). */
  private static void drain(TreeShape shape, LevelTargets targets, List<MergePlan> plans) {
    for (Level level : shape.levels()) {
      if (level.id() < targets.top() && !level.components().isEmpty()) {
        Component seed = afterCursor(level.components(), level.cursor()).get(0);
        plans.add(Closure.ofLevel(shape, seed, level.id(), targets.top(), 0).plan());
        return;
      }
    }
  }

  /**
   * Merges part of L0 down although it is not due, so that reads have fewer components to look at;
   * not where each byte of L0 costs more than it does in a level merge at worst, T bytes below.
   */
  private void tidyL0(TreeShape shape, LevelTargets targets, List<MergePlan> plans) {
    List<Component> seeds = shape.l0().stream().flatMap(List::stream).toList();
    List<Closure> choices =
        leastOverlapFirst(
            seeds, seed -> Closure.ofL0(shape, shape.l0(), seed.range(), targets.top(), 0));
    if (!choices.isEmpty() && choices.get(0).overlapRatio() <= settings.levelRatio()) {
      plans.add(choices.get(0).plan());
    }
  }

  /**
   * Adds the first choice that can start, and before it the first of all if that has to wait for a
   * running merge. If the first of all waits for room, so do the others.
   *
   * @param relievesL0 whether a merge out of L0 waits for the room that these make
   * @return false if the first choice waits for room
   */
  private static boolean add(
      List<Closure> choices, boolean relievesL0, LevelSizes sizes, List<MergePlan> plans) {
    for (int i = 0; i < choices.size(); i++) {
      MergePlan plan = choices.get(i).plan();
      boolean hasRoom = sizes.hasRoom(plan);
      if (i == 0 && !hasRoom) {
        return false;
      }
      boolean canStart = hasRoom && sizes.shape().running().stream().noneMatch(plan::conflictsWith);
      if (canStart || i == 0) {
        plans.add(relievesL0 ? plan.relievingL0() : plan);
      }
      if (canStart) {
        return true;
      }
    }
    return true;
  }

  private static List<Closure> leastOverlapFirst(
      List<Component> seeds, Function<Component, Closure> closing) {
    List<Closure> choices = new ArrayList<>(seeds.size());
    for (Component seed : seeds) {
      choices.add(closing.apply(seed));
    }
    choices.sort(Comparator.comparingDouble(Closure::overlapRatio));
    return choices;
  }

  private static List<Component> afterCursor(List<Component> components, byte[] cursor) {
    List<Component> before = new ArrayList<>();
    List<Component> after = new ArrayList<>();
    for (Component component : components) {
      boolean isAfter = Arrays.compareUnsigned(component.range().min(), cursor) > 0;
      (isAfter ? after : before).add(component);
    }
    after.addAll(before);
    return after;
  }

  private static List<Component> free(List<Component> components, Set<Long> taken) {
    List<Component> free = new ArrayList<>(components.size());
    for (Component component : components) {
      if (!taken.contains(component.id())) {
        free.add(component);
      }
    }
    return free;
  }
}
