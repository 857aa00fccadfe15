package org.loam.log.recover;

import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.Mem;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentHeaderLayout;

/**
 * Shows the bytes of a segment through a buffer that moves forward in large aligned reads. It reads
 * past the page cache where the file system allows it, because after a failed force the page cache
 * may show bytes that the disk lost. Used by one thread.
 */
final class SegmentWindow implements AutoCloseable {
  private static final int READ_BYTES = 1 << 20;

  private final StorageFile file;
  private final long baseLsn;
  private final long endOffset;
  private long buffer;
  private int capacityBytes;
  private long windowOffset;
  private int windowBytes;

  SegmentWindow(StorageFiles files, SegmentFile segment) {
    SegmentHeader header = segment.header();
    baseLsn = header.baseLsn();
    endOffset = header.segmentBytes() - SegmentHeaderLayout.BLOCK_BYTES;
    capacityBytes = (int) Math.min(READ_BYTES, header.segmentBytes());
    file = files.open(segment.path(), StorageFiles.Mode.READ);
    buffer = Mem.allocate(capacityBytes, StorageFiles.ALIGNMENT, "log replay");
  }

  /** The address of {@code length} bytes at an LSN, all before the segment's last block. */
  long at(long lsn, long length) {
    long offset = lsn - baseLsn;
    if (offset < windowOffset || offset + length > windowOffset + windowBytes) {
      load(offset, length);
    }
    return buffer + (offset - windowOffset);
  }

  /** How many bytes from an LSN on the buffer has, of which {@link #at} has just shown some. */
  long bytesFrom(long lsn) {
    return windowOffset + windowBytes - (lsn - baseLsn);
  }

  private void load(long offset, long length) {
    if (offset + length > endOffset) {
      throw new AssertionError(
          length + " bytes at offset " + offset + " of " + file.path() + ", end " + endOffset);
    }
    long start = offset & -StorageFiles.ALIGNMENT;
    long needed = offset + length - start;
    if (needed > capacityBytes) {
      Mem.free(buffer);
      buffer = 0;
      capacityBytes =
          Math.toIntExact((needed + StorageFiles.ALIGNMENT - 1) & -StorageFiles.ALIGNMENT);
      buffer = Mem.allocate(capacityBytes, StorageFiles.ALIGNMENT, "log replay");
    }
    windowBytes = 0;
    int bytes = (int) Math.min(capacityBytes, endOffset - start);
    file.read(start, buffer, bytes);
    windowOffset = start;
    windowBytes = bytes;
  }

  @Override
  public void close() {
    if (buffer != 0) {
      Mem.free(buffer);
      buffer = 0;
    }
    file.close();
  }
}
