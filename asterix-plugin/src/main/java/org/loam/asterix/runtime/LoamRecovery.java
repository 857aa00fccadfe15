package org.loam.asterix.runtime;

import java.io.IOException;
import java.util.Set;
import org.apache.asterix.app.nc.RecoveryManager;
import org.apache.asterix.common.transactions.ILogReader;
import org.apache.asterix.common.transactions.ITransactionSubsystem;
import org.apache.hyracks.api.application.INCServiceContext;
import org.loam.asterix.node.LoamNode;

/**
 * AsterixDB's recovery of a node, which makes the flushes that Loam wants meanwhile by itself,
 * between two log records. A flush of the dataset, as at other times, would meet the redo in the
 * middle of a write. It would also note in the checkpoint of each index that everything in the log
 * is on disk, although most of the log is still to be redone.
 */
public final class LoamRecovery extends RecoveryManager {
  /** As AsterixDB's own. */
  public LoamRecovery(INCServiceContext service, ITransactionSubsystem transactions) {
    super(service, transactions);
  }

  @Override
  public synchronized void replayPartitionsLogs(
      Set<Integer> partitions, ILogReader reader, long startLsn, boolean closeOnFlush)
      throws IOException {
    LoamNode loam = ((LoamRuntimeContext) appCtx).loam();
    super.replayPartitionsLogs(partitions, new RedoReader(reader, loam), startLsn, closeOnFlush);
  }
}
