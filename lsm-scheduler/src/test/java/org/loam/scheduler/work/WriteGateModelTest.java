package org.loam.scheduler.work;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.RealEnv;

/**
 * Lincheck's model checker tries small scenarios in many schedules: each must be one of the gate
 * used by one thread after the other.
 */
public class WriteGateModelTest {
  private static final StorageEnv ENV = RealEnv.create();

  private final WriteGate gate = new WriteGate(1, ENV, new StallLog(4));

  /** Shuts the gate. */
  @Operation
  public void shut() {
    gate.set(StallCause.L0_STOP);
  }

  /** Shuts the gate for another cause. */
  @Operation
  public void shutToo() {
    gate.set(StallCause.COMPONENT_CONSTRAINT);
  }

  /** Opens it. */
  @Operation
  public void open() {
    gate.set(null);
  }

  /** Opens it for good. */
  @Operation
  public void release() {
    gate.release();
  }

  /** Whether it is shut. */
  @Operation
  public boolean isShut() {
    return gate.violation() != null;
  }

  /** Passes if it can without a wait. */
  @Operation
  public boolean pass() {
    return gate.pass(0, Long.MIN_VALUE / 2, () -> {});
  }

  @Test
  void aGateIsOneThing() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(0)
        .iterations(25)
        .invocationsPerIteration(50)
        .check(WriteGateModelTest.class);
  }
}
