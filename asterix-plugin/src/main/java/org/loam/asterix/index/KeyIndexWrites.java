package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.jspecify.annotations.Nullable;

/** Redoes and undoes inserts in the index of keys beside a primary index. */
final class KeyIndexWrites {
  private final String primaryPath;
  private final KeyIndexes indexes;
  private volatile @Nullable LoamIndex found;
  private volatile boolean lookedFor;

  KeyIndexWrites(String primaryPath, KeyIndexes indexes) {
    this.primaryPath = primaryPath;
    this.indexes = indexes;
  }

  /** Redoes the insert of a tuple or undoes it, if there still is an index of keys. */
  void write(LoamOpContext context, ITupleReference tuple) throws HyracksDataException {
    LoamIndex index = find(context.isRecovery());
    if (index == null) {
      return;
    }
    ILSMIndexAccessor accessor = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    try {
      accessor.getOpContext().setRecovery(context.isRecovery());
      accessor.forceUpsert(tuple);
    } finally {
      accessor.destroy();
    }
  }

  private @Nullable LoamIndex find(boolean isRecovery) throws HyracksDataException {
    // Looking for it reads files, and in recovery none comes or goes.
    if (!isRecovery || !lookedFor) {
      found = indexes.open(primaryPath);
      lookedFor = true;
    }
    return found;
  }
}
