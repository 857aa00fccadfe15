package org.loam.lsm.read;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Heads;
import org.loam.common.mem.Mem;

/**
 * Merges the entries of several components into one order: by key, and of equal keys the newest
 * component first (Stability §2.1). A loser tree over the first eight bytes of the keys; ties are
 * settled by the whole keys. One thread at a time; one direction for life.
 *
 * <p>It shows every entry of every source. The caller decides that only the first of equal keys
 * counts.
 *
 * @param <W> what the sources are
 */
public final class MergingCursor<W extends EntryWalk> implements AutoCloseable {
  private static final int NO_SOURCE = -1;

  private final W[] sources;
  private final boolean forward;
  private final boolean[] live;
  private final long[] heads;
  private int liveCount;

  /** At 0 the winner, at 1..n-1 the loser of the match at that node. */
  private final int[] matches;

  /**
   * @param sources newest first, all in the order of this cursor; owned by it from here on
   * @param forward ascending keys, or else descending
   */
  public MergingCursor(W[] sources, boolean forward) {
    this.sources = sources;
    this.forward = forward;
    this.live = new boolean[sources.length];
    this.heads = new long[sources.length];
    this.matches = new int[Math.max(1, sources.length)];
  }

  /** Moves every source on, the oldest first, and begins there; false if no source has an entry. */
  public boolean begin() {
    for (int i = sources.length - 1; i >= 0; i--) {
      sources[i].next();
    }
    return start();
  }

  /** Begins with the entries at which the sources are; false if none of them is at one. */
  public boolean start() {
    if (sources.length == 0) {
      return false;
    }
    Arrays.fill(matches, NO_SOURCE);
    liveCount = 0;
    for (int i = sources.length - 1; i >= 0; i--) {
      live[i] = sources[i].isAtEntry();
      if (live[i]) {
        liveCount++;
        loadHead(i);
      }
      replay(i);
    }
    return live[matches[0]];
  }

  /** Moves on by one entry; false past the end. */
  public boolean advance() {
    int winner = matches[0];
    boolean hasNext = sources[winner].next();
    live[winner] = hasNext;
    liveCount -= hasNext ? 0 : 1;
    if (sources.length == 1) {
      // Nothing to compare with: most scans of a tree at rest.
      return hasNext;
    }
    if (hasNext) {
      loadHead(winner);
    }
    replay(winner);
    return live[matches[0]];
  }

  /** The source at whose entry this cursor is. */
  public W current() {
    return sources[matches[0]];
  }

  /** The source whose entry follows that of {@link #current}; null if no other has entries left. */
  public @Nullable W second() {
    // It lost to the winner, so it is a loser on the winner's way.
    int best = NO_SOURCE;
    for (int node = (matches[0] + sources.length) >>> 1; node > 0; node >>>= 1) {
      if (best == NO_SOURCE || before(matches[node], best)) {
        best = matches[node];
      }
    }
    return best == NO_SOURCE || !live[best] ? null : sources[best];
  }

  /** Whether no other source than {@link #current} has entries left. */
  public boolean isOneLeft() {
    return liveCount == 1;
  }

  /** Index of {@link #current} among the sources. */
  public int currentIndex() {
    return matches[0];
  }

  @Override
  public void close() {
    for (W source : sources) {
      source.close();
    }
  }

  private void loadHead(int source) {
    W s = sources[source];
    heads[source] = Heads.of(s.keyAddress(), s.keyLength());
  }

  /**
   * Plays the matches from a source's leaf up to the root; {@link #NO_SOURCE} wins all its matches.
   */
  private void replay(int source) {
    int winner = source;
    for (int node = (source + sources.length) >>> 1; node > 0; node >>>= 1) {
      int opponent = matches[node];
      if (winner != NO_SOURCE && (opponent == NO_SOURCE || before(opponent, winner))) {
        matches[node] = winner;
        winner = opponent;
      }
    }
    matches[0] = winner;
  }

  private boolean before(int a, int b) {
    if (!live[a] || !live[b]) {
      return live[a];
    }
    if (heads[a] != heads[b]) {
      return forward ? heads[a] < heads[b] : heads[a] > heads[b];
    }
    W x = sources[a];
    W y = sources[b];
    int order = Mem.compare(x.keyAddress(), x.keyLength(), y.keyAddress(), y.keyLength());
    if (order == 0) {
      return a < b;
    }
    return forward ? order < 0 : order > 0;
  }
}
