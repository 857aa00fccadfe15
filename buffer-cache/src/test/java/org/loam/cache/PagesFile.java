package org.loam.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import org.loam.common.env.ReadOnlyFile;
import org.loam.common.env.StorageFile;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/**
 * A file of pages in memory whose bytes say which page they belong to, for tests: counts reads, can
 * be damaged, and lets a test act in the middle of a read.
 */
public final class PagesFile implements PageSource, ReadOnlyFile {
  private final int fileId;
  private final int pageBytes;
  private final byte[] bytes;
  private final AtomicIntegerArray reads;

  /** Called with the number of the first page before each read; may throw. */
  public volatile IntConsumer onRead = page -> {};

  public PagesFile(int fileId, int pageBytes, int pageCount) {
    this.fileId = fileId;
    this.pageBytes = pageBytes;
    this.bytes = new byte[pageBytes * pageCount];
    this.reads = new AtomicIntegerArray(pageCount);
    long page = Mem.allocate(pageBytes, 4096);
    for (int pageNo = 0; pageNo < pageCount; pageNo++) {
      PageHeader.start(page, 1);
      for (int i = PageHeader.BYTES; i < pageBytes; i += 8) {
        Mem.putLong(page + i, word(fileId, pageNo, i));
      }
      PageHeader.seal(page, pageBytes, fileId, pageNo, salt());
      Mem.copyOut(page, bytes, pageNo * pageBytes, pageBytes);
    }
    Mem.free(page);
  }

  /** Fails unless the bytes are those of the page. */
  public static void check(long address, int pageBytes, int fileId, int pageNo) {
    for (int i = PageHeader.BYTES; i < pageBytes; i += 8) {
      if (Mem.getLong(address + i) != word(fileId, pageNo, i)) {
        assertThat(Mem.getLong(address + i))
            .as("file %d page %d offset %d", fileId, pageNo, i)
            .isEqualTo(word(fileId, pageNo, i));
      }
    }
  }

  /** As {@link #check}, but of the first and the last word only: a few accesses to memory. */
  public static void checkEnds(long address, int pageBytes, int fileId, int pageNo) {
    for (int i : new int[] {PageHeader.BYTES, pageBytes - 8}) {
      assertThat(Mem.getLong(address + i) == word(fileId, pageNo, i))
          .as("file %d page %d offset %d", fileId, pageNo, i)
          .isTrue();
    }
  }

  private static long word(int fileId, int pageNo, int offset) {
    return (((long) fileId << 32 | pageNo) + offset) * 0x9E3779B97F4A7C15L;
  }

  public int pageCount() {
    return reads.length();
  }

  /** How often a page was read. */
  public int reads(int pageNo) {
    return reads.get(pageNo);
  }

  /** Flips a bit on "disk". */
  public void flip(int pageNo, int offset, int bit) {
    bytes[pageNo * pageBytes + offset] ^= (byte) (1 << bit);
  }

  /** Makes the next {@code times} reads fail. */
  public void failReads(int times) {
    int[] left = {times};
    onRead =
        page -> {
          synchronized (left) {
            if (left[0]-- > 0) {
              throw new StorageIoException("planned failure at page " + page);
            }
          }
        };
  }

  @Override
  public int fileId() {
    return fileId;
  }

  @Override
  public long salt() {
    return fileId * 77L;
  }

  @Override
  public StorageFile file() {
    return this;
  }

  @Override
  public Path path() {
    return Path.of("pages-" + fileId);
  }

  @Override
  public long sizeBytes() {
    return bytes.length;
  }

  @Override
  public void read(long offset, long address, int length) {
    int page = (int) (offset / pageBytes);
    for (int i = 0; i < length / pageBytes; i++) {
      reads.incrementAndGet(page + i);
    }
    onRead.accept(page);
    Mem.copyIn(bytes, (int) offset, address, length);
  }
}
