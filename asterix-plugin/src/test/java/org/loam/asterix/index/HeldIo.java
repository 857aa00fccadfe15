package org.loam.asterix.index;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.storage.am.lsm.common.impls.SynchronousSchedulerProvider;

/** Runs flushes in the thread that asks for them, or later if they are held. For one thread. */
final class HeldIo implements ILSMIOOperationScheduler {
  private final ILSMIOOperationScheduler now =
      SynchronousSchedulerProvider.INSTANCE.getIoScheduler(null);
  private final Deque<ILSMIOOperation> held = new ArrayDeque<>();
  private boolean holds;

  /** From now on flushes wait. */
  void hold() {
    holds = true;
  }

  /** Runs what waited, and holds no more. */
  void release() throws HyracksDataException {
    holds = false;
    while (!held.isEmpty()) {
      now.scheduleOperation(held.remove());
    }
  }

  @Override
  public void scheduleOperation(ILSMIOOperation operation) throws HyracksDataException {
    if (holds) {
      held.add(operation);
    } else {
      now.scheduleOperation(operation);
    }
  }

  @Override
  public void completeOperation(ILSMIOOperation operation) {}
}
