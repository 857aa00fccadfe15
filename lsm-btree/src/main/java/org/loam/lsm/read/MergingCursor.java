package org.loam.lsm.read;

import java.util.Arrays;
import org.loam.common.key.Heads;
import org.loam.common.mem.Mem;

/**
 * Merges the entries of several components into one order: by key, and of equal keys the newest
 * component first (Stability §2.1). A loser tree over the first eight bytes of the keys; ties are
 * settled by the whole keys. One thread at a time; one direction for life.
 *
 * <p>It shows every entry of every source: that only the first of equal keys counts is for the
 * caller to apply.
 */
public final class MergingCursor implements AutoCloseable {
  private static final int NOBODY = -1;

  private final EntryCursor[] sources;
  private final boolean forward;
  private final boolean[] live;
  private final long[] heads;

  /** At 0 the winner, at 1..n-1 the loser of the match at that node. */
  private final int[] matches;

  /**
   * @param sources newest first; owned by this cursor from here on
   * @param forward ascending keys, or else descending
   */
  public MergingCursor(EntryCursor[] sources, boolean forward) {
    this.sources = sources;
    this.forward = forward;
    this.live = new boolean[sources.length];
    this.heads = new long[sources.length];
    this.matches = new int[Math.max(1, sources.length)];
  }

  /**
   * Moves to the first entry in this cursor's direction; false if there is none. The oldest source
   * goes there first, as in {@link #seek}.
   */
  public boolean first() {
    for (int i = sources.length - 1; i >= 0; i--) {
      live[i] = forward ? sources[i].first() : sources[i].last();
    }
    return play();
  }

  /**
   * Moves to the first entry, in this cursor's direction, from a key on: at or after it when going
   * forward, before it when going backward. False if there is none. The oldest source goes there
   * first: it has most of the entries, and the others can learn from it how far they have to go.
   */
  public boolean seek(long keyAddress, int keyLength) {
    for (int i = sources.length - 1; i >= 0; i--) {
      live[i] =
          forward
              ? sources[i].ceiling(keyAddress, keyLength)
              : sources[i].lower(keyAddress, keyLength);
    }
    return play();
  }

  /** Moves on by one entry; false past the end. */
  public boolean advance() {
    int winner = matches[0];
    live[winner] = forward ? sources[winner].next() : sources[winner].previous();
    if (live[winner]) {
      loadHead(winner);
    }
    replay(winner);
    return live[matches[0]];
  }

  /** The source at whose entry this cursor is. */
  public EntryCursor current() {
    return sources[matches[0]];
  }

  /** Index of {@link #current} among the sources. */
  public int currentIndex() {
    return matches[0];
  }

  @Override
  public void close() {
    for (EntryCursor source : sources) {
      source.close();
    }
  }

  private boolean play() {
    if (sources.length == 0) {
      return false;
    }
    Arrays.fill(matches, NOBODY);
    for (int i = sources.length - 1; i >= 0; i--) {
      if (live[i]) {
        loadHead(i);
      }
      replay(i);
    }
    return live[matches[0]];
  }

  private void loadHead(int source) {
    EntryCursor s = sources[source];
    heads[source] = Heads.of(s.keyAddress(), s.keyLength());
  }

  /** Plays the matches from a source's leaf up to the root; nobody wins against anybody. */
  private void replay(int source) {
    int winner = source;
    for (int node = (source + sources.length) >>> 1; node > 0; node >>>= 1) {
      int opponent = matches[node];
      if (winner != NOBODY && (opponent == NOBODY || before(opponent, winner))) {
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
    EntryCursor x = sources[a];
    EntryCursor y = sources[b];
    int order = Mem.compare(x.keyAddress(), x.keyLength(), y.keyAddress(), y.keyLength());
    if (order == 0) {
      return a < b;
    }
    return forward ? order < 0 : order > 0;
  }
}
