package org.loam.asterix.hyracks;

import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.btree.OrderedIndexExamplesTest;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.junit.Rule;

/** Hyracks' examples of what an ordered index is used for, some with 10,000 or 100,000 tuples. */
public class LoamExamplesTest extends OrderedIndexExamplesTest {
  /** Makes indexes. */
  @Rule public final IndexHarness harness = new IndexHarness();

  @Override
  protected ITreeIndex createTreeIndex(
      ITypeTraits[] types,
      IBinaryComparatorFactory[] comparators,
      int[] bloomFilterFields,
      ITypeTraits[] filterTypes,
      IBinaryComparatorFactory[] filterComparators,
      int[] treeFields,
      int[] filterFields)
      throws HyracksDataException {
    return harness.index(types, comparators);
  }
}
