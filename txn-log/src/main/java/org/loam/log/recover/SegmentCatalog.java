package org.loam.log.recover;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;
import org.loam.log.format.Checksum;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentHeaderLayout;

/**
 * The segment files of a directory, read once. Every one of them has a valid header: a file gets
 * its name after its headers are durable, and they are rewritten one at a time. So a file without
 * one is damaged, and because nothing else tells whether it was needed, it stops recovery.
 */
public final class SegmentCatalog {
  private static final Pattern NAME = Pattern.compile("log-(\\d{6,9})\\.seg(\\.new)?");

  private final List<SegmentFile> files;
  private final List<Path> unfinished;

  private SegmentCatalog(List<SegmentFile> files, List<Path> unfinished) {
    this.files = files;
    this.unfinished = unfinished;
  }

  /**
   * Reads the headers.
   *
   * @throws CorruptionException if a segment is damaged, foreign or there twice
   * @throws UnsupportedFormatException if a newer release wrote one
   */
  public static SegmentCatalog load(StorageFiles files, Path directory, long identity) {
    return load(
        files,
        directory,
        identity,
        e -> {
          throw e;
        });
  }

  /**
   * Reads the headers of the segments that are not damaged.
   *
   * @param identity of the log, or null for that of the first segment
   * @param damaged takes what is wrong with the others; what it throws ends the reading
   */
  static SegmentCatalog load(
      StorageFiles files,
      Path directory,
      @Nullable Long identity,
      Consumer<StorageException> damaged) {
    Long known = identity;
    List<SegmentFile> found = new ArrayList<>();
    List<Path> unfinished = new ArrayList<>();
    if (!files.exists(directory)) {
      return new SegmentCatalog(found, unfinished);
    }
    long block =
        Mem.allocate(
            SegmentHeaderLayout.BLOCK_BYTES, StorageFiles.ALIGNMENT, "log segment headers");
    try {
      Checksum checksum = new Checksum();
      for (String name : files.list(directory)) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
          continue;
        }
        Path path = directory.resolve(name);
        if (matcher.group(2) != null) {
          unfinished.add(path);
          continue;
        }
        try {
          SegmentFile segment = read(files, path, block, checksum);
          known = known == null ? Long.valueOf(segment.header().identity()) : known;
          check(segment, Integer.parseInt(matcher.group(1)), known);
          found.add(segment);
        } catch (CorruptionException | UnsupportedFormatException e) {
          damaged.accept(e);
        }
      }
    } finally {
      Mem.free(block);
    }
    found.sort(Comparator.comparingLong(s -> s.header().sequence()));
    for (int i = 1; i < found.size(); i++) {
      SegmentFile a = found.get(i - 1);
      SegmentFile b = found.get(i);
      if (a.header().sequence() == b.header().sequence()
          || b.header().baseLsn() < a.header().limitLsn()) {
        damaged.accept(
            new CorruptionException(
                "log segments "
                    + a.path()
                    + " and "
                    + b.path()
                    + " hold the same part of the log: "
                    + a.header().link()
                    + ", "
                    + b.header().link()
                    + "; one is a stray copy"));
      }
    }
    return new SegmentCatalog(found, unfinished);
  }

  private static SegmentFile read(StorageFiles files, Path path, long block, Checksum checksum) {
    try (StorageFile file = files.open(path, StorageFiles.Mode.READ)) {
      long size = file.sizeBytes();
      SegmentHeader first = readCopy(file, 0, size, block, checksum);
      SegmentHeader last =
          readCopy(file, size - SegmentHeaderLayout.BLOCK_BYTES, size, block, checksum);
      SegmentHeader header = newer(first, last);
      if (header == null) {
        throw new CorruptionException(
            "log segment "
                + path
                + " ("
                + size
                + " bytes): neither copy of its header, in its"
                + " first and last "
                + SegmentHeaderLayout.BLOCK_BYTES
                + " bytes, has its magic number and checksum; restore the file from a backup");
      }
      if (header.segmentBytes() != size) {
        throw new CorruptionException(
            "log segment "
                + path
                + ": file has "
                + size
                + " bytes, its header says "
                + header.segmentBytes()
                + "; restore the file from a backup");
      }
      return new SegmentFile(path, header, first, last);
    }
  }

  private static @Nullable SegmentHeader readCopy(
      StorageFile file, long offset, long size, long block, Checksum checksum) {
    if (offset < 0 || offset + SegmentHeaderLayout.BLOCK_BYTES > size) {
      return null;
    }
    file.read(offset, block, SegmentHeaderLayout.BLOCK_BYTES);
    return SegmentHeaderLayout.read(block, file.path().toString(), checksum);
  }

  private static @Nullable SegmentHeader newer(
      @Nullable SegmentHeader a, @Nullable SegmentHeader b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    boolean bIsNewer =
        b.sequence() > a.sequence()
            || (b.sequence() == a.sequence() && b.revision() > a.revision());
    return bIsNewer ? b : a;
  }

  private static void check(SegmentFile segment, int slot, long identity) {
    SegmentHeader header = segment.header();
    if (header.identity() != identity) {
      throw new CorruptionException(
          "log segment "
              + segment.path()
              + " belongs to another database: its identity is "
              + Long.toHexString(header.identity())
              + ", expected "
              + Long.toHexString(identity)
              + "; give this one its own directory (log.directory), or restore log and manifest"
              + " from the same backup");
    }
    if (header.slot() != slot) {
      throw new CorruptionException(
          "log segment "
              + segment.path()
              + ": its header says slot "
              + header.slot()
              + "; the file was renamed or copied");
    }
  }

  /** All segments, by sequence, which is also the order of their LSNs. */
  public List<SegmentFile> bySequence() {
    return List.copyOf(files);
  }

  /** Files whose creation was interrupted; they hold nothing. */
  public List<Path> unfinished() {
    return List.copyOf(unfinished);
  }

  /** The segment of the highest sequence at or below an LSN, or null. */
  @Nullable SegmentFile floor(long lsn) {
    SegmentFile found = null;
    for (SegmentFile file : files) {
      if (file.header().baseLsn() <= lsn) {
        found = file;
      }
    }
    return found;
  }

  /** Whether a recovery has ended the log in the segment that holds an LSN. */
  public boolean endsAt(long lsn) {
    SegmentFile segment = floor(lsn);
    return segment != null && segment.header().isClosed();
  }

  /** The segments after one, by sequence. */
  List<SegmentFile> after(SegmentFile segment) {
    return files.stream().filter(f -> f.header().sequence() > segment.header().sequence()).toList();
  }

  /** The segment of a sequence, or null. */
  @Nullable SegmentFile find(long sequence) {
    for (SegmentFile file : files) {
      if (file.header().sequence() == sequence) {
        return file;
      }
    }
    return null;
  }
}
