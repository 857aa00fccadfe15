package org.loam.asterix.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.impls.LoadOperation;

/**
 * The loads of an index, from their begin to their end. What has to be empty for a load has to be
 * fresh: redo makes writes again that are in the log, over what was loaded; and after a flush
 * AsterixDB could not note the load, whose checkpoint would go back in its log.
 *
 * <p>A load is alone, because one that fails leaves the index empty, and because it may be flushed
 * at any moment. AsterixDB's locks let others load and write meanwhile; they are refused.
 * Thread-safe.
 */
final class IndexLoads {
  private final IndexTree tree;
  private final Check check;
  private final byte[] keyTypes;

  /** Held while a load begins or ends, and while a flush is noted, or begins for a load. */
  private final Object noting = new Object();

  /** Written while {@link #noting} is held. */
  private volatile boolean isLoading;

  /** Whether there is a load into the fresh index. */
  @GuardedBy("noting")
  private boolean isFreshLoading;

  /** Says whether the index is fresh. */
  interface Check {
    /** Looks. */
    boolean isFresh() throws HyracksDataException;
  }

  /** What is done while no load begins or ends. */
  interface Work {
    /** Does it. */
    void run() throws HyracksDataException;
  }

  /** Makes what AsterixDB calls a load. */
  interface Operations {
    /** Makes one. */
    LoadOperation create() throws HyracksDataException;
  }

  /**
   * @param check says whether the index is fresh; asked while no flush is being noted
   * @param keyTypes the tags of the types of the fields that are the index's key
   */
  IndexLoads(IndexTree tree, Check check, byte[] keyTypes) {
    this.tree = tree;
    this.check = check;
    this.keyTypes = keyTypes;
  }

  /**
   * Begins a load.
   *
   * @param requiresFresh whether an index that is not fresh refuses it
   * @param verifies whether a key that comes twice is a failure
   */
  LoamBulkLoader begin(boolean requiresFresh, boolean verifies, Operations operations)
      throws HyracksDataException {
    begin(requiresFresh);
    boolean begun = false;
    try {
      LoamBulkLoader loader =
          new LoamBulkLoader(
              tree, operations.create(), new TupleKeys(keyTypes), verifies, this::end);
      begun = true;
      return loader;
    } finally {
      if (!begun) {
        end();
      }
    }
  }

  /** If the index is fresh, no flush of it is noted until the load has ended. */
  private void begin(boolean requiresFresh) throws HyracksDataException {
    synchronized (noting) {
      if (!isLoading && (!requiresFresh || check.isFresh())) {
        isFreshLoading = refuseWrites(requiresFresh);
        if (isLoading) {
          return;
        }
      }
      throw HyracksDataException.create(ErrorCode.LOAD_NON_EMPTY_INDEX);
    }
  }

  /**
   * Refuses writes, and then looks once more, under the lock of notes: a transaction is counted
   * before it asks for loads, so either it sees the load, or the load sees it.
   *
   * @return whether the index is fresh; if it has to be and is not, writes go on
   */
  boolean refuseWrites(boolean requiresFresh) throws HyracksDataException {
    isLoading = true;
    boolean isFresh = false;
    try {
      isFresh = check.isFresh();
      return isFresh;
    } finally {
      isLoading = isFresh || !requiresFresh;
    }
  }

  /** Ends the load that {@link #begin} began. */
  void end() {
    synchronized (noting) {
      isLoading = false;
      isFreshLoading = false;
    }
  }

  /** Whether the index is being loaded; a load may begin or end at any moment. */
  boolean isLoading() {
    return isLoading;
  }

  /**
   * Begins a flush if the index is being loaded. Only the load writes to the index then, so a flush
   * may begin at any moment. The load does not end meanwhile: a transaction may write after that,
   * whose rollback needs its writes in memory. AsterixDB must not note such a flush, or half of the
   * load would count.
   *
   * @return whether the index is being loaded
   */
  boolean ifLoading(Work flush) throws HyracksDataException {
    synchronized (noting) {
      if (isLoading) {
        flush.run();
      }
      return isLoading;
    }
  }

  /** Refuses a write of a transaction while the index is being loaded. */
  void requireNone() throws HyracksDataException {
    if (isLoading()) {
      throw HyracksDataException.create(
          new IllegalStateException(
              "the index is being loaded: it takes no writes until the load has ended"));
    }
  }

  /** Notes a flush, unless a load into the fresh index runs. */
  void unlessFresh(Work note) throws HyracksDataException {
    synchronized (noting) {
      if (!isFreshLoading) {
        note.run();
      }
    }
  }
}
