package org.loam.asterix.index;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.common.IResource;

/** Makes what an index tells of its flushes and loads; never written to a file. */
@SuppressWarnings("serial")
public final class IoCallbacks implements ILSMIOOperationCallbackFactory {
  private final Factory factory;

  /** Makes the callback of an index. */
  public interface Factory {
    /** The callback. */
    ILSMIOOperationCallback make(ILSMIndex index) throws HyracksDataException;
  }

  IoCallbacks(Factory factory) {
    this.factory = factory;
  }

  @Override
  public void initialize(INCServiceContext service, IResource resource) {}

  @Override
  public ILSMIOOperationCallback createIoOpCallback(ILSMIndex index) throws HyracksDataException {
    return factory.make(index);
  }

  @Override
  public int getCurrentMemoryComponentIndex() {
    return 0;
  }

  @Override
  public JsonNode toJson(IPersistedResourceRegistry registry) {
    throw new UnsupportedOperationException("stays in memory");
  }
}
