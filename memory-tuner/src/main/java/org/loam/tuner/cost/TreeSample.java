package org.loam.tuner.cost;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What one tree did in one cycle.
 *
 * @param treeId the tree
 * @param written entries and bytes that writers gave it
 * @param flushed bytes of its tables that flushes wrote, by the cause of the flush
 * @param mergedBytes bytes of tables that merges wrote
 * @param levels what it had on disk at the end of the cycle
 * @param held what it had of the write memory
 */
public record TreeSample(
    int treeId, Written written, Flushed flushed, long mergedBytes, Levels levels, Held held) {
  /**
   * What writers gave.
   *
   * @param entries puts and deletions
   * @param bytes their keys and values
   */
  public record Written(long entries, long bytes) {
    public Written {
      Require.atLeast("written.entries", entries, 0);
      Require.atLeast("written.bytes", bytes, 0);
    }
  }

  /**
   * What flushes wrote.
   *
   * @param forMemoryBytes because write memory was full
   * @param forLogBytes because the log was too long, or a host or the user asked for it: more write
   *     memory would not have put it off
   */
  public record Flushed(long forMemoryBytes, long forLogBytes) {
    public Flushed {
      Require.atLeast("flushed.forMemoryBytes", forMemoryBytes, 0);
      Require.atLeast("flushed.forLogBytes", forLogBytes, 0);
    }

    /** All of it. */
    public long bytes() {
      return forMemoryBytes + forLogBytes;
    }

    /** Whether there was a flush. */
    public boolean isKnown() {
      return bytes() > 0;
    }

    /** The part for memory, the scale factor of equation 5; 1 if there was no flush. */
    public double memoryFraction() {
      return isKnown() ? (double) forMemoryBytes / bytes() : 1;
    }
  }

  /**
   * The levels, and the numbers that size them.
   *
   * @param lastBytes size of the last one, |L_N|
   * @param count how many there are below L0, the last one included
   * @param mostRatio size of a level divided by that of the level above it at most, T
   * @param l0MinMerge flushes of a range that a merge out of L0 takes together at least
   * @param l0Depth those that it takes, at least {@code l0MinMerge}
   * @param sizedForBytes write memory of the tree that they are sized for; 0 for what it has
   * @param grown by how much they grew in the cycle
   */
  public record Levels(
      long lastBytes,
      int count,
      int mostRatio,
      int l0MinMerge,
      double l0Depth,
      long sizedForBytes,
      Growth grown) {
    public Levels {
      Require.atLeast("levels.lastBytes", lastBytes, 0);
      Require.atLeast("levels.count", count, 1);
      Require.atLeast("levels.mostRatio", mostRatio, 2);
      Require.atLeast("levels.l0MinMerge", l0MinMerge, 1);
      Require.within("levels.l0Depth", l0Depth, l0MinMerge, 1e6);
      Require.atLeast("levels.sizedForBytes", sizedForBytes, 0);
    }

    /** These after others. */
    Levels after(Levels before) {
      Growth both = before.grown.plus(grown);
      return new Levels(lastBytes, count, mostRatio, l0MinMerge, l0Depth, sizedForBytes, both);
    }
  }

  /**
   * From the beginning of a cycle to its end.
   *
   * @param l0Bytes of L0
   * @param upperBytes of the levels between L0 and the last one
   * @param lastBytes of the last one
   */
  public record Growth(long l0Bytes, long upperBytes, long lastBytes) {
    /** All is as large as it was. */
    public static final Growth NONE = new Growth(0, 0, 0);

    Growth plus(Growth next) {
      return new Growth(
          l0Bytes + next.l0Bytes, upperBytes + next.upperBytes, lastBytes + next.lastBytes);
    }
  }

  /**
   * Write memory.
   *
   * @param share its part of all write memory on average, a_i
   * @param grownBytes by how much its memory grew from the beginning of the cycle to the end
   */
  public record Held(double share, long grownBytes) {
    public Held {
      Require.within("share", share, 0, 1);
    }
  }

  public TreeSample {
    Require.atLeast("mergedBytes", mergedBytes, 0);
  }

  /** Its part of all write memory on average, a_i. */
  public double share() {
    return held.share;
  }

  /** The part of the memory in use that each tree has, by its id; without trees that have none. */
  public static Map<Integer, Double> sharesOf(Collection<TreeSample> trees) {
    double all = trees.stream().mapToDouble(TreeSample::share).sum();
    Map<Integer, Double> shares = new HashMap<>();
    for (TreeSample tree : trees) {
      if (tree.share() > 0) {
        shares.put(tree.treeId(), tree.share() / all);
      }
    }
    return shares;
  }

  /**
   * Bytes that would have been flushed if its memory had not grown or shrunk. A cycle that fills
   * new memory flushes little, and one that gives memory back much; neither says what comes after.
   */
  public long steadyFlushBytes() {
    return Math.max(0, flushed.bytes() + held.grownBytes);
  }

  /** The same of a tree that has no write memory any more. */
  TreeSample withoutMemory() {
    return new TreeSample(
        treeId, written, flushed, mergedBytes, levels, new Held(0, held.grownBytes));
  }

  /** This one and a later one of the same tree as one; sizes are those of the later one. */
  TreeSample plus(TreeSample next) {
    return new TreeSample(
        next.treeId,
        new Written(written.entries + next.written.entries, written.bytes + next.written.bytes),
        new Flushed(
            flushed.forMemoryBytes + next.flushed.forMemoryBytes,
            flushed.forLogBytes + next.flushed.forLogBytes),
        mergedBytes + next.mergedBytes,
        next.levels.after(levels),
        new Held(next.held.share, held.grownBytes + next.held.grownBytes));
  }
}
