package org.loam.engine.operation;

import org.loam.common.codec.Crc32c;
import org.loam.log.format.BatchEncoder;
import org.loam.lsm.PointRead;
import org.loam.lsm.Workspace;
import org.loam.lsm.memory.InsertionPoints;

/** What one operation at a time needs, so that it allocates nothing. */
public final class OperationContext {
  final int slot;
  public final Workspace workspace;
  public final PointRead read;
  public final BatchEncoder encoder = new BatchEncoder();
  public final Crc32c crc = new Crc32c();
  public final InsertionPoints points = new InsertionPoints();

  OperationContext(int slot, int scratchBytes, int pageBytes) {
    this.slot = slot;
    this.workspace = new Workspace(scratchBytes);
    this.read = new PointRead(pageBytes);
  }
}
