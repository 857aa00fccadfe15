package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.asterix.om.types.ATypeTag;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.impls.LoadOperation;
import org.junit.jupiter.api.Test;

/** A load that does not begin leaves the index as it was: it is not being loaded. */
class IndexLoadsTest extends DatasetTest {
  private static final byte[] BIGINT = {ATypeTag.BIGINT.serialize()};

  private boolean isAsked;

  private LoadOperation asked() throws HyracksDataException {
    isAsked = true;
    throw HyracksDataException.create(new IllegalStateException("no file"));
  }

  @Test
  void anIndexThatIsNotFreshRefusesALoadThatRequiresIt() {
    IndexTree tree = dataset.primary().tree();
    IndexLoads loads = new IndexLoads(tree, () -> false, BIGINT);
    assertThatThrownBy(() -> loads.begin(true, false, this::asked))
        .isInstanceOfSatisfying(
            HyracksDataException.class,
            e -> assertThat(e.matches(ErrorCode.LOAD_NON_EMPTY_INDEX)).isTrue());
    assertThat(isAsked).isFalse();
    assertThat(loads.isLoading()).isFalse();
  }

  @Test
  void aLoadWhoseOperationCannotBeMadeHasNotBegun() {
    IndexTree tree = dataset.primary().tree();
    for (boolean isFresh : new boolean[] {true, false}) {
      IndexLoads loads = new IndexLoads(tree, () -> isFresh, BIGINT);
      isAsked = false;
      assertThatThrownBy(() -> loads.begin(isFresh, false, this::asked))
          .hasMessageContaining("no file");
      assertThat(isAsked).isTrue();
      assertThat(loads.isLoading()).isFalse();
    }
  }
}
