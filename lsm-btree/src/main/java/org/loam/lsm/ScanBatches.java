package org.loam.lsm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;

/**
 * Batches that no scan is using. Most scans are short, and a fresh buffer for each would cost more
 * than what is read into it. Thread-safe.
 */
public final class ScanBatches {
  private static final int MAX_IDLE = 64;

  @GuardedBy("this")
  private final ArrayDeque<ScanBatch> idle = new ArrayDeque<>();

  /** An empty batch, to be given back. */
  public synchronized ScanBatch take() {
    ScanBatch batch = idle.pollFirst();
    return batch == null ? new ScanBatch() : batch;
  }

  /** Takes a batch back; its owner must not touch it any more. */
  public synchronized void give(ScanBatch batch) {
    batch.clear();
    if (idle.size() < MAX_IDLE && batch.isOfUsualSize()) {
      idle.addFirst(batch);
    }
  }
}
