package org.loam.workbench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ExpectedTest {
  private static final DemoRecord RECORD = new DemoRecord("a", "libs", "text\n");

  @Test
  void anAnswerIsRightOrNot() {
    Expected expected = new Expected();
    assertThat(expected.isRight("a", null)).isTrue();
    assertThat(expected.isRight("a", new byte[0])).isFalse();
    expected.put(RECORD, 3);
    assertThat(expected.isRight("a", DemoDatabase.value(RECORD, 3))).isTrue();
    assertThat(expected.isRight("a", DemoDatabase.value(RECORD, 2))).isFalse();
    assertThat(expected.isRight("a", null)).isFalse();
    Expected before = expected.copy();
    expected.delete("a");
    assertThat(expected.isRight("a", null)).isTrue();
    assertThat(before.count()).isEqualTo(1);
  }

  @Test
  void eachIngestWritesAnotherText() {
    assertThat(DemoDatabase.value(RECORD, 0)).isEqualTo("text\n".getBytes(StandardCharsets.UTF_8));
    assertThat(new String(DemoDatabase.value(RECORD, 7), StandardCharsets.UTF_8))
        .isEqualTo("text\nLoam-Ingest: 7\n");
  }
}
