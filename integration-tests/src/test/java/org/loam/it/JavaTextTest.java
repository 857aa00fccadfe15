package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class JavaTextTest {
  @Test
  void countsMethodsAndNotWhatLooksLikeThem() {
    String text =
        """
        @Marked({"{", "}"})
        record Pair(int a, int b) {
          static final int[] TABLE = {
            1, 2, // { not a block
          };
          Pair {
            check(a);
          }

          /** A brace { in a comment. */
          int sum(
              int c) {
            Runnable r = () -> {
              use('{', "{");
            };
            if (c > 0) {
              return 1;
            }
            return 0;
          }

          enum Kind {
            FIRST {
              @Named(value = 1)
              int weight() {
                return 1;
              }
            },
            LAST(2) {};
          }
        }
        """;
    assertThat(JavaText.methods(text))
        .containsExactly(
            new JavaText.Method(6, 3), new JavaText.Method(11, 10), new JavaText.Method(24, 4));
  }

  @Test
  void countsTheComponentsOfRecords() {
    String text =
        """
        /** Not a record Old(int a, int b). */
        record None() {}

        public record Some<K, V>(
            @Named(value = "a, b") Map<K, V> map, // one, and
            @Named({1, 2}) int count,
            List<Map<K, V>> more) {
          record Inner(int a, int b) {}
        }
        """;
    assertThat(JavaText.records(text))
        .containsExactly(
            new JavaText.Components("None", 0),
            new JavaText.Components("Some", 3),
            new JavaText.Components("Inner", 2));
  }

  @Test
  void blanksTextBlocksAndKeepsLines() {
    String quotes = "\"\"\"";
    String text = "a(" + quotes + "\n{ \"x\" }\n" + quotes + "); // {\nb";
    String code = JavaText.withoutCommentsAndLiterals(text);
    assertThat(code.lines()).hasSize(4);
    assertThat(code).doesNotContain("{").contains("a(").contains("b");
  }
}
