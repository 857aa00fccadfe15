package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** AsterixDB sees an index without disk components, whatever was flushed, and merges nothing. */
class HollowIndexTest extends DatasetTest {
  @Test
  @SuppressWarnings("NullAway") // What would be merged does not matter.
  void thereIsNothingToMerge() throws Exception {
    begin().insert(1, "a").commit();
    dataset.flush();
    begin().insert(2, "b").commit();
    dataset.flush();
    HollowIndex index = dataset.primary();
    assertThat(index.getDiskComponents()).isEmpty();
    assertThatThrownBy(() -> index.getMergeFileReferences(null, null))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("no disk components");
    assertThatThrownBy(() -> index.createMergeOperation(null, null, null))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> index.doMerge(null)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
  }
}
