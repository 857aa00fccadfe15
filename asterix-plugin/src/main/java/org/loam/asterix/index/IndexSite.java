package org.loam.asterix.index;

import java.util.List;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMergePolicy;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMOperationTracker;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMPageWriteCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.common.buffercache.IBufferCache;
import org.apache.hyracks.util.trace.ITracer;
import org.loam.asterix.node.LoamNode;

/**
 * What an index is given by the node that it is on.
 *
 * @param loam the engine of the node
 * @param place where its files are
 * @param memory that the node has for it
 * @param duties what the node is told and does about components
 * @param tracer of the node
 * @param resource the id of the index in the log
 * @param noted what was noted of the index
 */
public record IndexSite(
    LoamNode loam,
    Place place,
    Memory memory,
    Duties duties,
    ITracer tracer,
    ResourceId resource,
    LastNoted noted) {
  /**
   * Where the files of an index are.
   *
   * @param ioManager of the node
   * @param directory of the index
   */
  public record Place(IIOManager ioManager, FileReference directory) {}

  /**
   * The memory of AsterixDB.
   *
   * @param components one for each memory component
   * @param bufferCache that of AsterixDB's own indexes
   */
  public record Memory(List<IVirtualBufferCache> components, IBufferCache bufferCache) {}

  /**
   * What the node is told and does about components.
   *
   * @param mergePolicy of the dataset
   * @param tracker counts operations, and has the index flushed
   * @param scheduler runs flushes and merges
   * @param ioCallbacks told of flushes and merges
   * @param pageCallbacks told of pages of components that are written
   */
  public record Duties(
      ILSMMergePolicy mergePolicy,
      ILSMOperationTracker tracker,
      ILSMIOOperationScheduler scheduler,
      ILSMIOOperationCallbackFactory ioCallbacks,
      ILSMPageWriteCallbackFactory pageCallbacks) {}
}
