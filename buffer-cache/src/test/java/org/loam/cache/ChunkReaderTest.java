package org.loam.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

class ChunkReaderTest {
  private static final int PAGE_BYTES = 4096;
  private static final int BUFFER_BYTES = 40 * PAGE_BYTES;

  private final PagesFile file = new PagesFile(3, PAGE_BYTES, 100);
  private final List<Integer> chunkStarts = new ArrayList<>();
  private long nanos;
  private final CacheCounters counters = new CacheCounters(PageObserver.NONE, () -> nanos);
  private long buffer;
  private ChunkReader reader;

  @BeforeEach
  void open() {
    buffer = Mem.allocate(BUFFER_BYTES, 4096);
    reader = new ChunkReader(file, PAGE_BYTES, buffer, BUFFER_BYTES, counters);
    file.onRead = chunkStarts::add;
  }

  @AfterEach
  void free() {
    Mem.free(buffer);
  }

  @Test
  void givesThePagesInOrder() {
    reader.open(file, 7, 93);
    for (int pageNo = 7; pageNo < 93; pageNo++) {
      PagesFile.check(reader.next(), PAGE_BYTES, 3, pageNo);
      assertThat(reader.pageNo()).isEqualTo(pageNo);
    }
    assertThat(reader.next()).isZero();
    assertThat(reader.next()).isZero();
    assertThat(chunkStarts).containsExactly(7, 47, 87);
    assertThat(file.reads(6) + file.reads(93)).isZero();
    assertThat(counters.misses(AccessClass.MERGE)).isEqualTo(86);
  }

  @Test
  void aNewReaderAndAnEmptyRangeGiveNothing() {
    assertThat(reader.next()).isZero();
    reader.open(file, 100, 100);
    assertThat(reader.next()).isZero();
    assertThat(chunkStarts).isEmpty();
  }

  /** The reader's 40 pages at a time, and 32 of them, 128 KiB, for 20 ms after a client's read. */
  @Test
  void requestsAreSmallWhileClientsRead() {
    counters.readBegins();
    reader.open(file, 0, 100);
    reader.next();
    nanos += 19_999_999;
    readTo(33);
    nanos += 1;
    readTo(100);
    assertThat(chunkStarts).containsExactly(0, 32, 64);
  }

  @Test
  void refusesABufferThatIsTooSmall() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ChunkReader(file, PAGE_BYTES, buffer, 4096, counters))
        .withMessage("buffer of 4096 bytes: must be at least 65536");
  }

  @Test
  void refusesAWrongRange() {
    assertThatIllegalArgumentException().isThrownBy(() -> reader.open(file, -1, 3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reader.open(file, 4, 3))
        .withMessage("pages from 4 to 3: must be 0 <= from <= to");
  }

  @Test
  void stopsAtACorruptPage() {
    file.flip(5, 2000, 3);
    reader.open(file, 0, 100);
    readTo(5);
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("page 5 of file id 3");
    }
    assertThat(counters.checksumFailures()).isEqualTo(2);
  }

  @Test
  void aFailedReadMayBeTriedAgain() {
    reader.open(file, 0, 100);
    readTo(40);
    file.failReads(1);
    assertThatThrownBy(reader::next).isInstanceOf(StorageIoException.class);
    readTo(100);
    assertThat(reader.next()).isZero();
    assertThat(counters.misses(AccessClass.MERGE)).isEqualTo(100);
  }

  @Test
  void startsOverWithAnotherFile() {
    reader.open(file, 10, 100);
    reader.next();
    PagesFile other = new PagesFile(4, PAGE_BYTES, 2);
    reader.open(other, 1, 2);
    PagesFile.check(reader.next(), PAGE_BYTES, 4, 1);
    assertThat(reader.next()).isZero();
  }

  private void readTo(int pageNo) {
    while (reader.pageNo() < pageNo - 1) {
      long address = reader.next();
      PagesFile.check(address, PAGE_BYTES, 3, reader.pageNo());
    }
  }
}
