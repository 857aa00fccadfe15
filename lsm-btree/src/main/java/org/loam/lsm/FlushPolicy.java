package org.loam.lsm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which memory components to flush when write memory is short (MemoryWalls §4.2). A pure function.
 * When the log is too long it is always those with the smallest LSNs.
 */
public enum FlushPolicy {
  /** The largest active component of the tree with the largest ones. */
  MAX_MEMORY {
    @Override
    Comparator<Candidate<?>> order() {
      return Comparator.<Candidate<?>>comparingLong(Candidate::treeBytes)
          .thenComparingLong(Candidate::bytes)
          .reversed();
    }
  },
  /** The active component with the oldest write that is only in memory. */
  MIN_LSN {
    @Override
    Comparator<Candidate<?>> order() {
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
    Comparator<Candidate<?>> order() {
      return Comparator.<Candidate<?>>comparingDouble(Candidate::excessRatio)
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
   * @param isInOrder whether they leave in their order, however large and old they are
   */
  public record TreeMemory<T>(
      long bytes, long writtenBytes, List<ActiveMemory<T>> actives, boolean isInOrder) {}

  /**
   * An active component.
   *
   * @param component stands for it in the choice
   * @param bytes its size
   * @param minLsn smallest LSN in it, {@code Long.MAX_VALUE} if it is empty
   */
  public record ActiveMemory<T>(T component, long bytes, long minLsn) {}

  /**
   * The active memory of a tree that is flushed as a whole, with other trees.
   *
   * @param tree stands for it in the choice
   * @param unit trees with the same one are flushed together
   * @param bytes size of all active components
   * @param writtenBytes keys and values that were written to it lately
   * @param minLsn smallest LSN in them, {@code Long.MAX_VALUE} if they are empty
   * @param isLeaving whether some of the tree is on its way to disk
   */
  public record WholeTree<T>(
      T tree, String unit, long bytes, long writtenBytes, long minLsn, boolean isLeaving) {}

  /**
   * A component that may be flushed.
   *
   * @param minLsn its oldest write; that of all together if those of the tree leave in their order
   * @param excessRatio what its tree has, once larger components of that tree have left, as a share
   *     of the active memory that is to stay, minus the share of the tree in recent writes
   */
  record Candidate<T>(
      TreeMemory<T> memory, ActiveMemory<T> active, long minLsn, double excessRatio) {
    private long treeBytes() {
      return memory.bytes();
    }

    /** The same for all of a tree that leave in their order, so that they keep it. */
    private long bytes() {
      return memory.isInOrder() ? 0 : active.bytes();
    }
  }

  /** The component to flush first comes first. */
  abstract Comparator<Candidate<?>> order();

  /**
   * Chooses among the components that hold something, in the order of the policy, until they have
   * enough together.
   *
   * @param trees all trees, also those of which nothing may be flushed
   * @param bytes that are to be flushed; the last component may have more
   * @return at least one component if one holds something
   */
  public <T> List<T> choose(List<TreeMemory<T>> trees, long bytes) {
    List<T> chosen = new ArrayList<>();
    long sum = 0;
    for (Candidate<T> one : candidates(trees, bytes).stream().sorted(order()).toList()) {
      if (chosen.isEmpty() || sum < bytes) {
        chosen.add(one.active().component());
        sum += one.active().bytes();
      }
    }
    return chosen;
  }

  /**
   * Chooses like {@link #choose} where trees are flushed together, all of each: a unit of them is
   * what one tree with one component is otherwise. Of a unit that is on its way to disk nothing is
   * chosen before all of it is there: what it has in memory is new, and little.
   *
   * @param trees all trees
   * @param bytes that are to be flushed; the last unit may have more
   * @return of the chosen units the trees that hold something
   */
  public <T> List<T> chooseTogether(List<WholeTree<T>> trees, long bytes) {
    Map<String, List<WholeTree<T>>> units = new LinkedHashMap<>();
    for (WholeTree<T> tree : trees) {
      units.computeIfAbsent(tree.unit(), unit -> new ArrayList<>()).add(tree);
    }
    return choose(units.values().stream().map(FlushPolicy::asOneTree).toList(), bytes).stream()
        .flatMap(List::stream)
        .filter(tree -> tree.minLsn() != Long.MAX_VALUE)
        .map(WholeTree::tree)
        .toList();
  }

  private static <T> TreeMemory<List<WholeTree<T>>> asOneTree(List<WholeTree<T>> unit) {
    long bytes = unit.stream().mapToLong(WholeTree::bytes).sum();
    long writtenBytes = unit.stream().mapToLong(WholeTree::writtenBytes).sum();
    long minLsn = unit.stream().mapToLong(WholeTree::minLsn).min().orElse(Long.MAX_VALUE);
    return new TreeMemory<>(
        bytes,
        writtenBytes,
        unit.stream().anyMatch(WholeTree::isLeaving)
            ? List.of()
            : List.of(new ActiveMemory<>(unit, bytes, minLsn)),
        false);
  }

  private static <T> List<Candidate<T>> candidates(List<TreeMemory<T>> trees, long bytes) {
    // Of what is to stay: of all memory now, a tree with its share would seem to have too little as
    // soon as others are above theirs, and would never be chosen with them.
    long allBytes = trees.stream().mapToLong(TreeMemory::bytes).sum();
    long stayingBytes = Math.max(1, allBytes - bytes);
    long allWrittenBytes = trees.stream().mapToLong(TreeMemory::writtenBytes).sum();
    List<Candidate<T>> candidates = new ArrayList<>();
    for (TreeMemory<T> memory : trees) {
      double writeShare = share(memory.writtenBytes(), allWrittenBytes);
      long left = memory.bytes();
      long oldestLsn = memory.actives().stream().mapToLong(ActiveMemory::minLsn).min().orElse(0);
      for (ActiveMemory<T> active : inOrder(memory)) {
        long minLsn = memory.isInOrder() ? oldestLsn : active.minLsn();
        double excess = share(left, stayingBytes) - writeShare;
        candidates.add(new Candidate<>(memory, active, minLsn, excess));
        left -= active.bytes();
      }
    }
    return candidates;
  }

  /** In their order or the largest first, without those that hold nothing. */
  private static <T> List<ActiveMemory<T>> inOrder(TreeMemory<T> memory) {
    List<ActiveMemory<T>> actives = new ArrayList<>(memory.actives());
    actives.removeIf(active -> active.minLsn() == Long.MAX_VALUE);
    if (!memory.isInOrder()) {
      actives.sort(Comparator.<ActiveMemory<T>>comparingLong(ActiveMemory::bytes).reversed());
    }
    return actives;
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }
}
