package org.loam.asterix.hyracks;

import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.dataflow.common.data.marshalling.IntegerSerializerDeserializer;
import org.apache.hyracks.storage.am.btree.OrderedIndexTestContext;
import org.apache.hyracks.storage.am.btree.OrderedIndexTestUtils;
import org.apache.hyracks.storage.am.common.AbstractIndexLifecycleTest;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.AfterClass;
import org.junit.Rule;

/** Hyracks' tests of creating, opening, emptying, closing and destroying, in and out of order. */
public class LoamLifecycleTest extends AbstractIndexLifecycleTest {
  private static final ISerializerDeserializer<?>[] FIELDS = {
    IntegerSerializerDeserializer.INSTANCE
  };

  /** Makes indexes. */
  @Rule public final IndexHarness harness = new IndexHarness();

  private final OrderedIndexTestUtils tuples = new OrderedIndexTestUtils();
  private OrderedIndexTestContext context;

  /** The superclass has Hyracks tell more. */
  @AfterClass
  public static void beQuiet() {
    Configurator.setLevel("org.apache.hyracks", Level.ERROR);
  }

  @Override
  public void setup() throws Exception {
    context = harness.context(FIELDS, FIELDS.length);
    index = context.getIndex();
  }

  @Override
  public void tearDown() {}

  @Override
  protected boolean persistentStateExists() {
    return harness.directory().exists();
  }

  @Override
  protected boolean isEmptyIndex() {
    return harness.last().isEmptyIndex();
  }

  @Override
  protected void performInsertions() throws Exception {
    tuples.insertIntTuples(context, 10, harness.random());
  }

  @Override
  protected void checkInsertions() throws Exception {
    tuples.checkScan(context);
  }

  @Override
  protected void clearCheckableInsertions() {
    context.getCheckTuples().clear();
  }
}
