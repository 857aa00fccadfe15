package org.loam.asterix.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.apache.asterix.app.replication.message.NCLifecycleTaskReportMessage;
import org.apache.asterix.common.messaging.api.ICcAddressedMessage;
import org.apache.hyracks.storage.am.lsm.common.api.IIoOperationFailedCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.util.ExitUtil;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.asterix.node.LoamNode;

/**
 * A node that is halted once its engine takes no more writes, or after a flush or merge of
 * AsterixDB's that failed, as AsterixDB's own runtime halts it: the cluster learns of it, and
 * starting it again recovers. The cause is in the log, a full disk too, of which {@link
 * FullDiskLog} leaves out what is not fatal. {@link StartFault} says it of a node that has not
 * started yet, as after a recovery. Thread-safe.
 */
final class HaltingHost implements LoamNode.Host, IIoOperationFailedCallback {
  private static final Logger LOG = LogManager.getLogger();

  private final LongSupplier endLsn;
  private final StartFault fault;
  private final IntConsumer halt;

  @GuardedBy("this")
  private boolean isHalted;

  /**
   * @param endLsn the end of AsterixDB's log
   * @param fault is told what fails
   */
  HaltingHost(LongSupplier endLsn, StartFault fault) {
    this(endLsn, fault, ExitUtil::halt);
  }

  /**
   * @param halt ends the process with an exit code
   */
  HaltingHost(LongSupplier endLsn, StartFault fault, IntConsumer halt) {
    this.endLsn = endLsn;
    this.fault = fault;
    this.halt = halt;
  }

  @Override
  public long endLsn() {
    return endLsn.getAsLong();
  }

  @Override
  public void fenced(Throwable cause) {
    halt(ExitUtil.EC_IO_OPERATION_FAILED, "Loam takes no more writes", cause);
  }

  @Override
  public void operationFailed(ILSMIOOperation operation, Throwable cause) {
    halt(ExitUtil.EC_IO_OPERATION_FAILED, operation + " has failed", cause);
  }

  @Override
  public void schedulerFailed(ILSMIOOperationScheduler scheduler, Throwable cause) {
    halt(ExitUtil.EC_IO_SCHEDULER_FAILED, "the I/O scheduler has failed", cause);
  }

  /**
   * The last part of a start are tasks that the cluster controller sends: to recover, to write a
   * checkpoint, and others. If one fails, AsterixDB tells the cluster controller, and then ends the
   * node, which has told only its log.
   */
  void willSend(ICcAddressedMessage message) {
    if (message instanceof NCLifecycleTaskReportMessage report && !report.isSuccess()) {
      fault.say(report.getException());
    }
  }

  /** The first cause counts: others, as of flushes that ran beside the first, follow from it. */
  private synchronized void halt(int code, String what, Throwable cause) {
    if (isHalted) {
      return;
    }
    isHalted = true;
    try {
      fault.willEnd(cause);
      LOG.fatal("halting: {}", what, cause);
    } finally {
      halt.accept(code);
    }
  }
}
