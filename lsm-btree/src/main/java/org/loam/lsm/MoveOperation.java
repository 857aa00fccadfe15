package org.loam.lsm;

import java.util.function.BooleanSupplier;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.StepResult;

/** A merge of one table with nothing in its way: only its place in the manifest changes. */
final class MoveOperation implements BackgroundOperation {
  private final IoClass ioClass;
  private final BooleanSupplier install;
  private final Runnable end;

  /**
   * @param install does it; false if there is nothing to do any more
   * @param end to be run if it was not done
   */
  MoveOperation(IoClass ioClass, BooleanSupplier install, Runnable end) {
    this.ioClass = ioClass;
    this.install = install;
    this.end = end;
  }

  @Override
  public IoClass ioClass() {
    return ioClass;
  }

  @Override
  public long remainingInputBytes() {
    return 0;
  }

  @Override
  public long transferredBytes() {
    return 0;
  }

  @Override
  public StepResult step(long quantumBytes) {
    if (!install.getAsBoolean()) {
      end.run();
    }
    return StepResult.DONE;
  }

  @Override
  public void force() {}

  @Override
  public void abort() {
    end.run();
  }
}
