package org.loam.asterix.hyracks;

import java.util.Random;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.storage.am.btree.OrderedIndexInsertTest;
import org.apache.hyracks.storage.am.btree.OrderedIndexTestContext;
import org.apache.hyracks.storage.am.btree.frames.BTreeLeafFrameType;
import org.junit.Rule;

/** Hyracks' tests of inserts. */
@SuppressWarnings("rawtypes") // As Hyracks declares it.
public class LoamInsertTest extends OrderedIndexInsertTest {
  /** Makes indexes. */
  @Rule public final IndexHarness harness = new IndexHarness();

  /** One kind of pages. */
  public LoamInsertTest() {
    super(IndexHarness.LEAVES);
  }

  @Override
  protected OrderedIndexTestContext createTestContext(
      ISerializerDeserializer[] fields, int keys, BTreeLeafFrameType leaf, boolean filtered)
      throws Exception {
    return harness.context(fields, keys);
  }

  @Override
  protected Random getRandom() {
    return harness.random();
  }
}
