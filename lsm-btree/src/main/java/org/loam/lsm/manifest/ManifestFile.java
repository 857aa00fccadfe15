package org.loam.lsm.manifest;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageException;
import org.loam.common.mem.Mem;

/** A manifest file being written: pre-written with zeros, appended in whole forced blocks. */
final class ManifestFile implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(ManifestFile.class);
  private static final String PREFIX = "manifest-";
  private static final int MIN_FILE_BYTES = 64 << 10;
  private static final int BLOCK = ManifestLayout.BLOCK_BYTES;

  private final StorageFile file;
  private final long number;
  private final long fileBytes;
  private byte[] tail = new byte[0];
  private long endOffset = BLOCK;
  private long sequence;

  private ManifestFile(StorageFile file, long number, long fileBytes) {
    this.file = file;
    this.number = number;
    this.fileBytes = fileBytes;
  }

  static Path path(Path directory, long number) {
    return directory.resolve(String.format(Locale.ROOT, PREFIX + "%06d", number));
  }

  /** The highest number of a manifest file that is there, -1 if there is none. */
  static long newest(StorageFiles files, Path directory) {
    long newest = -1;
    for (String name : files.list(directory)) {
      if (name.matches(PREFIX + "[0-9]{6,18}")) {
        newest = Math.max(newest, Long.parseLong(name.substring(PREFIX.length())));
      }
    }
    return newest;
  }

  /**
   * Creates a file that holds a first edit; file and name are durable when it returns.
   *
   * @param featureBits what a reader must know
   * @param roomBytes length of an edit that must fit behind the first one
   */
  static ManifestFile create(
      StorageFiles files,
      Path directory,
      long number,
      long featureBits,
      byte[] firstEdit,
      int roomBytes) {
    // Four times what it holds to begin with: so writing it afresh costs a third of what was added.
    long needed = ManifestLayout.recordBytes(firstEdit.length);
    if (roomBytes > 0) {
      needed += ManifestLayout.recordBytes(roomBytes);
    }
    long bytes = Math.max(MIN_FILE_BYTES, roundUp(BLOCK + 4 * needed));
    StorageFile file = files.open(path(directory, number), StorageFiles.Mode.CREATE);
    ManifestFile created = new ManifestFile(file, number, bytes);
    try {
      created.writeBlocks(0, new byte[Math.toIntExact(bytes)]);
      created.writeBlocks(0, ManifestLayout.fileHeader(featureBits, number, bytes));
      created.append(firstEdit);
      files.forceDirectory(directory);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
    return created;
  }

  static void deleteOthers(StorageFiles files, Path directory, long number) {
    String keep = path(directory, number).getFileName().toString();
    for (String name : files.list(directory)) {
      if (name.startsWith(PREFIX) && !name.equals(keep)) {
        quietly(() -> files.delete(directory.resolve(name)));
      }
    }
  }

  /** Closes and deletes a file that does not count any more. */
  static void dispose(StorageFiles files, ManifestFile old) {
    quietly(old::close);
    quietly(() -> files.delete(old.file.path()));
  }

  private static void quietly(Runnable disposal) {
    try {
      disposal.run();
    } catch (StorageException e) {
      LOGGER.warn("an old manifest stays behind until the next open: {}", e.getMessage());
    }
  }

  boolean hasRoom(int editBytes) {
    return endOffset + ManifestLayout.recordBytes(editBytes) <= fileBytes;
  }

  /** Appends and forces. */
  void append(byte[] edit) {
    byte[] record = ManifestLayout.record(number, endOffset, sequence, edit);
    byte[] bytes = Arrays.copyOf(tail, tail.length + record.length);
    System.arraycopy(record, 0, bytes, tail.length, record.length);
    writeBlocks(endOffset - tail.length, bytes);
    file.force();
    sequence++;
    endOffset += record.length;
    tail = Arrays.copyOfRange(bytes, bytes.length - (int) (endOffset % BLOCK), bytes.length);
  }

  /** Writes at a block boundary, padded with zeros to whole blocks. */
  private void writeBlocks(long offset, byte[] bytes) {
    int length = (int) roundUp(bytes.length);
    long buffer = Mem.allocate(length, StorageFiles.ALIGNMENT);
    try {
      Mem.fill(buffer, length, (byte) 0);
      Mem.copyIn(bytes, 0, buffer, bytes.length);
      file.write(offset, buffer, length);
    } finally {
      Mem.free(buffer);
    }
  }

  private static long roundUp(long bytes) {
    return (bytes + BLOCK - 1) & -BLOCK;
  }

  long endOffset() {
    return endOffset;
  }

  @Override
  public void close() {
    file.close();
  }
}
