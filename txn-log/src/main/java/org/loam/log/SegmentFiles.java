package org.loam.log;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;
import org.loam.log.format.Checksum;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentHeaderLayout;
import org.loam.log.format.SegmentLink;
import org.loam.log.recover.SegmentFile;

/**
 * Creates, recycles, closes and deletes segment files so that a crash at any point leaves every
 * named segment with a valid header. Used by one thread at a time.
 */
final class SegmentFiles implements AutoCloseable {
  private final StorageFiles files;
  private final Path directory;
  private final long identity;
  private final long segmentBytes;
  private final int windowBytes;
  private final LogProgress progress;
  private final Checksum checksum = new Checksum();
  private final long chunk;

  SegmentFiles(
      StorageFiles files, Path directory, long identity, LogConfig config, LogProgress progress) {
    this.files = files;
    this.directory = directory;
    this.identity = identity;
    this.segmentBytes = config.segmentBytes();
    this.windowBytes = config.windowBytes();
    this.progress = progress;
    chunk = Mem.allocate(windowBytes, StorageFiles.ALIGNMENT, "log segment writes");
  }

  /**
   * Makes a new file, fully written, under its final name.
   *
   * @throws DiskFullException if there is no room; nothing is left behind then
   */
  LogSegment create(int slot, SegmentLink link) {
    Path path = directory.resolve(SegmentFile.name(slot));
    Path unfinished = directory.resolve(SegmentFile.unfinishedName(slot));
    long free = files.usableBytes(directory);
    if (free < segmentBytes) {
      throw new DiskFullException(
          "log segment "
              + path
              + " needs "
              + segmentBytes
              + " bytes, free are "
              + free
              + ": free some space, writing goes on by itself",
          segmentBytes,
          free);
    }
    if (files.exists(unfinished)) {
      files.delete(unfinished);
    }
    SegmentHeader header = header(slot, link);
    try {
      writeNew(unfinished, header);
      files.rename(unfinished, path);
      files.forceDirectory(directory);
      return open(path, header);
    } catch (StorageException e) {
      deleteLeftover(unfinished, e);
      deleteLeftover(path, e);
      throw e;
    }
  }

  /** Opens a free file, to {@link #recycle} it; changes nothing. */
  StorageFile openFree(int slot) {
    return files.open(directory.resolve(SegmentFile.name(slot)), Mode.WRITE_BUFFERED);
  }

  /**
   * Gives a free file a new place in the log.
   *
   * @param file open; taken over
   * @param found as found at the start; null if this life of the log has written its header
   * @throws StorageException if that failed; the file must not be used any more then
   */
  LogSegment recycle(StorageFile file, int slot, SegmentLink link, @Nullable SegmentFile found) {
    try {
      if (found != null) {
        settleHeader(file, found);
      }
      SegmentHeader header = header(slot, link);
      rewriteHeader(file, header);
      return LogSegment.prepared(file, header, windowBytes);
    } catch (StorageException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Makes both copies of a header durable that was read from a file of an earlier life. One of them
   * may be in the page cache only, because that process died or its force failed; to be done before
   * the other one is overwritten. At every step the disk has a copy that says the same as now.
   */
  void settleHeader(SegmentFile found) {
    try (StorageFile file = files.open(found.path(), Mode.WRITE_BUFFERED)) {
      settleHeader(file, found);
    }
  }

  private void settleHeader(StorageFile file, SegmentFile found) {
    SegmentHeader first = found.first();
    if (first != null && !first.equals(found.last())) {
      // The rewrite did not get to the first copy, so that one is durable.
      rewriteHeader(file, found.header());
      return;
    }
    // It got there, which it may only once the last copy is durable.
    SegmentHeaderLayout.write(chunk, found.header(), checksum);
    file.write(0, chunk, SegmentHeaderLayout.BLOCK_BYTES);
    file.force();
  }

  /** Replaces a durable header; a crash leaves the old or the new one. */
  void rewriteHeader(Path path, SegmentHeader header) {
    try (StorageFile file = files.open(path, Mode.WRITE_BUFFERED)) {
      rewriteHeader(file, header);
    }
  }

  private void rewriteHeader(StorageFile file, SegmentHeader header) {
    SegmentHeaderLayout.write(chunk, header, checksum);
    // One copy after the other: the first must be whole before the second may be torn.
    file.write(lastBlockOffset(header), chunk, SegmentHeaderLayout.BLOCK_BYTES);
    file.force();
    file.write(0, chunk, SegmentHeaderLayout.BLOCK_BYTES);
    file.force();
  }

  /**
   * Makes durable what an earlier process wrote, or perhaps only seemed to: after a force that
   * failed, the page cache may hold bytes that no other force would write.
   */
  void rewrite(Path path, long fromOffset, long toOffset) {
    try (StorageFile source = files.open(path, Mode.READ);
        StorageFile target = files.open(path, Mode.WRITE_BUFFERED)) {
      long offset = fromOffset & -StorageFiles.ALIGNMENT;
      while (offset < toOffset) {
        int bytes = (int) Math.min(windowBytes, toOffset - offset);
        source.read(offset, chunk, bytes);
        target.write(offset, chunk, bytes);
        offset += bytes;
      }
      target.force();
    }
  }

  /** Deletes a file; should a crash bring it back, its old header keeps it harmless. */
  void delete(Path path) {
    files.delete(path);
  }

  @Override
  public void close() {
    Mem.free(chunk);
  }

  private SegmentHeader header(int slot, SegmentLink link) {
    if (link.baseLsn() > CommitLog.LSN_LIMIT - segmentBytes) {
      throw new UnsupportedFormatException(
          "the log is at LSN "
              + progress.durableLsn()
              + " and gets no further segment: this release has no LSNs from "
              + CommitLog.LSN_LIMIT
              + " on; load the data into a new database");
    }
    return SegmentHeader.prepared(identity, slot, segmentBytes, link, progress.durableLsn());
  }

  private LogSegment open(Path path, SegmentHeader header) {
    StorageFile file = files.open(path, Mode.WRITE_BUFFERED);
    try {
      // Its pages are not touched ahead: see docs/adr/0010 for why that makes appends slower.
      return LogSegment.prepared(file, header, windowBytes);
    } catch (StorageException e) {
      file.close();
      throw e;
    }
  }

  private void writeNew(Path path, SegmentHeader header) {
    try (StorageFile file = files.open(path, Mode.CREATE_BUFFERED)) {
      long bytes = header.segmentBytes();
      Mem.fill(chunk, windowBytes, (byte) 0);
      for (long offset = 0; offset < bytes; offset += windowBytes) {
        file.write(offset, chunk, (int) Math.min(windowBytes, bytes - offset));
      }
      SegmentHeaderLayout.write(chunk, header, checksum);
      file.write(0, chunk, SegmentHeaderLayout.BLOCK_BYTES);
      file.write(lastBlockOffset(header), chunk, SegmentHeaderLayout.BLOCK_BYTES);
      file.force();
    }
  }

  private static long lastBlockOffset(SegmentHeader header) {
    return header.segmentBytes() - SegmentHeaderLayout.BLOCK_BYTES;
  }

  private void deleteLeftover(Path path, StorageException cause) {
    try {
      if (files.exists(path)) {
        files.delete(path);
      }
    } catch (StorageException e) {
      cause.addSuppressed(e);
    }
  }
}
