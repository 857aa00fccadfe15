package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.asterix.om.types.ATypeTag;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.dataflow.common.comm.io.ArrayTupleBuilder;
import org.apache.hyracks.dataflow.common.comm.io.ArrayTupleReference;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.EmptyComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentFileReferences;
import org.apache.hyracks.storage.am.lsm.common.impls.LoadOperation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;

/** Loads into the tree of an index, past write memory and through it. */
class LoamBulkLoaderTest {
  private static final String PATH = "storage/partition_0/shop/orders/0/orders";
  private static final int RECORDS = 1000;

  /** How entries get into the tree. */
  private enum Way {
    SORTED,
    MEMORY
  }

  @TempDir Path directory;

  private LoamNode node;
  private IndexTree tree;
  private final TupleKeys keys = new TupleKeys(1);

  @BeforeEach
  void open() throws HyracksDataException {
    open(true);
  }

  private void open(boolean isNew) throws HyracksDataException {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    node = new LoamNode(directory, config, () -> 1L);
    tree = new IndexTree(node);
    tree.open(place(PATH), isNew, this::flush);
  }

  private FileReference place(String path) {
    return new FileReference(new IODeviceHandle(directory.toFile(), null), path);
  }

  /** As the index does. */
  private void flush() {
    try {
      if (tree.isLoading()) {
        tree.beginFlush();
      }
    } catch (HyracksDataException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    tree.close();
    node.close();
  }

  /** AsterixDB's side of a load. */
  private static final class Checkpoint implements ILSMIOOperationCallback {
    private final List<String> calls = new ArrayList<>();
    private @Nullable HyracksDataException fault;

    private void told(String call, ILSMIOOperation operation) {
      assertThat(operation.getNewComponent()).isSameAs(EmptyComponent.INSTANCE);
      calls.add(call);
    }

    @Override
    public void scheduled(ILSMIOOperation operation) {
      told("scheduled", operation);
    }

    @Override
    public void beforeOperation(ILSMIOOperation operation) {
      told("before", operation);
    }

    @Override
    public void afterOperation(ILSMIOOperation operation) {
      told("after", operation);
    }

    @Override
    public void afterFinalize(ILSMIOOperation operation) throws HyracksDataException {
      told("noted", operation);
      if (fault != null) {
        throw fault;
      }
    }

    @Override
    public void completed(ILSMIOOperation operation) {
      told("completed", operation);
    }

    @Override
    public void recycled(ILSMMemoryComponent component) {}

    @Override
    public void allocated(ILSMMemoryComponent component) {}

    @Override
    public long getLastValidSequence() {
      return 0;
    }
  }

  private final Checkpoint checkpoint = new Checkpoint();

  private LoamBulkLoader begin(IndexTree into, boolean verifies) throws HyracksDataException {
    LoadOperation operation =
        new LoadOperation(
            new LSMComponentFileReferences(null, null, null), checkpoint, PATH, Map.of());
    return new LoamBulkLoader(into, operation, keys, verifies);
  }

  private LoamBulkLoader begin(Way way) throws HyracksDataException {
    if (way == Way.MEMORY) {
      leaveAntiMatter();
    }
    return begin(tree, true);
  }

  /** The tree is empty to AsterixDB then, but not to Loam. */
  private void leaveAntiMatter() throws HyracksDataException {
    tree.write(key(RECORDS + 1), new byte[1]);
    tree.write(key(RECORDS + 1), null);
  }

  private static ITupleReference tuple(int id) {
    return tuple(id, 100);
  }

  static ITupleReference tuple(int id, int bytes) {
    byte[] key = new byte[5];
    key[0] = ATypeTag.SERIALIZED_INT32_TYPE_TAG;
    IntegerPointable.setInteger(key, 1, id);
    return tuple(key, new byte[bytes]);
  }

  @SuppressWarnings("deprecation") // AsterixDB uses it, too.
  private static ITupleReference tuple(byte[] key, byte[] rest) {
    try {
      ArrayTupleBuilder builder = new ArrayTupleBuilder(2);
      builder.addField(key, 0, key.length);
      builder.addField(rest, 0, rest.length);
      ArrayTupleReference tuple = new ArrayTupleReference();
      tuple.reset(builder.getFieldEndOffsets(), builder.getByteArray());
      return tuple;
    } catch (HyracksDataException e) {
      throw new AssertionError(e);
    }
  }

  private byte[] key(int id) {
    return keys.key(tuple(id));
  }

  private static void add(LoamBulkLoader loader, int from, int to) throws HyracksDataException {
    for (int id = from; id < to; id++) {
      loader.add(tuple(id));
    }
  }

  private void requireLoaded(int from, int to) throws HyracksDataException {
    for (int id = from; id < to; id++) {
      assertThat(tree.get(key(id))).as("tuple %d", id).isEqualTo(LoamTuple.encode(tuple(id)));
    }
    assertThat(tree.get(key(to))).isNull();
  }

  /** How many loads went past write memory. */
  private long sorted() {
    return node.statistics().work().loads();
  }

  /** After one that failed, another succeeds, and in the same way. */
  private void requireEmptyAndUsable(Way way) throws HyracksDataException {
    assertThat(tree.isEmpty()).isTrue();
    assertThat(tree.isLoading()).isFalse();
    checkpoint.calls.clear();
    checkpoint.fault = null;
    long before = sorted();
    LoamBulkLoader loader = begin(way);
    add(loader, 0, RECORDS);
    loader.end();
    requireLoaded(0, RECORDS);
    assertThat(sorted() - before).isEqualTo(way == Way.SORTED ? 1 : 0);
    assertThat(checkpoint.calls).containsExactly("scheduled", "after", "noted", "completed");
  }

  // ---- What is loaded.

  @ParameterizedTest
  @EnumSource
  void whatWasLoadedIsDurableWhenAsterixDbNotesIt(Way way) throws HyracksDataException {
    LoamBulkLoader loader = begin(way);
    add(loader, 0, RECORDS);
    assertThat(checkpoint.calls).containsExactly("scheduled");
    assertThat(tree.isLoading()).isTrue();
    loader.end();
    assertThat(loader.hasFailed()).isFalse();
    assertThat(checkpoint.calls).containsExactly("scheduled", "after", "noted", "completed");
    assertThat(tree.isLoading()).isFalse();
    assertThat(sorted()).isEqualTo(way == Way.SORTED ? 1 : 0);
    requireLoaded(0, RECORDS);
    // There is no log from which it could come back.
    close();
    open(false);
    requireLoaded(0, RECORDS);
    tree.write(key(RECORDS), new byte[1]);
    assertThat(tree.get(key(RECORDS))).isNotNull();
  }

  @Test
  void aLoadThatWasNotNotedIsGoneWhenTheIndexIsOpenedAgain() throws HyracksDataException {
    LoamBulkLoader loader = begin(tree, true);
    add(loader, 0, RECORDS);
    loader.end();
    close();
    open(true);
    assertThat(tree.isEmpty()).isTrue();
    requireEmptyAndUsable(Way.SORTED);
  }

  @Test
  void aLoadThroughMemoryMayBeLargerThanMemory() throws HyracksDataException {
    LoamBulkLoader loader = begin(Way.MEMORY);
    int count = 4000;
    for (int id = 0; id < count; id++) {
      loader.add(tuple(id, 10_000));
    }
    loader.end();
    assertThat(node.statistics().work().flushes()).isGreaterThan(1);
    assertThat(tree.get(key(0))).isNotNull();
    assertThat(tree.get(key(count - 1))).isNotNull();
  }

  @Test
  void loadsWithoutBuffersGoThroughMemory() throws HyracksDataException {
    IndexTree other = new IndexTree(node);
    other.open(place(PATH + "2"), true, () -> {});
    LoamBulkLoader first = begin(tree, true);
    LoamBulkLoader second = begin(other, true);
    add(first, 0, RECORDS);
    add(second, 0, 10);
    second.end();
    first.end();
    requireLoaded(0, RECORDS);
    assertThat(other.get(key(9))).isNotNull();
    assertThat(sorted()).isEqualTo(1);
    other.close();
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatComesTwiceCountsOnceWhereItMay(Way way) throws HyracksDataException {
    if (way == Way.MEMORY) {
      leaveAntiMatter();
    }
    LoamBulkLoader loader = begin(tree, false);
    loader.add(tuple(1));
    loader.add(tuple(1, 5));
    loader.add(tuple(2));
    loader.end();
    assertThat(tree.get(key(1))).isEqualTo(LoamTuple.encode(tuple(1)));
    assertThat(tree.get(key(2))).isNotNull();
  }

  // ---- What fails.

  private interface Step {
    void run() throws HyracksDataException;
  }

  /** The step fails the load, which AsterixDB ends then. */
  private void requireFailure(Way way, LoamBulkLoader loader, Step step, String message)
      throws HyracksDataException {
    add(loader, 0, RECORDS);
    assertThatThrownBy(step::run)
        .isInstanceOf(HyracksDataException.class)
        .hasMessageContaining(message)
        .isSameAs(loader.getFailure());
    assertThat(loader.hasFailed()).isTrue();
    loader.end();
    assertThat(checkpoint.calls).containsExactly("scheduled", "completed");
    requireEmptyAndUsable(way);
  }

  @ParameterizedTest
  @EnumSource
  void whatComesTwiceFailsIt(Way way) throws HyracksDataException {
    LoamBulkLoader loader = begin(way);
    requireFailure(way, loader, () -> loader.add(tuple(RECORDS - 1)), "HYR0048");
  }

  @ParameterizedTest
  @EnumSource
  void whatComesOutOfOrderFailsIt(Way way) throws HyracksDataException {
    LoamBulkLoader loader = begin(way);
    requireFailure(way, loader, () -> loader.add(tuple(1)), "HYR0046");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsTooLongFailsIt(Way way) throws HyracksDataException {
    LoamBulkLoader loader = begin(way);
    requireFailure(way, loader, () -> loader.add(tuple(RECORDS, 33 << 20)), "bytes");
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatIsTooLongFailsIt(Way way) throws HyracksDataException {
    LoamBulkLoader loader = begin(way);
    byte[] key = new byte[5003];
    key[0] = ATypeTag.SERIALIZED_STRING_TYPE_TAG;
    // The size of the text, 5000.
    key[1] = (byte) (0x80 | 5000 >> 7);
    key[2] = 5000 & 0x7f;
    Step add = () -> loader.add(tuple(key, new byte[1]));
    requireFailure(way, loader, add, "set a larger page.size");
  }

  @ParameterizedTest
  @EnumSource
  void abortLeavesNothing(Way way) throws HyracksDataException {
    LoamBulkLoader loader = begin(way);
    add(loader, 0, RECORDS);
    loader.abort();
    assertThat(loader.hasFailed()).isTrue();
    assertThat(checkpoint.calls).containsExactly("scheduled", "completed");
    requireEmptyAndUsable(way);
  }

  @ParameterizedTest
  @EnumSource
  void aPageThatAsterixDbCouldNotWriteFailsIt(Way way) throws HyracksDataException {
    LoamBulkLoader loader = begin(way);
    add(loader, 0, RECORDS);
    Throwable failure = new IllegalStateException("no page");
    loader.writeFailed(null, failure);
    assertThat(loader.getFailure()).isSameAs(failure);
    loader.end();
    requireEmptyAndUsable(way);
  }

  @ParameterizedTest
  @EnumSource
  void whatAsterixDbCannotNoteDoesNotStay(Way way) throws HyracksDataException {
    LoamBulkLoader loader = begin(way);
    add(loader, 0, RECORDS);
    checkpoint.fault = HyracksDataException.create(new IllegalStateException("no checkpoint"));
    assertThatThrownBy(loader::end).isSameAs(checkpoint.fault);
    assertThat(loader.getFailure()).isSameAs(checkpoint.fault);
    assertThat(checkpoint.calls).containsExactly("scheduled", "after", "noted", "completed");
    requireEmptyAndUsable(way);
  }

  @Test
  void aFaultOfTheEngineIsThatOfTheLoad() throws HyracksDataException {
    LoamBulkLoader loader = begin(tree, true);
    add(loader, 0, 10);
    node.dropTree(PATH);
    assertThatThrownBy(() -> loader.add(tuple(10)))
        .isInstanceOf(HyracksDataException.class)
        .hasMessageContaining("was dropped");
    assertThat(loader.hasFailed()).isTrue();
    // What ends it says what is wrong with the index now; it is over all the same.
    assertThatThrownBy(loader::end).isInstanceOf(HyracksDataException.class);
    assertThat(checkpoint.calls).containsExactly("scheduled", "completed");
  }

  @Test
  void whatWasThereBeforeStays() throws HyracksDataException {
    tree.write(key(0), LoamTuple.encode(tuple(0)));
    LoamBulkLoader loader = begin(tree, true);
    loader.add(tuple(1));
    loader.abort();
    assertThat(loader.hasFailed()).isTrue();
    assertThat(checkpoint.calls).containsExactly("scheduled", "completed");
    assertThat(tree.get(key(0))).isNotNull();
  }
}
