package org.loam.engine;

import org.loam.common.error.DeadlineException;
import org.loam.common.error.StorageException;
import org.loam.scheduler.run.StallCause;

/**
 * Lets writes in while the component constraints of their trees hold, and to datasets while no
 * index is being built. Who waits holds no latch and no slot, and is on record with its cause.
 * Thread-safe.
 */
final class Admission {
  private final Runnable mayWait;
  private final WorkFaults faults;

  /**
   * @param mayWait throws when no more writes are taken
   * @param faults of the work that writes wait for
   */
  Admission(Runnable mayWait, WorkFaults faults) {
    this.mayWait = mayWait;
    this.faults = faults;
  }

  /** Waits until all trees of a batch take writes. */
  void admit(WriteBatch batch, WriteOptions options, long deadline) {
    mayWait.run();
    for (int i = 0; i < batch.size(); i++) {
      if (batch.changesTree(i)) {
        passGate(batch.handle(i), batch.dataBytes(), options, deadline);
      }
    }
  }

  /**
   * Waits while an index of a dataset is built, and until its trees take writes: for who must not
   * wait later, when it holds locks.
   */
  void admit(DatasetState dataset, WriteOptions options, long deadline) {
    mayWait.run();
    awaitBuild(dataset, options, deadline);
    for (Tree tree : dataset.trees()) {
      passGate(tree, 0, options, deadline);
    }
  }

  private void awaitBuild(DatasetState dataset, WriteOptions options, long deadline) {
    Runnable mayWaitForDataset =
        () -> {
          dataset.requireOpen();
          mayWait.run();
        };
    if (!dataset.gate().pass(0, deadline, mayWaitForDataset)) {
      throw tooLate(
          "dataset '" + dataset.name() + "'",
          options,
          StallCause.INDEX_BUILD,
          " of index '" + dataset.building() + "'");
    }
  }

  private void passGate(Tree tree, long bytes, WriteOptions options, long deadline) {
    if (!tree.lsm().gate().pass(bytes, deadline, mayWait)) {
      throw tooLate(tree.toString(), options, StallCause.L0_STOP, "");
    }
  }

  /**
   * The end of a wait that took too long.
   *
   * @param of which thing the cause is
   */
  DeadlineException tooLate(String target, WriteOptions options, StallCause cause, String of) {
    String message =
        "the write to "
            + target
            + " was not admitted within "
            + options.timeout()
            + ": "
            + cause
            + of
            + faults.describe(cause)
            + "; nothing was written, try again later or allow more time";
    StorageException fault = faults.behind(cause);
    return fault == null ? new DeadlineException(message) : new DeadlineException(message, fault);
  }
}
