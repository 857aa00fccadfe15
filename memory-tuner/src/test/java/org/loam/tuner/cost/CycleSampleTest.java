package org.loam.tuner.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.tuner.cost.TreeSample.Flushed;
import org.loam.tuner.cost.TreeSample.Growth;
import org.loam.tuner.cost.TreeSample.Held;
import org.loam.tuner.cost.TreeSample.Levels;
import org.loam.tuner.cost.TreeSample.Written;

class CycleSampleTest {
  private static final MemorySample MEMORY = new MemorySample(1 << 20, 1 << 18, 1 << 16, 1 << 12);

  private static CycleSample sample(
      MemorySample memory, List<TreeSample> trees, Map<ReadClass, ReadSample> reads) {
    return new CycleSample(100, trees, reads, memory, new LogSample(10, 1000), Curves.NONE);
  }

  private static TreeSample tree(int id, long scale) {
    return new TreeSample(
        id,
        new Written(scale, 10 * scale),
        new Flushed(20 * scale, 30 * scale),
        40 * scale,
        new Levels(50 * scale, 1, 10, 4, 5, 7, new Growth(3 * scale, scale, 2 * scale)),
        new Held(0.25, scale));
  }

  @Test
  void twoCyclesAreOneLongerCycle() {
    CycleSample first =
        sample(
            MEMORY,
            List.of(tree(1, 1), tree(2, 1)),
            Map.of(ReadClass.QUERY, new ReadSample(9, 8, 7, 6)));
    CycleSample second =
        sample(
            MEMORY,
            List.of(tree(2, 2), tree(3, 2)),
            Map.of(
                ReadClass.QUERY, new ReadSample(1, 1, 1, 1),
                ReadClass.META, new ReadSample(5, 4, 3, 2)));

    CycleSample both = first.plus(second);

    assertThat(both.operations()).isEqualTo(200);
    assertThat(both.log().grownBytes()).isEqualTo(20);
    assertThat(both.reads(ReadClass.QUERY)).isEqualTo(new ReadSample(10, 9, 8, 7));
    assertThat(both.reads(ReadClass.META)).isEqualTo(new ReadSample(5, 4, 3, 2));
    assertThat(both.savedPages()).isEqualTo(9);
    assertThat(both.movedBytes()).isEqualTo(first.movedBytes() + second.movedBytes());
    assertThat(both.trees())
        .contains(
            new TreeSample(
                2,
                new Written(3, 30),
                new Flushed(60, 90),
                120,
                new Levels(100, 1, 10, 4, 5, 7, new Growth(9, 3, 6)),
                new Held(0.25, 3)),
            tree(1, 1).withoutMemory(),
            tree(3, 2));
  }

  @Test
  void cyclesOfDifferentSplitsAreNotOne() {
    CycleSample first = sample(MEMORY, List.of(), Map.of());
    CycleSample second =
        sample(new MemorySample(1 << 20, 1 << 19, 1 << 16, 1 << 12), List.of(), Map.of());
    assertThatThrownBy(() -> first.plus(second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be that of the cycle before");
  }

  @Test
  void aSampleKeepsNothingThatItsMakerCanChange() {
    List<TreeSample> trees = new ArrayList<>(List.of(tree(1, 1)));
    CycleSample sample = sample(MEMORY, trees, Map.of());
    trees.clear();
    assertThat(sample.trees()).hasSize(1);
  }
}
