package org.loam.lsm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.loam.lsm.memory.MemoryComponent;

/**
 * Which memory components to flush when write memory is short (MemoryWalls §4.2). A pure function.
 * When the log is too long it is always those with the smallest LSNs.
 */
public enum FlushPolicy {
  /** The largest active component of the tree with the largest ones. */
  MAX_MEMORY {
    @Override
    Comparator<Candidate> order() {
      return Comparator.comparingLong(Candidate::treeBytes)
          .thenComparingLong(Candidate::bytes)
          .reversed();
    }
  },
  /** The active component with the oldest write that is only in memory. */
  MIN_LSN {
    @Override
    Comparator<Candidate> order() {
      return Comparator.comparingLong(Candidate::minLsn);
    }
  },
  /**
   * The largest active component of the tree whose share of memory is most above its share of
   * recent writes. The cost of writing is lowest where both are the same for each tree (equation
   * 2). The largest one, since the tree has to give the least number of components up.
   */
  OPTIMAL {
    @Override
    Comparator<Candidate> order() {
      return Comparator.comparingDouble(Candidate::excessRatio)
          .thenComparingLong(Candidate::bytes)
          .reversed();
    }
  };

  /**
   * The active memory of a tree.
   *
   * @param bytes size of all active components
   * @param writtenBytes keys and values that were written to it lately
   * @param actives those that may be flushed
   */
  public record TreeMemory(
      LsmTree tree, long bytes, long writtenBytes, List<ActiveMemory> actives) {}

  /**
   * An active component.
   *
   * @param bytes its size
   * @param minLsn smallest LSN in it, {@code Long.MAX_VALUE} if it is empty
   */
  public record ActiveMemory(MemoryComponent component, long bytes, long minLsn) {}

  /**
   * A component that may be flushed.
   *
   * @param excessRatio what its tree has, once larger components of that tree have left, as a share
   *     of the active memory that is to stay, minus the share of the tree in recent writes
   */
  public record Candidate(TreeMemory memory, ActiveMemory active, double excessRatio) {
    public LsmTree tree() {
      return memory.tree();
    }

    private long treeBytes() {
      return memory.bytes();
    }

    private long bytes() {
      return active.bytes();
    }

    private long minLsn() {
      return active.minLsn();
    }
  }

  /** The component to flush first comes first. */
  abstract Comparator<Candidate> order();

  /**
   * Chooses among the components that hold something, in the order of the policy, until they have
   * enough together.
   *
   * @param trees all trees, also those of which nothing may be flushed
   * @param bytes that are to be flushed; the last component may have more
   * @return at least one component if one holds something
   */
  public List<Candidate> choose(List<TreeMemory> trees, long bytes) {
    List<Candidate> chosen = new ArrayList<>();
    long sum = 0;
    for (Candidate one : candidates(trees, bytes).stream().sorted(order()).toList()) {
      if (chosen.isEmpty() || sum < bytes) {
        chosen.add(one);
        sum += one.bytes();
      }
    }
    return chosen;
  }

  private static List<Candidate> candidates(List<TreeMemory> trees, long bytes) {
    // Of what is to stay: of all memory now, a tree with its share would seem to have too little as
    // soon as others are above theirs, and would never be chosen with them.
    long allBytes = trees.stream().mapToLong(TreeMemory::bytes).sum();
    long stayingBytes = Math.max(1, allBytes - bytes);
    long allWrittenBytes = trees.stream().mapToLong(TreeMemory::writtenBytes).sum();
    List<Candidate> candidates = new ArrayList<>();
    for (TreeMemory memory : trees) {
      double writeShare = share(memory.writtenBytes(), allWrittenBytes);
      long left = memory.bytes();
      for (ActiveMemory active : largestFirst(memory.actives())) {
        candidates.add(new Candidate(memory, active, share(left, stayingBytes) - writeShare));
        left -= active.bytes();
      }
    }
    return candidates;
  }

  /** Without those that hold nothing. */
  private static List<ActiveMemory> largestFirst(List<ActiveMemory> actives) {
    return actives.stream()
        .filter(active -> active.minLsn() != Long.MAX_VALUE)
        .sorted(Comparator.comparingLong(ActiveMemory::bytes).reversed())
        .toList();
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }
}
