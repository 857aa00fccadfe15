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
 * @param directory of the index
 * @param memory one for each memory component
 * @param bufferCache that of AsterixDB's own indexes
 * @param tracker counts operations, and has the index flushed
 * @param resource the id of the index in the log
 */
public record IndexSite(
    LoamNode loam,
    IIOManager ioManager,
    FileReference directory,
    List<IVirtualBufferCache> memory,
    IBufferCache bufferCache,
    ILSMMergePolicy mergePolicy,
    ILSMOperationTracker tracker,
    ILSMIOOperationScheduler scheduler,
    ILSMIOOperationCallbackFactory ioCallbacks,
    ILSMPageWriteCallbackFactory pageCallbacks,
    ITracer tracer,
    ResourceId resource) {}
