package org.loam.lsm;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.KeySpan;

/** Where a flush of several components ends one table and begins the next. Pure. */
final class FlushCuts {
  private FlushCuts() {}

  /**
   * The guards that begin a part with a component, unless these are too small to be cut there; and
   * always the last one of several between two components. A table across such a gap would be above
   * all that lies there, however few entries it has: a merge out of L0 would take everything
   * between its ends.
   *
   * @param pieces have no key in common, and are in the order of their keys
   * @param guards within their keys, ascending
   * @param minPieceBytes what a table should have at least
   * @return ascending
   */
  static List<byte[]> of(List<Frozen> pieces, List<byte[]> guards, long minPieceBytes) {
    TreeSet<byte[]> cuts = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < guards.size(); i++) {
      KeySpan part = new KeySpan(guards.get(i), i + 1 < guards.size() ? guards.get(i + 1) : null);
      if (pieces.stream().anyMatch(piece -> piece.keys().overlaps(part))) {
        cuts.add(guards.get(i));
      }
    }
    if (pieces.stream().mapToLong(Frozen::usedBytes).sum() < cuts.size() * minPieceBytes) {
      cuts.clear();
    }
    for (int i = 1; i < pieces.size(); i++) {
      List<byte[]> gap = between(guards, pieces.get(i - 1).keys(), pieces.get(i).keys());
      if (gap.size() > 1) {
        cuts.add(gap.get(gap.size() - 1));
      }
    }
    return List.copyOf(cuts);
  }

  /** The guards above all keys of a span, up to the first one of another. */
  private static List<byte[]> between(List<byte[]> guards, KeySpan low, KeySpan high) {
    return guards.stream()
        .filter(guard -> low.isBelow(new KeySpan(guard, null)))
        .filter(guard -> high.low() != null && Arrays.compareUnsigned(guard, high.low()) <= 0)
        .toList();
  }
}
