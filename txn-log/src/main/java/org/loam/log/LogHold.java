package org.loam.log;

import java.nio.file.Path;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.Mem;
import org.loam.log.format.Checksum;
import org.loam.log.format.FrameLayout;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentHeaderLayout;

/** A hold of the segments of a {@link TransactionLog}. */
final class LogHold implements CommitLog.Hold {
  private final StorageFiles files;
  private final LogParts parts;

  LogHold(StorageFiles files, LogParts parts) {
    this.files = files;
    this.parts = parts;
    parts.live().hold();
  }

  @Override
  public long copy(
      StorageFiles target, Path directory, long fromLsn, long endLsn, Runnable betweenPieces) {
    int pieceBytes = parts.config().windowBytes();
    long piece = Mem.allocate(pieceBytes, StorageFiles.ALIGNMENT, "copies of log segments");
    long bytes = 0;
    try {
      for (LogSegment segment : parts.live().between(fromLsn, endLsn)) {
        Path path = directory.resolve(segment.path().getFileName());
        try (StorageFile source = files.open(segment.path(), Mode.READ);
            StorageFile copy = target.open(path, Mode.CREATE_BUFFERED)) {
          SegmentHeader header = segment.header();
          long dataEnd = Math.min(endLsn, header.dataEndLsn()) - header.baseLsn();
          for (long at = 0; at < header.segmentBytes(); at += pieceBytes) {
            betweenPieces.run();
            int length = (int) Math.min(pieceBytes, header.segmentBytes() - at);
            int kept = (int) Math.max(0, Math.min(length, dataEnd - at));
            // Zeros behind: the log goes on in this file when it is used again, and maps it.
            Mem.fill(piece + kept, length - kept, (byte) 0);
            if (kept > 0) {
              source.read(at, piece, kept);
            }
            copy.write(at, piece, length);
          }
          finish(header, source, copy, endLsn, piece);
          bytes += dataEnd - SegmentHeaderLayout.BLOCK_BYTES;
        }
      }
      return bytes;
    } finally {
      Mem.free(piece);
    }
  }

  /** Copies the second header, and ends the log by a seal if this is its last segment. */
  private static void finish(
      SegmentHeader header, StorageFile source, StorageFile copy, long endLsn, long piece) {
    int block = SegmentHeaderLayout.BLOCK_BYTES;
    long lastBlock = header.segmentBytes() - block;
    source.read(lastBlock, piece, block);
    copy.write(lastBlock, piece, block);
    if (endLsn <= header.dataEndLsn()) {
      // It says that all before it was durable: damage there is not taken for a torn tail.
      FrameLayout.writeHeader(
          piece, FrameLayout.SEAL, 0, 0, endLsn, endLsn, header.seed(), new Checksum());
      copy.write(endLsn - header.baseLsn(), piece, FrameLayout.HEADER_BYTES);
    }
    copy.force();
  }

  @Override
  public void close() {
    parts.slots().addFree(parts.live().endHold());
  }
}
