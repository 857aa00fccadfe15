package org.loam.asterix.hyracks;

import org.apache.hyracks.dataflow.common.utils.SerdeUtils;
import org.apache.hyracks.storage.am.btree.AbstractSearchOperationCallbackTest;
import org.junit.Rule;

/** Hyracks' test of a search that waits for each tuple while another thread writes. */
public class LoamSearchCallbackTest extends AbstractSearchOperationCallbackTest {
  /** Makes indexes. */
  @Rule public final IndexHarness harness = new IndexHarness();

  @Override
  protected void createIndexInstance() throws Exception {
    index =
        harness.index(
            SerdeUtils.serdesToTypeTraits(keySerdes),
            SerdeUtils.serdesToComparatorFactories(keySerdes, keySerdes.length));
  }
}
