package org.loam.workbench.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class IndexTextTest {
  @ParameterizedTest
  @CsvSource({
    "city=address.city, city=address.city",
    "'latest=customer,date:desc', 'latest=customer,date:desc'",
    "by=a:asc, by=a",
    "odd=a:b:asc, odd=a:b:asc",
    "odd=a:desc:desc, odd=a:desc:desc",
    "odd=a:asc:asc, odd=a:asc:asc",
  })
  void anIndexIsWrittenAsItIsRead(String text, String written) {
    assertThat(IndexText.of(new IndexText().convert(text))).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"by=a:down", "by=a:", "by=a:DESC", "by=a:b", "by=c,a:down"})
  void aDirectionIsOneOfTwo(String text) {
    assertThatThrownBy(() -> new IndexText().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("must be :asc or :desc");
  }
}
