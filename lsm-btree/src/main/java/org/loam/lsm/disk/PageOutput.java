package org.loam.lsm.disk;

import java.util.BitSet;
import java.util.zip.CRC32C;
import org.loam.cache.BufferCache;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.common.env.StorageFile;
import org.loam.common.mem.Mem;

/**
 * The pages of a file in order of their numbers, collected in a buffer and written whole buffers at
 * a time. A page is opened, filled, sealed; several may be open at once, as long as all are sealed
 * before the buffer is full. One thread.
 */
final class PageOutput implements PageSource {
  private final StorageFile file;
  private final int fileId;
  private final long salt;
  private final int pageBytes;
  private final long buffer;
  private final int capacity;
  private final BufferCache cache;

  /** The pages in the buffer that go into the cache, by their place in it. */
  private final BitSet wanted = new BitSet();

  private boolean warm;

  private final CRC32C pagesCrc = new CRC32C();

  /** Number of the first page in the buffer. */
  private int basePageNo;

  private int used;

  /** Pages in the buffer whose checksums are in {@link #pagesCrc}. */
  private int summed;

  private int unsealed;
  private long unforcedBytes;

  /**
   * @param buffer aligned to {@link org.loam.common.env.StorageFiles#ALIGNMENT}
   * @param capacity pages that the buffer holds
   * @param cache takes the pages that readers want
   */
  PageOutput(
      StorageFile file, SSTableOptions options, long buffer, int capacity, BufferCache cache) {
    this.file = file;
    this.fileId = options.fileId();
    this.salt = options.salt();
    this.pageBytes = options.pageBytes();
    this.buffer = buffer;
    this.capacity = capacity;
    this.cache = cache;
  }

  /** Opens the next page; its bytes are undefined. */
  long open() {
    if (used == capacity) {
      flush();
    }
    unsealed++;
    return buffer + (long) used++ * pageBytes;
  }

  /** The number of the page that the next {@link #open} opens, which is also their count so far. */
  int nextPageNo() {
    return basePageNo + used;
  }

  /** The number of an open page. */
  int pageNoOf(long page) {
    return basePageNo + (int) ((page - buffer) / pageBytes);
  }

  /** Pages that can be opened before the buffer must be written. */
  int freePages() {
    return capacity - used;
  }

  /** Whether the pages sealed from now on are in the cache as soon as they are written. */
  void setWarm(boolean warm) {
    this.warm = warm;
  }

  /** Finishes an open page, whose header has all but place and checksum. */
  void seal(long page) {
    PageHeader.seal(page, pageBytes, fileId, pageNoOf(page), salt);
    wanted.set(pageNoOf(page) - basePageNo, warm);
    unsealed--;
  }

  /** Writes what is in the buffer. */
  void flush() {
    requireSealed();
    if (used == 0) {
      return;
    }
    sum();
    int bytes = used * pageBytes;
    for (int done = 0; done < bytes; ) {
      done += write(done, cache.requestBytes(bytes - done));
    }
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
      cache.admit(fileId, basePageNo + i, buffer + (long) i * pageBytes);
    }
    wanted.clear();
    unforcedBytes += bytes;
    basePageNo += used;
    used = 0;
    summed = 0;
  }

  private int write(int from, int bytes) {
    long began = cache.writeBegins();
    try {
      file.write((long) basePageNo * pageBytes + from, buffer + from, bytes);
      cache.wrote(bytes, began);
    } finally {
      cache.writeEnds();
    }
    return bytes;
  }

  /**
   * Reads a sealed page again, from the buffer or from the file.
   *
   * @param target aligned to {@link org.loam.common.env.StorageFiles#ALIGNMENT}
   */
  void read(int pageNo, long target) {
    if (pageNo >= basePageNo) {
      Mem.copy(buffer + (long) (pageNo - basePageNo) * pageBytes, target, pageBytes);
    } else {
      file.read((long) pageNo * pageBytes, target, pageBytes);
      PageHeader.verify(this, pageNo, target, pageBytes);
    }
  }

  @Override
  public int fileId() {
    return fileId;
  }

  @Override
  public long salt() {
    return salt;
  }

  @Override
  public StorageFile file() {
    return file;
  }

  private void requireSealed() {
    if (unsealed != 0) {
      throw new AssertionError("file " + fileId + ": writing " + unsealed + " unfinished pages");
    }
  }

  /** Takes the sealed pages in the buffer into the checksum of all pages. */
  private void sum() {
    while (summed < used) {
      update(PageHeader.checksum(buffer + (long) summed++ * pageBytes));
    }
  }

  private void update(int checksum) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      pagesCrc.update(checksum >>> shift);
    }
  }

  /** The CRC32C over the checksums, little-endian, of all pages so far, which are sealed. */
  int pagesCrc() {
    requireSealed();
    sum();
    return (int) pagesCrc.getValue();
  }

  /** Bytes written since the last {@link #force}. */
  long unforcedBytes() {
    return unforcedBytes;
  }

  /** Makes durable what was written; what is still in the buffer is not. */
  void force() {
    long began = cache.writeBegins();
    try {
      file.force();
      cache.wrote(0, began);
    } finally {
      cache.writeEnds();
    }
    unforcedBytes = 0;
  }
}
