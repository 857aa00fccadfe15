package org.loam.asterix.index;

import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndexFileManager;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentFileReferences;
import org.apache.hyracks.storage.am.lsm.common.impls.TreeIndexFactory;

/**
 * The directory of an index, in which AsterixDB keeps the index's description and its checkpoints.
 * It has no component files; their names only count flushes.
 */
final class LoamFiles extends AbstractLSMIndexFileManager {
  private static final TreeIndexFactory<? extends ITreeIndex> NO_FACTORY = noFactory();

  LoamFiles(IIOManager ioManager, FileReference directory) {
    super(ioManager, directory, NO_FACTORY);
  }

  @SuppressWarnings("NullAway") // Never used: there are no files to open.
  private static TreeIndexFactory<? extends ITreeIndex> noFactory() {
    return null;
  }

  @Override
  public List<LSMComponentFileReferences> cleanupAndGetValidFiles() throws HyracksDataException {
    return List.of();
  }
}
