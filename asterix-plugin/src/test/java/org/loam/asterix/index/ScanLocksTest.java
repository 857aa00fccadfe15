package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.data.std.primitive.VarLengthTypeTrait;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.impls.IndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMergePolicy;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMOperationTracker;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMPageWriteCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.apache.hyracks.storage.common.buffercache.IBufferCache;
import org.apache.hyracks.util.trace.ITracer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;

/** Which rows a search asks AsterixDB's locks about, and what it does with the answers. */
class ScanLocksTest {
  private static final String PATH = "storage/partition_0/shop/orders/0/orders";

  @TempDir Path directory;

  private final Locks locks = new Locks();
  private final TupleKeys keys = new TupleKeys(1);
  private LoamNode node;
  private LoamIndex index;
  private LoamCursor cursor;

  /** Counts the questions; says no to some, once. */
  private final class Locks implements ISearchOperationCallback {
    private final List<String> calls = new ArrayList<>();
    private final Set<Integer> locked = new HashSet<>();
    private @Nullable Step whileAsked;
    private @Nullable Step whileWaiting;

    private void called(String call, ITupleReference tuple) {
      calls.add(call + id(tuple));
    }

    @Override
    public boolean proceed(ITupleReference tuple) throws HyracksDataException {
      called("proceed ", tuple);
      if (whileAsked != null) {
        whileAsked.run();
      }
      return !locked.contains(id(tuple));
    }

    @Override
    public void reconcile(ITupleReference tuple) throws HyracksDataException {
      called("reconcile ", tuple);
      locked.remove(id(tuple));
      if (whileWaiting != null) {
        whileWaiting.run();
      }
    }

    @Override
    public void cancel(ITupleReference tuple) {
      called("cancel ", tuple);
    }

    @Override
    public void complete(ITupleReference tuple) {
      called("complete ", tuple);
    }

    @Override
    public void before(ITupleReference tuple) {
      called("before ", tuple);
    }
  }

  private interface Step {
    void run() throws HyracksDataException;
  }

  @BeforeEach
  void open() throws HyracksDataException {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    node = new LoamNode(directory.resolve("loam"), config, () -> 1L);
    FileReference place = new FileReference(new IODeviceHandle(directory.toFile(), null), PATH);
    IndexSite site =
        new IndexSite(
            node,
            idle(IIOManager.class),
            place,
            List.of(idle(IVirtualBufferCache.class)),
            idle(IBufferCache.class),
            idle(ILSMMergePolicy.class),
            idle(ILSMOperationTracker.class),
            idle(ILSMIOOperationScheduler.class),
            idle(ILSMIOOperationCallbackFactory.class),
            idle(ILSMPageWriteCallbackFactory.class),
            ITracer.NONE,
            primary -> null);
    ITypeTraits[] types = {VarLengthTypeTrait.INSTANCE, VarLengthTypeTrait.INSTANCE};
    IBinaryComparatorFactory[] comparators = {idle(IBinaryComparatorFactory.class)};
    index = new LoamIndex(site, shape(types, comparators));
    index.tree().open(place, true, () -> {});
    IndexAccessParameters parameters =
        new IndexAccessParameters(NoOpOperationCallback.INSTANCE, locks);
    cursor = new LoamCursor(index, new LoamOpContext(index, parameters, ITracer.NONE));
  }

  @SuppressWarnings("NullAway") // Nobody looks at nulls.
  private static IndexShape shape(ITypeTraits[] types, IBinaryComparatorFactory[] comparators) {
    return new IndexShape(types, comparators, null, null, true, false, true);
  }

  /** One that does nothing. */
  private static <T> T idle(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Class<?> result = method.getReturnType();
              if (result.isInterface()) {
                return idle(result);
              }
              return result == boolean.class ? false : result == long.class ? (Object) 0L : 0;
            }));
  }

  @AfterEach
  void close() {
    index.tree().close();
    node.close();
  }

  // ---- Tuples, of a number and a text of a byte.

  private static int id(ITupleReference tuple) {
    return IntegerPointable.getInteger(tuple.getFieldData(0), tuple.getFieldStart(0) + 1);
  }

  private void write(int id, int version) throws HyracksDataException {
    ITupleReference tuple = LoamBulkLoaderTest.tuple(id, version);
    index.tree().write(keys.key(tuple), LoamTuple.encode(tuple));
  }

  private void delete(int id) throws HyracksDataException {
    index.tree().write(key(id), null);
  }

  private byte[] key(int id) {
    return keys.key(LoamBulkLoaderTest.tuple(id, 0));
  }

  /** What a scan shows: number and version of each tuple, with a star if it had to wait. */
  private List<String> scan() throws HyracksDataException {
    locks.calls.clear();
    return search(null);
  }

  @SuppressWarnings("NullAway") // Null is all, or that the key says how it is compared.
  private List<String> search(@Nullable Integer id) throws HyracksDataException {
    ITupleReference key = id == null ? null : LoamBulkLoaderTest.tuple(id, 0);
    List<String> shown = new ArrayList<>();
    cursor.open(null, new RangePredicate(key, key, true, true, null, null));
    try {
      while (cursor.hasNext()) {
        cursor.next();
        ITupleReference tuple = cursor.getTuple();
        String waited = cursor.getSearchOperationCallbackProceedResult() ? "" : "*";
        shown.add(id(tuple) + "." + tuple.getFieldLength(1) + waited);
      }
    } finally {
      cursor.close();
    }
    return shown;
  }

  // ---- Scans.

  @Test
  void whatIsOnDiskIsCommittedAndNobodyIsAsked() throws HyracksDataException {
    write(1, 1);
    write(2, 1);
    assertThat(scan()).containsExactly("1.1", "2.1");
    assertThat(locks.calls).containsExactly("proceed 1", "proceed 2");
    index.tree().flush();
    locks.locked.add(1);
    assertThat(scan()).containsExactly("1.1", "2.1");
    assertThat(locks.calls).isEmpty();
  }

  @Test
  void whatIsInMemoryIsAskedAboutWhereverElseItIs() throws HyracksDataException {
    for (int id = 1; id <= 4; id++) {
      write(id, 1);
    }
    index.tree().flush();
    write(2, 2);
    write(5, 2);
    delete(3);
    assertThat(scan()).containsExactly("1.1", "2.2", "4.1", "5.2");
    assertThat(locks.calls).containsExactly("proceed 2", "proceed 5");
  }

  @Test
  void theEndOfATransactionIsAwaitedAndWhatItLeavesIsShown() throws HyracksDataException {
    for (int id = 1; id <= 3; id++) {
      write(id, 1);
    }
    index.tree().flush();
    write(2, 2);
    locks.locked.add(2);
    assertThat(scan()).containsExactly("1.1", "2.2*", "3.1");
    assertThat(locks.calls).containsExactly("proceed 2", "reconcile 2", "complete 2");

    // Rolled back: what is shown then is on disk, and not asked about again.
    locks.locked.add(2);
    locks.whileWaiting = () -> index.tree().undo(key(2));
    assertThat(scan()).containsExactly("1.1", "2.1*", "3.1");
    assertThat(locks.calls).containsExactly("proceed 2", "reconcile 2", "complete 2");

    write(2, 3);
    locks.locked.add(2);
    locks.whileWaiting = () -> delete(2);
    assertThat(scan()).containsExactly("1.1", "3.1");
    assertThat(locks.calls).containsExactly("proceed 2", "reconcile 2", "cancel 2");
  }

  @Test
  void whatWasTakenBackUnseenIsReadAgain() throws HyracksDataException {
    write(1, 1);
    write(2, 1);
    index.tree().flush();
    write(1, 2);
    write(2, 2);
    locks.whileAsked =
        () -> {
          locks.whileAsked = null;
          index.tree().undo(key(1));
          index.tree().undo(key(2));
        };
    assertThat(scan()).containsExactly("1.1", "2.1");
  }

  @Test
  void whoHasNoTransactionsAsksNobody() throws HyracksDataException {
    write(1, 1);
    IndexAccessParameters parameters =
        new IndexAccessParameters(NoOpOperationCallback.INSTANCE, NoOpOperationCallback.INSTANCE);
    cursor = new LoamCursor(index, new LoamOpContext(index, parameters, ITracer.NONE));
    assertThat(scan()).containsExactly("1.1");
    assertThat(locks.calls).isEmpty();
  }

  // ---- Lookups.

  @Test
  void aLookupAsksWhereverTheKeyIs() throws HyracksDataException {
    write(1, 1);
    index.tree().flush();
    write(2, 1);
    assertThat(search(1)).containsExactly("1.1");
    assertThat(search(2)).containsExactly("2.1");
    assertThat(search(3)).isEmpty();
    assertThat(locks.calls).containsExactly("proceed 1", "proceed 2", "proceed 3");
  }
}
