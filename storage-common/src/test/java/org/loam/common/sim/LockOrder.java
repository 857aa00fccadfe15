package org.loam.common.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which kinds of monitor were taken while which were held, in one simulation. A pair that {@link
 * DeclaredLocks} does not allow is a fault, and so is a cycle among the pairs, or two monitors of
 * one kind that are taken in both orders, even if no run ever deadlocks. Guarded by the baton.
 *
 * <p>A pair of kinds is judged once; afterwards it costs a look at one bit. The kind of a monitor
 * is its name without numbers, or the declared kind that its name begins with.
 */
final class LockOrder {
  private final List<String> kinds = new ArrayList<>();

  /** For each kind the kinds that were taken while it was held. */
  private final List<BitSet> takenInside = new ArrayList<>();

  /** For each kind the kinds that were held while its signal was awaited. */
  private final List<BitSet> heldInWait = new ArrayList<>();

  private final Set<Pair> ofOneKind = new HashSet<>();

  /** Two monitors of one kind: the second was the next to be taken while the first was held. */
  private record Pair(SimMonitor outer, SimMonitor inner) {}

  /** The number of a kind, by the name of a monitor. */
  int kind(String name) {
    String kind = DeclaredLocks.kindOf(name);
    int known = kinds.indexOf(kind);
    if (known >= 0) {
      return known;
    }
    kinds.add(kind);
    takenInside.add(new BitSet());
    heldInWait.add(new BitSet());
    return kinds.size() - 1;
  }

  /**
   * Returns what is wrong about a thread that takes a monitor with others held; null if all is
   * well.
   */
  @Nullable String taken(SimMonitor taken, HeldMonitors held) {
    BitSet kindsHeld = held.kinds();
    for (int outer = kindsHeld.nextSetBit(0); outer >= 0; outer = kindsHeld.nextSetBit(outer + 1)) {
      BitSet inside = takenInside.get(outer);
      if (!inside.get(taken.kind())) {
        inside.set(taken.kind());
        String wrong = judge(outer, taken.kind());
        if (wrong != null) {
          return wrong;
        }
      }
    }
    return takenBefore(taken, held.last());
  }

  /** Judges neighbours only: some threads take a hundred of a kind, one inside the other. */
  private @Nullable String takenBefore(SimMonitor taken, SimMonitor outer) {
    if (outer.kind() != taken.kind()) {
      return null;
    }
    ofOneKind.add(new Pair(outer, taken));
    return ofOneKind.contains(new Pair(taken, outer))
        ? "lock order: '"
            + taken.name()
            + "' was taken while '"
            + outer.name()
            + "' was held; it was the other way round, too"
        : null;
  }

  private @Nullable String judge(int outer, int inner) {
    String outerKind = kinds.get(outer);
    String innerKind = kinds.get(inner);
    if (outerKind.startsWith(DeclaredLocks.PLAIN) && !innerKind.startsWith(DeclaredLocks.PLAIN)) {
      return "plain lock: '" + innerKind + "' was taken while a " + outerKind + " was held";
    }
    String pair = "'" + innerKind + "' was taken while '" + outerKind + "' was held";
    if (DeclaredLocks.isDeclared(outerKind) && DeclaredLocks.isDeclared(innerKind)) {
      return DeclaredLocks.mayTake(outerKind, innerKind)
          ? null
          : "lock order: " + pair + "; the section Locks of ARCHITECTURE.md does not allow it";
    }
    return leads(inner, outer, new BitSet())
        ? "lock order: " + pair + "; it was, over any number of locks, the other way round, too"
        : null;
  }

  /** Whether a chain of kinds, each taken inside the one before, leads from one to another. */
  private boolean leads(int from, int to, BitSet seen) {
    if (from == to) {
      return true;
    }
    BitSet inside = takenInside.get(from);
    for (int next = inside.nextSetBit(0); next >= 0; next = inside.nextSetBit(next + 1)) {
      if (!seen.get(next)) {
        seen.set(next);
        if (leads(next, to, seen)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns what is wrong about a thread that waits with other monitors held; null if all is well.
   */
  @Nullable String awaited(SimMonitor awaited, HeldMonitors held) {
    BitSet known = heldInWait.get(awaited.kind());
    BitSet kindsHeld = held.kinds();
    for (int other = kindsHeld.nextSetBit(0); other >= 0; other = kindsHeld.nextSetBit(other + 1)) {
      if (held.hasAnother(other, awaited) && !known.get(other)) {
        known.set(other);
        String awaitedKind = kinds.get(awaited.kind());
        String otherKind = kinds.get(other);
        if (!DeclaredLocks.mayAwait(otherKind, awaitedKind)) {
          return "wait: a signal of '"
              + awaitedKind
              + "' was awaited while '"
              + otherKind
              + "' was held; the section Locks of ARCHITECTURE.md does not allow it";
        }
      }
    }
    return null;
  }
}
