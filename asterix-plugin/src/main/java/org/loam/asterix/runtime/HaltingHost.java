package org.loam.asterix.runtime;

import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.apache.hyracks.util.ExitUtil;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.asterix.node.LoamNode;

/**
 * A node that is halted once its engine takes no more writes, as AsterixDB's own storage halts it
 * after a flush or merge that failed: the cluster learns of it, and starting it again recovers.
 */
final class HaltingHost implements LoamNode.Host {
  private static final Logger LOG = LogManager.getLogger();

  private final LongSupplier endLsn;
  private final IntConsumer halt;

  /**
   * @param endLsn the end of AsterixDB's log
   */
  HaltingHost(LongSupplier endLsn) {
    this(endLsn, ExitUtil::halt);
  }

  /**
   * @param halt ends the process with an exit code
   */
  HaltingHost(LongSupplier endLsn, IntConsumer halt) {
    this.endLsn = endLsn;
    this.halt = halt;
  }

  @Override
  public long endLsn() {
    return endLsn.getAsLong();
  }

  @Override
  public void fenced(Throwable cause) {
    try {
      LOG.fatal("halting: Loam takes no more writes", cause);
    } finally {
      halt.accept(ExitUtil.EC_IO_OPERATION_FAILED);
    }
  }
}
