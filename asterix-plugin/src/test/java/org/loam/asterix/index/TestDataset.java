package org.loam.asterix.index;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.asterix.app.nc.IndexCheckpointManagerProvider;
import org.apache.asterix.common.context.BaseOperationTracker;
import org.apache.asterix.common.context.DatasetInfo;
import org.apache.asterix.common.context.IndexInfo;
import org.apache.asterix.common.context.PrimaryIndexOperationTracker;
import org.apache.asterix.common.dataflow.LSMIndexUtil;
import org.apache.asterix.common.exceptions.ACIDException;
import org.apache.asterix.common.ioopcallbacks.LSMIOOperationCallback;
import org.apache.asterix.common.storage.IIndexCheckpointManagerProvider;
import org.apache.asterix.common.storage.ResourceReference;
import org.apache.asterix.common.transactions.ILogManager;
import org.apache.asterix.common.transactions.LogRecord;
import org.apache.asterix.formats.nontagged.BinaryComparatorFactoryProvider;
import org.apache.asterix.om.types.ATypeTag;
import org.apache.asterix.om.types.BuiltinType;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.data.std.primitive.VarLengthTypeTrait;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMOperationTracker;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndexFileManager;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentId;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentIdGenerator;
import org.apache.hyracks.storage.common.LocalResource;
import org.loam.common.env.real.RealEnv;

/**
 * A dataset's partition on a node: indexes with AsterixDB's own trackers, callbacks and checkpoints
 * around them. Only the log is none: it keeps the flushes that were logged until they are made. The
 * indexes have bigints as keys, and a string after the key where they have more.
 */
final class TestDataset implements AutoCloseable {
  private static final int DATASET = 101;
  private static final int PARTITION = 0;
  private static final String DIRECTORY = "storage/partition_0/Default/Records/0/";
  static final String PRIMARY = "Records";

  final IndexHost host = new IndexHost();

  /** Flushes that are in the log, and not begun. */
  final Deque<LogRecord> loggedFlushes = new ArrayDeque<>();

  /** So many records AsterixDB's log refuses next. */
  int logRefuses;

  /** Whether AsterixDB fails to note flushes and loads. */
  boolean checkpointsFail;

  /** Whether what AsterixDB notes of them will be lost with the node. */
  boolean checkpointsAreLost;

  /** What AsterixDB was told of the primary index's loads, {@code "scheduled"} and so on. */
  final List<String> toldOfLoads = new ArrayList<>();

  /** Where flushes can be held up. */
  HeldIo io = new HeldIo();

  /** The open indexes by name. */
  private final Map<String, LoamIndex> indexes = new HashMap<>();

  private IIndexCheckpointManagerProvider checkpoints;
  private LSMComponentIdGenerator ids;
  private DatasetInfo info;
  private PrimaryIndexOperationTracker tracker;
  private LoamIndex primary;

  TestDataset() throws HyracksDataException {
    start();
    primary = create(PRIMARY, index(PRIMARY, 2, true));
  }

  private void start() {
    checkpoints = new IndexCheckpointManagerProvider(host.ioManager());
    ids = new LSMComponentIdGenerator(2, LSMComponentId.MIN_VALID_COMPONENT_ID);
    info = new DatasetInfo(DATASET, log());
    info.setDurable(true);
    tracker = new PrimaryIndexOperationTracker(DATASET, PARTITION, log(), info, ids);
    loggedFlushes.clear();
    indexes.clear();
    io = new HeldIo();
  }

  private ILogManager log() {
    return (ILogManager)
        Proxy.newProxyInstance(
            ILogManager.class.getClassLoader(),
            new Class<?>[] {ILogManager.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getAppendLSN")) {
                return host.nextLsn();
              }
              if (logRefuses-- > 0) {
                throw new ACIDException("planned");
              }
              loggedFlushes.add((LogRecord) arguments[0]);
              return null;
            });
  }

  // ---- Indexes.

  LoamIndex primary() {
    return primary;
  }

  PrimaryIndexOperationTracker tracker() {
    return tracker;
  }

  /**
   * An index beside the primary one, made if there is none; all its fields are its key. With one
   * field it is of the records' keys.
   */
  LoamIndex secondary(String name, int fields) throws HyracksDataException {
    LoamIndex open = indexes.get(name);
    if (open != null) {
      return open;
    }
    LoamIndex index = index(name, fields, false);
    return host.resolve(DIRECTORY + name).getFile().exists()
        ? open(name, index)
        : create(name, index);
  }

  private LoamIndex create(String name, LoamIndex index) throws HyracksDataException {
    index.create();
    checkpoints
        .get(ResourceReference.ofIndex(index.getIndexIdentifier()))
        .init(
            AbstractLSMIndexFileManager.UNINITIALIZED_COMPONENT_SEQ,
            0,
            LSMComponentId.EMPTY_INDEX_LAST_COMPONENT_ID.getMaxId(),
            null);
    return open(name, index);
  }

  private LoamIndex open(String name, LoamIndex index) throws HyracksDataException {
    index.activate();
    indexes.put(name, index);
    long resource = resource(name);
    IndexInfo opened =
        new IndexInfo(index, DATASET, new LocalResource(resource, 0, true, null), PARTITION);
    opened.setOpen(true);
    info.addIndex(resource, opened);
    return index;
  }

  /** From now on the partition has an index of another kind beside those of Loam. */
  void addStockIndex() {
    ILSMIndex stock =
        (ILSMIndex)
            Proxy.newProxyInstance(
                ILSMIndex.class.getClassLoader(),
                new Class<?>[] {ILSMIndex.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "hashCode" -> 1;
                      case "equals" -> proxy == arguments[0];
                      case "isPrimaryIndex", "hasFlushRequestForCurrentMutableComponent" -> false;
                      default -> throw new AssertionError(method);
                    });
    IndexInfo opened =
        new IndexInfo(stock, DATASET, new LocalResource(1, 0, true, null), PARTITION);
    opened.setOpen(true);
    info.addIndex(1, opened);
  }

  /** The id of an index in the log. */
  static long resource(String name) {
    return name.hashCode();
  }

  private LoamIndex index(String name, int fields, boolean isPrimary) throws HyracksDataException {
    ITypeTraits[] types = new ITypeTraits[fields];
    Arrays.fill(types, VarLengthTypeTrait.INSTANCE);
    IBinaryComparatorFactory[] comparators = new IBinaryComparatorFactory[isPrimary ? 1 : fields];
    Arrays.fill(
        comparators,
        BinaryComparatorFactoryProvider.INSTANCE.getBinaryComparatorFactory(
            BuiltinType.AINT64, true));
    byte[] keyTypes = new byte[comparators.length];
    Arrays.fill(keyTypes, ATypeTag.BIGINT.serialize());
    FileReference directory = host.resolve(DIRECTORY + name);
    ILSMOperationTracker itsTracker = isPrimary ? tracker : new BaseOperationTracker(DATASET, info);
    return new LoamIndex(
        host.site(
            directory,
            itsTracker,
            io,
            this::notes,
            () -> resource(name),
            new IndexCheckpoints(
                RealEnv.create().files(),
                directory.getFile().toPath(),
                checkpoints.get(ResourceReference.ofIndex(directory.getRelativePath())))),
        new IndexShape(
            types, comparators, keyTypes, null, null, isPrimary, !isPrimary && fields == 1, true));
  }

  private IoNotes notes(ILSMIndex index) throws HyracksDataException {
    return new IoNotes(this, info, index, ids.getId(), checkpoints);
  }

  /** An open index by its id in the log. */
  LoamIndex byResource(long resource) {
    return (LoamIndex) info.getIndexes().get(resource).getIndex();
  }

  // ---- Flushes and crashes.

  /** Has the dataset flushed as soon as no transaction is inside, as AsterixDB's checkpoints do. */
  void flush() throws HyracksDataException {
    tracker.setFlushOnExit(true);
    tracker.flushIfNeeded();
    makeLoggedFlushes();
  }

  /** An operator opens that will write to an index. */
  void openToWrite(LoamIndex index) throws HyracksDataException {
    LSMIndexUtil.checkAndSetFirstLSN(index, log());
  }

  /**
   * From here on AsterixDB needs its log for what an index has in memory. A checkpoint may delete
   * what is below, and a rollback reads nothing of it.
   */
  long neededLsn(LoamIndex index) throws HyracksDataException {
    // As in RecoveryManager.getLocalMinFirstLSN, with these steps in this order.
    long end = host.nextLsn();
    var callback = (LSMIOOperationCallback) index.getIOOperationCallback();
    return !index.isCurrentMutableComponentEmpty() || callback.hasPendingFlush()
        ? Math.min(end, callback.getPersistenceLsn())
        : end;
  }

  /** Up to here a recovery would redo nothing in the primary index. */
  long flushedLsn() throws HyracksDataException {
    return checkpoints
        .get(ResourceReference.ofIndex(primary.getIndexIdentifier()))
        .getLowWatermark();
  }

  /** What the log does with flushes that are in it for good. */
  void makeLoggedFlushes() throws HyracksDataException {
    while (!loggedFlushes.isEmpty()) {
      LogRecord record = loggedFlushes.remove();
      record.setLSN(host.nextLsn());
      record.getOpTracker().triggerScheduleFlush(record);
    }
  }

  /** The node crashes, and the primary index is opened again. Nothing is redone. */
  void crash() throws HyracksDataException {
    host.crash();
    start();
    primary = open(PRIMARY, index(PRIMARY, 2, true));
  }

  // ---- Reading.

  /** What an index has. */
  static List<String> rows(LoamIndex index) throws HyracksDataException {
    return new Search(index).range(null, null);
  }

  List<String> rows() throws HyracksDataException {
    return rows(primary);
  }

  @Override
  public void close() {
    host.close();
  }
}
