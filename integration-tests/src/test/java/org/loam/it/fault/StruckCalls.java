package org.loam.it.fault;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.common.sim.Fault;
import org.loam.common.sim.IoCall;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/** Plans the strike of a run, and watches what the engine does to the disk after it. */
final class StruckCalls {
  private final Simulation sim;
  private final Strike strike;
  private final long nth;
  private final long capacityBytes;
  private long seen;
  private @Nullable IoCall struck;
  private @Nullable Path brokenForce;
  private @Nullable String repeatedForce;
  private boolean logForceFailed;

  /**
   * @param nth counted among the calls that the strike concerns, from 1; 0 for none
   */
  StruckCalls(Simulation sim, Strike strike, long nth) {
    this.sim = sim;
    this.strike = strike;
    this.nth = nth;
    this.capacityBytes = sim.disk().capacityBytes();
  }

  void plan() {
    if (nth == 0 || strike.crashesAtCall()) {
      return;
    }
    if (strike.effect == null) {
      // Does not fail a call by itself: the disk does that.
      sim.faults().add(Fault.of(org.loam.common.sim.FaultEffect.IO_ERROR).where(this::fill));
      return;
    }
    Fault fault = Fault.of(strike.effect).where(this::concerned).nth(nth);
    sim.faults().add(strike.sticky ? fault.asSticky() : fault);
  }

  private boolean concerned(IoCall call) {
    boolean concerns = strike.concerns(call.kind());
    boolean fails = concerns && (seen + 1 == nth || (strike.sticky && seen + 1 > nth));
    if (fails && call.kind() == IoKind.FORCE && call.path().toString().contains("/log/")) {
      logForceFailed = true;
    }
    if (concerns && ++seen == nth) {
      struck = call;
      brokenForce = call.kind() == IoKind.FORCE ? call.path() : null;
    } else if (call.path().equals(brokenForce)) {
      if (call.kind() == IoKind.FORCE && !strike.sticky) {
        repeatedForce = "a force of " + brokenForce + " failed, and was repeated";
      } else if (call.kind() == IoKind.DELETE || call.kind() == IoKind.CREATE) {
        brokenForce = null;
      }
    }
    return concerns;
  }

  private boolean fill(IoCall call) {
    if (++seen == nth) {
      struck = call;
      sim.disk().capacityBytes(sim.disk().usedBytes() + nth % 7 * 4096);
    }
    return false;
  }

  /** Ends sticky faults, frees space. */
  void heal() {
    sim.disk().capacityBytes(capacityBytes);
    if (strike.sticky) {
      sim.faults().clear();
    }
  }

  /** A new process: what the old one forced does not bind it. */
  void processEnded() {
    brokenForce = null;
  }

  /** Whether a force of the log has failed, so that the log may have lost what was not forced. */
  boolean logForceFailed() {
    return logForceFailed;
  }

  /** The database was opened again. */
  void reopened() {
    logForceFailed = false;
  }

  /** The call that the strike hit, or null if it has not come yet. */
  @Nullable IoCall struck() {
    return struck;
  }

  /** What the engine must not have done; null if it did not. */
  @Nullable String repeatedForce() {
    return repeatedForce;
  }
}
