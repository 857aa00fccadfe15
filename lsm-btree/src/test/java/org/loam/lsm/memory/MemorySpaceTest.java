package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.lsm.memory.Fixture.KEEP_NONE;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much memory a component takes for its keys and values. */
class MemorySpaceTest {
  private static final int KEY_BYTES = 21;
  private static final int PAGE_BYTES = 8192;

  /** Records in random order of keys, about 16 MB of them; 20 bytes of each are its header. */
  @ParameterizedTest
  @CsvSource({"1000, 1.052", "100, 1.35"})
  void memoryIsLittleMoreThanKeysAndValues(int valueBytes, double most) {
    int records = (16 << 20) / (KEY_BYTES + valueBytes);
    SplittableRandom random = new SplittableRandom(1);
    try (Fixture fixture = new Fixture(4096, PAGE_BYTES)) {
      byte[] key = new byte[KEY_BYTES];
      byte[] value = new byte[valueBytes];
      for (int i = 0; i < records; i++) {
        random.nextBytes(key);
        fixture.put(key, value, i, KEEP_NONE);
      }
      double data = (double) records * (KEY_BYTES + valueBytes);
      double ratio = fixture.component.usedBytes() / data;
      assertThat(ratio).isLessThan(most);
    }
  }
}
