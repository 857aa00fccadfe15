package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.loam.cache.PageHeader;
import org.loam.common.error.CorruptionException;
import org.loam.common.mem.Mem;

/** What is said of a page that was written wrong. */
class PageTypeTest {
  private static final int PAGE_BYTES = 4096;

  @Test
  void aPageOfTheWrongTypeIsNamedWithItsFileAndWhatIsToBeDone() {
    long page = Mem.allocate(PAGE_BYTES, Long.BYTES);
    PageHeader.start(page, PageType.OVERFLOW);
    PageHeader.seal(page, PAGE_BYTES, 17, 3, 1);
    assertThatCode(() -> PageType.require(page, PageType.OVERFLOW)).doesNotThrowAnyException();
    assertThatThrownBy(() -> PageType.require(page, PageType.LEAF))
        .isInstanceOf(CorruptionException.class)
        .hasMessage(
            "00000017.sst: page 3: type 2, expected 1; the checksum is right, so it was written"
                + " like this: restore the file from a backup, and verify the database");
    Mem.free(page);
  }
}
