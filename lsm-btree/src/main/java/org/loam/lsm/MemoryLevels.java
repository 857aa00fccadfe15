package org.loam.lsm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.memory.KeySpan;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.memory.MemoryLeveling.Shape;
import org.loam.lsm.memory.MemoryLeveling.Step;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.memory.RangeBounds;

/**
 * The runs of a partitioned memory component (MemoryWalls §4.1.1), which stay in memory until they
 * are chosen to be flushed: those that were active and wait to be merged, and below them levels of
 * runs that have no key in common. What is above is newer. Immutable.
 */
final class MemoryLevels {
  /** No run. */
  static final MemoryLevels NONE = new MemoryLevels(List.of(), List.of());

  /** The runs of a level, in the order of their keys. */
  private record Level(List<MemoryRun> runs, RangeBounds lows) {
    static Level of(List<MemoryRun> runs) {
      return new Level(runs, lowsOf(runs.stream().map(MemoryRun::keys).toList()));
    }

    long find(long key, int keyLength, long readLsn) {
      return runs.get(lows.rangeOf(key, keyLength)).find(key, keyLength, readLsn);
    }
  }

  private final Shape<MemoryRun> shape;
  private final Level[] levels;
  private final List<MemoryRun> all;

  private MemoryLevels(List<MemoryRun> waiting, List<List<MemoryRun>> levels) {
    this.shape = new Shape<>(waiting, levels);
    this.levels = levels.stream().map(Level::of).toArray(Level[]::new);
    this.all = List.copyOf(shape.all());
  }

  /**
   * Of spans in the order of keys, bounds that lead from a key to the only one that may have it.
   */
  static RangeBounds lowsOf(List<KeySpan> spans) {
    List<byte[]> lows = new ArrayList<>();
    for (KeySpan span : spans.subList(1, spans.size())) {
      byte[] low = span.low();
      if (low == null) {
        throw new AssertionError("runs of a level with a key in common");
      }
      lows.add(low);
    }
    return RangeBounds.of(lows);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** What a choice depends on. */
  Shape<MemoryRun> shape() {
    return shape;
  }

  /** All runs, newest first. */
  List<MemoryRun> all() {
    return all;
  }

  /** Memory of all runs. */
  long bytes() {
    long sum = 0;
    for (MemoryRun run : all) {
      sum += run.bytes();
    }
    return sum;
  }

  /**
   * Goes on to look for a key, from the newest run on.
   *
   * @param before what {@link MemoryComponent#find} returned for a newer component, not a record
   * @return a record, or what {@link MemoryComponent#find} returns for the last one
   */
  long find(long before, long key, int keyLength, long readLsn) {
    long found = before;
    List<MemoryRun> waiting = shape.waiting();
    for (int i = 0; i < waiting.size() && isUndecided(found); i++) {
      found = waiting.get(i).find(key, keyLength, readLsn);
    }
    for (int i = 0; i < levels.length && isUndecided(found); i++) {
      found = levels[i].find(key, keyLength, readLsn);
    }
    return found;
  }

  private static boolean isUndecided(long found) {
    return found <= 0 && found != MemoryComponent.DROPPED;
  }

  // ---- Changes.

  /** With one more run, which was active until now. */
  MemoryLevels with(MemoryRun run) {
    List<MemoryRun> waiting = new ArrayList<>();
    waiting.add(run);
    waiting.addAll(shape.waiting());
    return new MemoryLevels(List.copyOf(waiting), shape.levels());
  }

  /** Without runs that leave memory. */
  MemoryLevels without(Collection<MemoryRun> leaving) {
    Set<MemoryRun> gone = Set.copyOf(leaving);
    return new MemoryLevels(
        rest(shape.waiting(), gone),
        shape.levels().stream()
            .map(level -> rest(level, gone))
            .filter(level -> !level.isEmpty())
            .toList());
  }

  private static List<MemoryRun> rest(List<MemoryRun> runs, Set<MemoryRun> gone) {
    return runs.stream().filter(run -> !gone.contains(run)).toList();
  }

  /**
   * After a step of a merge.
   *
   * @param step of {@link MemoryLeveling#next}, for these runs or earlier ones
   * @param made in the place of the lower runs and of the part of the upper one
   * @return null if a run of the step has left memory meanwhile, or the step does not fit any more
   */
  @Nullable MemoryLevels after(Step<MemoryRun> step, List<MemoryRun> made) {
    if (!all.contains(step.upper())) {
      return null;
    }
    List<MemoryRun> waiting = replaced(shape.waiting(), step);
    List<List<MemoryRun>> next = new ArrayList<>();
    shape.levels().forEach(level -> next.add(replaced(level, step)));
    int from = levelOf(step.upper());
    if (step.addsLevel() && from == 0) {
      next.add(0, List.of());
    } else if (next.size() == from) {
      next.add(List.of());
    }
    List<MemoryRun> target = new ArrayList<>(next.get(from));
    if (!target.containsAll(step.lower())) {
      return null;
    }
    target.removeAll(step.lower());
    target.addAll(made);
    target.sort(Comparator.comparing(MemoryRun::keys, KeySpan.BY_LOW));
    for (int i = 1; i < target.size(); i++) {
      if (!target.get(i - 1).keys().isBelow(target.get(i).keys())) {
        return null;
      }
    }
    next.set(from, List.copyOf(target));
    next.removeIf(List::isEmpty);
    return new MemoryLevels(waiting, List.copyOf(next));
  }

  /**
   * After a merge of a pipeline: runs wait, newest first, and none is in a level.
   *
   * @param made in the place of these runs, newest first, between which no other is
   * @return null if one of them has left memory meanwhile
   */
  @Nullable MemoryLevels merged(List<MemoryRun> inputs, MemoryRun made) {
    if (!all.containsAll(inputs)) {
      return null;
    }
    Set<MemoryRun> gone = Set.copyOf(inputs);
    List<MemoryRun> waiting = new ArrayList<>();
    for (MemoryRun run : all) {
      if (run.equals(inputs.get(0))) {
        waiting.add(made);
      } else if (!gone.contains(run)) {
        waiting.add(run);
      }
    }
    return new MemoryLevels(List.copyOf(waiting), List.of());
  }

  /** The number of the level of a run; 0 if it waits. */
  private int levelOf(MemoryRun run) {
    int level = 0;
    while (level < shape.levels().size() && !shape.levels().get(level).contains(run)) {
      level++;
    }
    return shape.waiting().contains(run) ? 0 : level + 1;
  }

  private static List<MemoryRun> replaced(List<MemoryRun> runs, Step<MemoryRun> step) {
    byte[] end = step.end();
    List<MemoryRun> replaced = new ArrayList<>();
    for (MemoryRun run : runs) {
      if (!run.equals(step.upper())) {
        replaced.add(run);
      } else if (end != null) {
        replaced.add(run.from(end));
      }
    }
    return List.copyOf(replaced);
  }
}
