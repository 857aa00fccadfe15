package org.loam.lsm.merge;

import org.loam.lsm.memory.VersionCursor;
import org.loam.lsm.read.Entry;

/** Every version that is still needed of a frozen memory component. */
final class FlushStream implements EntryStream {
  private final VersionCursor versions;
  private final LastKey lastKey = new LastKey();
  private boolean started;
  private boolean newKey;
  private long consumedBytes;

  FlushStream(VersionCursor versions) {
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
  public Entry entry() {
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
