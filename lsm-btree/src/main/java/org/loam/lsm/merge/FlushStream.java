package org.loam.lsm.merge;

import java.util.Iterator;
import java.util.List;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.VersionCursor;
import org.loam.lsm.memory.VersionRetention;
import org.loam.lsm.read.Entry;

/** Every version that is still needed of frozen memory components, one after the other. */
final class FlushStream implements EntryStream {
  private final Iterator<MemoryComponent> rest;
  private final VersionRetention retention;
  private final LastKey lastKey = new LastKey();
  private VersionCursor versions;
  private boolean started;
  private boolean newKey;
  private long consumedBytes;

  /**
   * A stream before its first entry.
   *
   * @param components at least one, in the order of their keys
   */
  FlushStream(List<MemoryComponent> components, VersionRetention retention) {
    this.rest = components.iterator();
    this.retention = retention;
    this.versions = rest.next().versions(retention);
  }

  @Override
  public boolean next() {
    boolean found = started ? versions.next() : versions.first();
    started = true;
    while (!found && rest.hasNext()) {
      versions.close();
      versions = rest.next().versions(retention);
      found = versions.first();
    }
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
