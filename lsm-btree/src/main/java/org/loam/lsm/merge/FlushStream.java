package org.loam.lsm.merge;

import org.loam.lsm.read.EntryCursor;

/** Every version that is still needed of a frozen memory component. */
final class FlushStream implements EntryStream {
  private final EntryCursor versions;
  private final LastKey lastKey = new LastKey();
  private boolean started;
  private boolean newKey;
  private long consumedBytes;

  FlushStream(EntryCursor versions) {
    this.versions = versions;
  }

  @Override
  public boolean next() {
    boolean found = started ? versions.next() : versions.first();
    started = true;
    if (found) {
      newKey = lastKey.update(versions);
      consumedBytes += LastKey.sizeBytes(versions);
    }
    return found;
  }

  @Override
  public EntryCursor entry() {
    return versions;
  }

  @Override
  public boolean isNewKey() {
    return newKey;
  }

  @Override
  public long consumedBytes() {
    return consumedBytes;
  }

  @Override
  public void close() {
    versions.close();
  }
}
