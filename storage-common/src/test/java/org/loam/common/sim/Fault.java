package org.loam.common.sim;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A fault to inject: which calls it concerns, and which of these fail. Immutable; by default the
 * first call that the effect applies to fails, once.
 *
 * @param nth the call that fails, from 1, counted among the calls concerned after it was planned
 * @param sticky whether all later ones fail too
 * @param oneIn if positive, calls fail at random, one in so many, and {@code nth} means nothing
 */
public record Fault(
    FaultEffect effect, Predicate<IoCall> where, long nth, boolean sticky, int oneIn) {

  /** A call that fails as told by the effect. */
  public static Fault of(FaultEffect effect) {
    return new Fault(effect, call -> effect.appliesTo(call.kind()), 1, false, 0);
  }

  /** Only calls of these kinds. */
  public Fault on(IoKind first, IoKind... more) {
    Set<IoKind> kinds = EnumSet.of(first, more);
    return where(call -> kinds.contains(call.kind()));
  }

  /** Only calls on paths like that. */
  public Fault onPath(Predicate<Path> paths) {
    return where(call -> paths.test(call.path()));
  }

  /** Only calls like that; conditions add up. */
  public Fault where(Predicate<IoCall> condition) {
    return new Fault(effect, where.and(condition), nth, sticky, oneIn);
  }

  /** The n-th call instead of the first. */
  public Fault nth(long n) {
    return new Fault(effect, where, n, sticky, oneIn);
  }

  /** All later calls, too, until the plan is cleared. */
  public Fault asSticky() {
    return new Fault(effect, where, nth, true, oneIn);
  }

  /** At random, one call in so many. */
  public Fault oneIn(int calls) {
    return new Fault(effect, where, nth, sticky, calls);
  }
}
