package org.loam.engine;

import org.loam.common.codec.Crc32c;
import org.loam.log.format.BatchEncoder;
import org.loam.lsm.PointRead;
import org.loam.lsm.Workspace;
import org.loam.lsm.memory.InsertionPoints;

/** What one operation at a time needs, so that it allocates nothing. */
final class OperationContext {
  final int slot;
  final Workspace workspace;
  final PointRead read;
  final BatchEncoder encoder = new BatchEncoder();
  final Crc32c crc = new Crc32c();
  final InsertionPoints points = new InsertionPoints();

  OperationContext(int slot, int scratchBytes, int pageBytes) {
    this.slot = slot;
    this.workspace = new Workspace(scratchBytes);
    this.read = new PointRead(pageBytes);
  }
}
