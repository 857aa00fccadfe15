package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which part of L0 is merged next; {@link PartitionedLeveling} has the rule.
 *
 * <p>A merge takes no large part of a tree whose tables are cut at guards: it takes as much of one
 * part as is due and what lies below, in the model of sustained writes 0.11 of the tree at most
 * with ranges of write memory, and 0.14 with one component. So it is from the first load on, see
 * {@link Guards#orOfFlush}. Without guards are trees that are small: their flushes have less than
 * an eighth of an SSTable, and their last level has less than two. A merge may take all of such a
 * tree. That is no more than four SSTables if writers stop at sixteen flushes.
 *
 * @param shape the tree
 * @param free its groups of L0, without what running merges have taken
 * @param target id of the level that takes the result
 * @param score how urgent it is
 * @param due depth from which on a merge is worthwhile
 * @param most components of a peak that go together, at least {@code due}
 */
record L0Choice(
    TreeShape shape, List<List<Component>> free, int target, double score, int due, int most) {
  /**
   * Part of a tree that a merge may take if it takes more than is due. What is due it takes in any
   * case, or a tree without guards would be merged one component after the other.
   */
  static final double MOST_SHARE = 1.0 / 4;

  /** Enough to find one that can start; each costs a search in every group, for each group. */
  private static final int MOST_PEAKS = 32;

  /**
   * A merge that relieves a peak.
   *
   * @param depth of the peak
   * @param relieved components of the peak that the merge takes
   * @param bytes of its inputs
   */
  private record Choice(Closure closure, int depth, int relieved, long bytes) {
    static final Comparator<Choice> DEEPEST_FIRST =
        Comparator.comparingInt((Choice choice) -> -choice.depth)
            .thenComparingDouble(choice -> choice.closure.isMove() ? 0 : choice.bytesPerDepth());

    double bytesPerDepth() {
      return (double) bytes / relieved;
    }
  }

  /** The best merge of each peak, the best one first. */
  List<Closure> best(List<Depths.Peak> peaks) {
    long mostBytes = Math.max(shape.memoryComponentBytes(), (long) (shape.bytes() * MOST_SHARE));
    List<Choice> choices = new ArrayList<>();
    peaks.stream()
        .sorted(Comparator.comparingInt((Depths.Peak peak) -> -peak.depth()))
        .limit(MOST_PEAKS)
        .forEach(peak -> choices.add(cheapest(peak, mostBytes)));
    choices.sort(Choice.DEEPEST_FIRST);
    return choices.stream().map(Choice::closure).toList();
  }

  /** Tries the oldest component of a peak alone, the two oldest, and so on. */
  private Choice cheapest(Depths.Peak peak, long mostBytes) {
    @Nullable Choice cheapest = null;
    int relieved = 0;
    List<List<Component>> groups = shape.l0();
    for (int g = groups.size() - 1; g >= 0 && relieved < most; g--) {
      if (Component.overlapping(free.get(g), peak.range()).isEmpty()) {
        continue;
      }
      relieved++;
      List<List<Component>> older = groups.subList(g, groups.size());
      Closure closure = Closure.ofL0(shape, older, peak.range(), target, score);
      Choice choice = new Choice(closure, peak.depth(), relieved, closure.inputBytes());
      boolean tooLarge = relieved > due && choice.bytes > mostBytes;
      if (cheapest == null || (!tooLarge && choice.bytesPerDepth() <= cheapest.bytesPerDepth())) {
        cheapest = choice;
      }
    }
    if (cheapest == null) {
      throw new AssertionError("no component of L0 is at the peak " + peak);
    }
    return cheapest;
  }
}
