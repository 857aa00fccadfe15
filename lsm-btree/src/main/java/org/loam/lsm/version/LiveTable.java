package org.loam.lsm.version;

import java.nio.file.Path;
import org.loam.lsm.disk.SSTable;
import org.loam.scheduler.merge.Component;

/** An SSTable in use: its reader, and what merge policies see of it. Immutable. */
public final class LiveTable {
  private final SSTable table;
  private final Component component;

  public LiveTable(SSTable table) {
    this.table = table;
    var meta = table.meta();
    this.component = new Component(meta.fileId(), meta.sizeBytes(), meta.keys());
  }

  public SSTable table() {
    return table;
  }

  /** The table as merge policies see it. */
  public Component component() {
    return component;
  }

  /**
   * Whether the table has entries that a merge into the last level leaves out if no reader needs
   * them: anti-matter, or older versions of a key.
   */
  public boolean mayShrink() {
    return table.meta().counts().antiMatter() > 0 || table.hasSeveralVersions();
  }

  /** Where its file is. */
  public Path path() {
    return table.file().path();
  }

  public int fileId() {
    return table.meta().fileId();
  }
}
