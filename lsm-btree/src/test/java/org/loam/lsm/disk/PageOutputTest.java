package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.cache.BufferCache;
import org.loam.cache.PageHeader;
import org.loam.common.env.ReadOnlyFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/** Writes of whole buffers, and the smaller ones that the cache asks for while clients read. */
class PageOutputTest {
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = 8;

  private final List<String> writes = new ArrayList<>();
  private boolean fails;
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
      failIfPlanned();
    }

    @Override
    public void force() {
      writes.add("force");
      failIfPlanned();
    }

    private void failIfPlanned() {
      if (fails) {
        throw new StorageIoException("planned failure");
      }
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

  /**
   * Notes which requests it is told of; each begins a thousand nanoseconds after the one before.
   */
  private final class NotedRequests extends UncachedPages {
    private long began;

    NotedRequests() {
      super(PAGE_BYTES);
    }

    @Override
    public long writeBegins() {
      writes.add("begin");
      return began += 1000;
    }

    @Override
    public void wrote(long bytes, long since) {
      writes.add("wrote " + bytes / PAGE_BYTES + " since " + since);
    }

    @Override
    public void writeEnds() {
      writes.add("end");
    }
  }

  @AfterEach
  void free() {
    Mem.free(buffer);
  }

  private PageOutput output(BufferCache cache) {
    return new PageOutput(
        new NotedFile(), new SSTableOptions(1, 5, PAGE_BYTES, false, 10), buffer, PAGES, cache);
  }

  private static void fill(PageOutput output, int pages) {
    for (int i = 0; i < pages; i++) {
      long page = output.open();
      PageHeader.start(page, 1);
      output.seal(page);
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
      PageOutput output = output(cache);
      fill(output, pages);
      output.flush();
      assertThat(output.unforcedBytes()).isEqualTo((long) pages * PAGE_BYTES);
    }
  }

  @Test
  void theCacheIsToldOfEachWriteAndForce() {
    try (NotedRequests cache = new NotedRequests()) {
      PageOutput output = output(cache);
      fill(output, 5);
      output.flush();
      output.force();
    }
    assertThat(writes)
        .containsExactly(
            "begin",
            "0+5 of 0",
            "wrote 5 since 1000",
            "end",
            "begin",
            "force",
            "wrote 0 since 2000",
            "end");
  }

  @Test
  void aRequestThatFailsHasEnded() {
    try (NotedRequests cache = new NotedRequests()) {
      PageOutput output = output(cache);
      fill(output, 5);
      fails = true;
      assertThatThrownBy(output::flush).isInstanceOf(StorageIoException.class);
      assertThatThrownBy(output::force).isInstanceOf(StorageIoException.class);
    }
    assertThat(writes).containsExactly("begin", "0+5 of 0", "end", "begin", "force", "end");
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
