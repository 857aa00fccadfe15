package org.loam.common.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The faults of a simulation. To be used by the thread that holds the baton, as all else. */
public final class FaultPlan {
  private final SimRandom random;
  private final List<Planned> active = new ArrayList<>();
  private long planned;
  private long fired;
  private long callsFailed;

  private static final class Planned {
    final Fault fault;
    long callsSeen;
    boolean fired;

    Planned(Fault fault) {
      this.fault = fault;
    }
  }

  FaultPlan(SimRandom random) {
    this.random = random;
  }

  /** Plans a fault; its calls count from now. */
  public void add(Fault fault) {
    active.add(new Planned(fault));
    planned++;
  }

  /** Heals the disk: no fault that is planned strikes any more. The counts stay. */
  public void clear() {
    active.clear();
  }

  /** How many faults were planned. */
  public long planned() {
    return planned;
  }

  /** How many of them have made at least one call fail. */
  public long fired() {
    return fired;
  }

  /** How many calls have failed. */
  public long callsFailed() {
    return callsFailed;
  }

  boolean isEmpty() {
    return active.isEmpty();
  }

  /** How the call fails; null if it does not. */
  @Nullable FaultEffect effectOn(IoCall call) {
    FaultEffect effect = null;
    for (Planned plan : active) {
      if (plan.fault.where().test(call) && strikes(plan) && effect == null) {
        effect = plan.fault.effect();
        callsFailed++;
        fired += plan.fired ? 0 : 1;
        plan.fired = true;
      }
    }
    return effect;
  }

  private boolean strikes(Planned plan) {
    Fault fault = plan.fault;
    plan.callsSeen++;
    if (fault.oneIn() > 0) {
      return random.oneIn(fault.oneIn());
    }
    return plan.callsSeen == fault.nth() || (fault.sticky() && plan.callsSeen > fault.nth());
  }
}
