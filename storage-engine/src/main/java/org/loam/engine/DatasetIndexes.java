package org.loam.engine;

import java.util.List;
import org.loam.common.key.Keys;
import org.loam.engine.DatasetState.Index;
import org.loam.engine.Schema.NewTree;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexEntries;
import org.loam.lsm.dataset.RecordView;
import org.loam.lsm.dataset.TreeRole;

/**
 * Makes indexes of datasets that have records already, and drops them. Thread-safe.
 *
 * <p>Lock order: {@link DatasetState#change}, all key locks of the dataset, then {@link
 * TreeCatalog#changes}.
 */
final class DatasetIndexes {
  /** A batch while an index is built: fits the smallest write memory. */
  private static final int BUILD_BATCH_BYTES = 8 << 10;

  private static final int RECORDS_PER_CALL = 1000;

  private final Engine engine;
  private final Kernel kernel;
  private final Schema schema;

  DatasetIndexes(Engine engine, Kernel kernel, Schema schema) {
    this.engine = engine;
    this.kernel = kernel;
    this.schema = schema;
  }

  /**
   * The tree of an index.
   *
   * @param building whether it is not to be relied on yet
   */
  static NewTree newTree(String dataset, IndexDefinition index, boolean building) {
    String description = TreeRole.ofIndex(dataset, index, building).encode();
    return new NewTree(dataset + "/" + index.name(), 0, description);
  }

  void create(DatasetState state, IndexDefinition definition, IndexProgress progress) {
    state.change(() -> createAlone(state, definition, progress));
  }

  private void createAlone(DatasetState state, IndexDefinition definition, IndexProgress progress) {
    state.requireOpen();
    state.requireNoIndex(definition.name());
    LsmTree lsm = createTree(state, definition);
    Index index = new Index(definition, new Tree(engine, lsm));
    try {
      state.withoutWriters(() -> state.beginBuild(definition.name()));
      // Writers wait for the log without their locks: the last records may not show yet.
      kernel.committer.awaitPublished();
      build(state, index, progress);
      // In components before anybody relies on it: no log that was cut can take entries away.
      engine.flush(lsm);
      TreeRole role = TreeRole.ofIndex(state.name(), definition, false);
      engine.underChanges(() -> schema.describe(lsm, role.encode()));
      state.withoutWriters(() -> state.add(index));
    } catch (Throwable t) {
      // What cannot be dropped now is dropped when the database is opened again.
      Closing.run(() -> abandon(state, lsm), t);
      throw t;
    } finally {
      state.endBuild();
    }
  }

  private LsmTree createTree(DatasetState state, IndexDefinition definition) {
    LsmTree[] made = new LsmTree[1];
    NewTree tree = newTree(state.name(), definition, true);
    engine.underChanges(
        () ->
            schema.create(
                List.of(tree),
                trees -> {
                  made[0] = trees.get(0);
                  state.begin(made[0]);
                }));
    return made[0];
  }

  private void abandon(DatasetState state, LsmTree tree) {
    engine.underChanges(() -> schema.drop(List.of(tree)));
    state.abandon(tree);
  }

  private void build(DatasetState state, Index index, IndexProgress progress) {
    long done = 0;
    long total = recordsOnDisk(state);
    progress.at(done, total);
    WriteBatch batch = new WriteBatch();
    IndexWrites writes = new IndexWrites(index, batch);
    try (Cursor records = state.records().scan(ScanOptions.all().withoutCacheFill())) {
      while (records.next()) {
        RecordView record = new RecordView(records.key(), records.value());
        try {
          IndexEntries.diff(index.definition(), null, record, writes);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "record " + Keys.describe(record.key()) + ": " + e.getMessage(), e);
        }
        if (batch.payloadBytes() >= BUILD_BATCH_BYTES) {
          kernel.committer.apply(batch, WriteOptions.DEFAULT, Long.MAX_VALUE);
          batch.clear();
        }
        if (++done % RECORDS_PER_CALL == 0) {
          progress.at(done, Math.max(done, total));
        }
      }
    }
    kernel.committer.apply(batch, WriteOptions.DEFAULT, Long.MAX_VALUE);
    progress.at(done, done);
  }

  private long recordsOnDisk(DatasetState state) {
    OperationContext context = kernel.operations.enter();
    try {
      return state.records().lsm().disk().entries();
    } finally {
      kernel.operations.exit(context);
    }
  }

  void drop(DatasetState state, String name) {
    state.change(() -> state.withoutWriters(() -> dropAlone(state, name)));
  }

  private void dropAlone(DatasetState state, String name) {
    state.requireOpen();
    Index index = state.find(name);
    if (index != null) {
      engine.underChanges(() -> schema.drop(List.of(index.tree().lsm())));
      state.remove(index);
    }
  }
}
