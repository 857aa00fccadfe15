package org.loam.engine.commit;

import java.util.ArrayDeque;
import java.util.List;
import org.loam.common.env.NanoClock;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.FlushChoice.Chosen;
import org.loam.engine.report.FlushChoice.Compared;
import org.loam.lsm.FlushCause;
import org.loam.lsm.Freezes.FrozenPart;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.MemoryComponent;

/**
 * The last choices of what to flush, one for each component that is frozen, or for each tree that
 * is frozen as a whole. Made, added and read under the commit latch.
 */
public final class FlushChoices {
  /** So many choices are kept. */
  static final int KEPT = 1000;

  private final NanoClock clock;
  private final ArrayDeque<Entry> last = new ArrayDeque<>();

  private record Entry(long nanoTime, FlushChoice choice) {}

  /**
   * A decision, and what all trees had then.
   *
   * @param activeBytes their active memory
   * @param writtenBytes what was written to them lately
   * @param leavingBytes memory on its way out
   */
  record Decision(
      FlushCause cause,
      FlushChoice.Rule rule,
      long endLsn,
      long activeBytes,
      long writtenBytes,
      long leavingBytes) {
    /**
     * What was compared of a tree, before it is frozen.
     *
     * @param writtenToTree what was written to it lately
     */
    Compared compared(LsmTree tree, long writtenToTree) {
      return new Compared(
          share(tree.activeBytes(), activeBytes),
          share(writtenToTree, writtenBytes),
          supersededBytes(tree.parts()),
          endLsn,
          leavingBytes);
    }

    /** The choice of a part of a tree that is frozen by it, also of one that had to go along. */
    FlushChoice of(LsmTree tree, FrozenPart part, Compared compared) {
      return new FlushChoice(
          0,
          cause,
          rule,
          new Chosen(
              tree.name(),
              part.number(),
              part.count(),
              part.usedBytes(),
              part.supersededBytes(),
              part.minLsn()),
          compared);
    }

    private static double share(long part, long all) {
      return all == 0 ? 0 : (double) part / all;
    }
  }

  FlushChoices(NanoClock clock) {
    this.clock = clock;
  }

  /** The choice of all that a tree has, before it is frozen. */
  static FlushChoice ofAll(LsmTree tree, long writtenBytes, Decision decision) {
    List<MemoryComponent> parts = tree.parts();
    long minLsn = parts.stream().mapToLong(MemoryComponent::minLsn).min().orElse(Long.MAX_VALUE);
    Chosen all =
        new Chosen(
            tree.name(), 0, parts.size(), tree.activeBytes(), supersededBytes(parts), minLsn);
    return new FlushChoice(
        0, decision.cause(), decision.rule(), all, decision.compared(tree, writtenBytes));
  }

  private static long supersededBytes(List<MemoryComponent> parts) {
    return parts.stream().mapToLong(MemoryComponent::supersededBytes).sum();
  }

  /** Keeps a choice in the place of the oldest one. */
  void add(FlushChoice choice) {
    if (last.size() == KEPT) {
      last.remove();
    }
    last.add(new Entry(clock.nanoTime(), choice));
  }

  /** The choices that are kept, the latest last. */
  public List<FlushChoice> list() {
    long now = clock.nanoTime();
    return last.stream().map(entry -> entry.choice().aged(now - entry.nanoTime())).toList();
  }
}
