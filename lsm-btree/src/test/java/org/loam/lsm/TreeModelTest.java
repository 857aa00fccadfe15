package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.SoakSeeds;

/** Runs {@link TreeModel} under many seeds. */
class TreeModelTest {
  @Test
  void theNewestVersionWinsWhateverIsFlushedAndMerged() {
    long merges = 0;
    long moves = 0;
    long rewrites = 0;
    long mostRanges = 0;
    long partialFlushes = 0;
    long memoryMerges = 0;
    long indexMerges = 0;
    long mostMemoryLevels = 0;
    for (long seed = 1; seed <= 40; seed++) {
      TreeModel model = new TreeModel(seed);
      model.run(120);
      merges += model.merges;
      moves += model.moves;
      rewrites += model.rewrites;
      mostRanges = Math.max(mostRanges, model.mostRanges);
      partialFlushes += model.partialFlushes;
      memoryMerges += model.memoryMerges;
      indexMerges += model.indexMerges;
      mostMemoryLevels = Math.max(mostMemoryLevels, model.mostMemoryLevels);
    }
    assertThat(merges).isGreaterThan(100);
    assertThat(moves).isGreaterThan(10);
    assertThat(rewrites).isGreaterThan(10);
    assertThat(mostRanges).isGreaterThan(8);
    assertThat(partialFlushes).isGreaterThan(40);
    assertThat(memoryMerges).isGreaterThan(200);
    assertThat(indexMerges).isGreaterThan(20);
    assertThat(mostMemoryLevels).isGreaterThan(1);
  }

  @Test
  @Tag("soak")
  void theSameForLong() {
    SoakSeeds.some(200).forEach(seed -> new TreeModel(seed).run(600));
  }
}
