package org.loam.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class ValuesTest {
  private final Values values = new Values(1000);

  private byte[] value(long identity, long version) {
    byte[] value = new byte[1000];
    values.write(identity, version, value);
    return value;
  }

  @Test
  void aValueProvesItselfInEveryVersion() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      long identity = random.nextLong();
      long version = random.nextLong();
      byte[] value = value(identity, version);
      assertThat(values.isRight(identity, value, 1000)).isTrue();
      assertThat(Values.version(value)).isEqualTo(version);
    }
  }

  @Test
  void anotherRecordsValueIsWrong() {
    assertThat(values.isRight(2, value(1, 5), 1000)).isFalse();
  }

  @Test
  void anotherLengthIsWrong() {
    assertThat(values.isRight(1, value(1, 5), 999)).isFalse();
  }

  @Test
  void everyChangedByteIsNoticed() {
    byte[] value = value(1, 5);
    for (int i = 0; i < value.length; i++) {
      value[i] ^= 0x10;
      assertThat(values.isRight(1, value, 1000)).as("byte " + i).isFalse();
      value[i] ^= 0x10;
    }
    assertThat(values.isRight(1, value, 1000)).isTrue();
  }

  @Test
  void aTornValueIsWrong() {
    byte[] torn = value(1, 5);
    System.arraycopy(value(1, 6), 500, torn, 500, 500);
    assertThat(values.isRight(1, torn, 1000)).isFalse();
  }

  @Test
  void valuesCompressToAboutHalf() {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    SplittableRandom random = new SplittableRandom(3);
    long compressed = 0;
    int count = 200;
    for (int i = 0; i < count; i++) {
      deflater.reset();
      deflater.setInput(value(random.nextLong(), random.nextLong()));
      deflater.finish();
      compressed += deflater.deflate(new byte[2000]);
    }
    deflater.end();
    assertThat(compressed / (1000.0 * count)).isBetween(0.45, 0.65);
  }

  @Test
  void aLengthOutOfRangeIsRefused() {
    assertThatThrownBy(() -> new Values(15))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lengthBytes = 15");
    assertThat(new Values(16).isRight(1, new byte[16], 16)).isFalse();
  }
}
