package org.loam.asterix.hyracks;

import static org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation.DELETE;
import static org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation.INSERT;
import static org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation.MERGE;
import static org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation.POINT_SEARCH;
import static org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation.SCAN;
import static org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation.UPDATE;
import static org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation.UPSERT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.btree.OrderedIndexMultiThreadTest;
import org.apache.hyracks.storage.am.common.IIndexTestWorkerFactory;
import org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation;
import org.apache.hyracks.storage.am.common.TestWorkloadConf;
import org.apache.hyracks.storage.am.common.datagen.ProbabilityHelper;
import org.apache.hyracks.storage.common.IIndex;

/** Hyracks' tests of operations by many threads, which must not fail. */
public class LoamMultiThreadTest extends OrderedIndexMultiThreadTest {
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private IndexHarness harness = new IndexHarness();

  /** Called for each of the workloads. */
  @Override
  protected void setUp() {
    harness = new IndexHarness();
    harness.before();
  }

  @Override
  protected void tearDown() {
    harness.after();
    assertThat(failures).isEmpty();
  }

  @Override
  protected IIndex createIndex(
      ITypeTraits[] types, IBinaryComparatorFactory[] comparators, int[] bloomFilterFields)
      throws HyracksDataException {
    return harness.index(types, comparators);
  }

  @Override
  protected IIndexTestWorkerFactory getWorkerFactory() {
    return (tuples, operations, index, batches) ->
        new Worker(tuples, operations, index, batches, failures);
  }

  @Override
  protected ArrayList<TestWorkloadConf> getTestWorkloadConf() {
    ArrayList<TestWorkloadConf> workloads = new ArrayList<>();
    workloads.add(of(INSERT));
    workloads.add(of(INSERT, MERGE));
    workloads.add(of(INSERT, POINT_SEARCH, SCAN));
    workloads.add(of(INSERT, DELETE, UPDATE, UPSERT));
    workloads.add(of(INSERT, DELETE, UPDATE, POINT_SEARCH, SCAN, MERGE));
    return workloads;
  }

  private static TestWorkloadConf of(TestOperation... operations) {
    return new TestWorkloadConf(
        operations, ProbabilityHelper.getUniformProbDist(operations.length));
  }

  @Override
  protected String getIndexTypeName() {
    return "Loam";
  }
}
