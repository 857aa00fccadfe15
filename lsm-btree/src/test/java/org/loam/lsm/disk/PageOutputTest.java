package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.cache.PageHeader;
import org.loam.common.env.ReadOnlyFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.Mem;

/** Writes of whole buffers, and the smaller ones that the cache asks for while clients read. */
class PageOutputTest {
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = 8;

  private final List<String> writes = new ArrayList<>();
  private final long buffer = Mem.allocate(PAGES * PAGE_BYTES, StorageFiles.ALIGNMENT);

  /** Notes what is written: the page, how many, and the page in the buffer. */
  private final class NotedFile implements ReadOnlyFile {
    @Override
    public void write(long offset, long address, int length) {
      writes.add(
          offset / PAGE_BYTES
              + "+"
              + length / PAGE_BYTES
              + " of "
              + (address - buffer) / PAGE_BYTES);
    }

    @Override
    public void read(long offset, long address, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long sizeBytes() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path path() {
      return Path.of("noted");
    }
  }

  private void write(int pages, int requestPages) {
    try (UncachedPages cache =
        new UncachedPages(PAGE_BYTES) {
          @Override
          public int requestBytes(int most) {
            return Math.min(most, requestPages * PAGE_BYTES);
          }
        }) {
      PageOutput output =
          new PageOutput(
              new NotedFile(),
              new SSTableOptions(1, 5, PAGE_BYTES, false, 10),
              buffer,
              PAGES,
              cache);
      for (int i = 0; i < pages; i++) {
        long page = output.open();
        PageHeader.start(page, 1);
        output.seal(page);
      }
      output.flush();
      assertThat(output.unforcedBytes()).isEqualTo((long) pages * PAGE_BYTES);
    } finally {
      Mem.free(buffer);
    }
  }

  @Test
  void aBufferIsOneWrite() {
    write(11, PAGES);
    assertThat(writes).containsExactly("0+8 of 0", "8+3 of 0");
  }

  @Test
  void itIsSeveralWhereRequestsAreToBeSmall() {
    write(11, 3);
    assertThat(writes).containsExactly("0+3 of 0", "3+3 of 3", "6+2 of 6", "8+3 of 0");
  }
}
