package org.loam.lsm;

import java.util.function.BooleanSupplier;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.SmallOperation;
import org.loam.scheduler.work.StepResult;

/** A merge of one table with nothing in its way: only its place in the manifest changes. */
final class MoveOperation extends SmallOperation {
  private final BooleanSupplier install;
  private final Runnable end;

  /**
   * @param install does it; false if there is nothing to do any more
   * @param end to be run if it was not done
   */
  MoveOperation(IoClass ioClass, BooleanSupplier install, Runnable end) {
    super(ioClass);
    this.install = install;
    this.end = end;
  }

  @Override
  public StepResult step(long quantumBytes) {
    if (!install.getAsBoolean()) {
      end.run();
    }
    return StepResult.DONE;
  }

  @Override
  public void abort() {
    end.run();
  }
}
