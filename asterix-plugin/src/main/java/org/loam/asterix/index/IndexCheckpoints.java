package org.loam.asterix.index;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.asterix.common.storage.IIndexCheckpointManager;
import org.apache.asterix.common.storage.IndexCheckpoint;
import org.apache.asterix.common.utils.StorageConstants;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndexFileManager;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageException;
import org.loam.common.mem.FileBytes;

/**
 * The checkpoints of an index, of which AsterixDB has two: the first one stays until the second
 * flush, in case that a crash leaves the next one half-written. AsterixDB also takes it where the
 * next one cannot be read for a moment, and then the index would seem to be new.
 *
 * @param directory of the index
 * @param manager AsterixDB's reader of them
 */
public record IndexCheckpoints(StorageFiles files, Path directory, IIndexCheckpointManager manager)
    implements LastNoted {
  /** A checkpoint has a few hundred. */
  private static final int MOST_BYTES = 1 << 20;

  private static final long NEW = AbstractLSMIndexFileManager.UNINITIALIZED_COMPONENT_SEQ;

  @Override
  public long sequence() throws HyracksDataException {
    long latest = manager.getLatest().getValidComponentSequence();
    return latest == NEW ? highest() : latest;
  }

  private long highest() throws HyracksDataException {
    try {
      long highest = NEW;
      for (String name : files.list(directory)) {
        if (name.startsWith(StorageConstants.INDEX_CHECKPOINT_FILE_PREFIX)) {
          highest = Math.max(highest, sequence(text(directory.resolve(name))));
        }
      }
      return highest;
    } catch (StorageException e) {
      throw HyracksDataException.create(e);
    }
  }

  private static long sequence(String checkpoint) {
    try {
      return IndexCheckpoint.fromJson(checkpoint).getValidComponentSequence();
    } catch (HyracksDataException e) {
      // It is half-written, so the one before counts.
      return NEW;
    }
  }

  private String text(Path path) {
    return new String(FileBytes.last(files, path, MOST_BYTES), StandardCharsets.UTF_8);
  }
}
