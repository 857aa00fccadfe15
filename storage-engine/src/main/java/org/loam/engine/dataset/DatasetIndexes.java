package org.loam.engine.dataset;

import java.util.List;
import org.loam.common.key.Keys;
import org.loam.engine.commit.PreparedBatch;
import org.loam.engine.commit.WritePath;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.operation.Closing;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.read.ReadPath;
import org.loam.engine.read.TreeCursor;
import org.loam.engine.tree.Schema;
import org.loam.engine.tree.Schema.NewTree;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexEntries;
import org.loam.lsm.dataset.RecordView;
import org.loam.lsm.dataset.TreeRole;

/** Makes indexes of datasets that have records already, and drops them. Thread-safe. */
public final class DatasetIndexes {
  /** A batch while an index is built: fits the smallest write memory. */
  private static final int BUILD_BATCH_BYTES = 8 << 10;

  private static final int RECORDS_PER_CALL = 1000;

  private final Schema schema;
  private final ReadPath reads;
  private final WritePath writes;
  private final int maxKeyBytes;

  /**
   * @param maxKeyBytes the longest key that a tree takes
   */
  public DatasetIndexes(Schema schema, ReadPath reads, WritePath writes, int maxKeyBytes) {
    this.schema = schema;
    this.reads = reads;
    this.writes = writes;
    this.maxKeyBytes = maxKeyBytes;
  }

  /** Is told how far the build of an index is. */
  public interface Progress {
    /** So many of about so many records are in it. */
    void at(long doneRecords, long totalRecords);
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

  public void create(DatasetState state, IndexDefinition definition, Progress progress) {
    try {
      state.change(() -> createAlone(state, definition, progress));
    } finally {
      schema.deleteFiles();
    }
  }

  private void createAlone(DatasetState state, IndexDefinition definition, Progress progress) {
    state.requireOpen();
    state.requireNoIndex(definition.name());
    LsmTree tree = createTree(state, definition);
    Index index = new Index(definition, tree);
    try {
      state.build(definition.name(), () -> buildAlone(state, index, progress));
    } catch (Throwable t) {
      // What cannot be dropped now is dropped by the next build, or when the database is opened.
      Closing.run(() -> abandon(state, tree), t);
      throw t;
    }
  }

  private void buildAlone(DatasetState state, Index index, Progress progress) {
    // Writers wait for the log without their locks: the last records may not show yet.
    writes.latch().awaitPublished();
    build(state, index, progress);
    schema.awaitEarlierWrites();
    // No log that was cut can take entries away now, or bring back a record that had none.
    TreeRole role = TreeRole.ofIndex(state.name(), index.definition(), false);
    schema.underChanges(() -> schema.describe(index.tree(), role.encode()));
    state.add(index);
  }

  private LsmTree createTree(DatasetState state, IndexDefinition definition) {
    LsmTree[] made = new LsmTree[1];
    NewTree tree = newTree(state.name(), definition, true);
    schema.underChanges(
        () -> {
          // Of a build that failed, and could not be abandoned.
          LsmTree left = state.unfinished(tree.name());
          if (left != null) {
            abandonAlone(state, left);
          }
          schema.create(
              List.of(tree),
              trees -> {
                made[0] = trees.get(0);
                state.begin(made[0]);
              });
        });
    // The build may need the room.
    schema.deleteFiles();
    return made[0];
  }

  private void abandon(DatasetState state, LsmTree tree) {
    schema.underChanges(() -> abandonAlone(state, tree));
  }

  private void abandonAlone(DatasetState state, LsmTree tree) {
    schema.drop(List.of(tree), () -> state.abandon(tree));
  }

  private void build(DatasetState state, Index index, Progress progress) {
    long done = 0;
    long total = recordsOnDisk(state);
    progress.at(done, total);
    PreparedBatch batch = new PreparedBatch(4);
    IndexWrites changes = new IndexWrites(index, maxKeyBytes, batch);
    try (TreeCursor records = reads.scan(state.records(), ReadPath.ALL_IN_PASSING)) {
      while (records.next()) {
        RecordView record = new RecordView(records.key(), records.value());
        try {
          IndexEntries.diff(index.definition(), null, record, changes);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "record " + Keys.describe(record.key()) + ": " + e.getMessage(), e);
        }
        if (batch.payloadBytes() >= BUILD_BATCH_BYTES) {
          writes.committer().apply(batch, WriteTerms.DEFAULT, Long.MAX_VALUE);
          batch.clear();
        }
        if (++done % RECORDS_PER_CALL == 0) {
          progress.at(done, Math.max(done, total));
        }
      }
    }
    writes.committer().apply(batch, WriteTerms.DEFAULT, Long.MAX_VALUE);
    progress.at(done, done);
  }

  private long recordsOnDisk(DatasetState state) {
    OperationContext context = reads.operations().enter();
    try {
      return state.records().disk().entries();
    } finally {
      reads.operations().exit(context);
    }
  }

  public void drop(DatasetState state, String name) {
    schema.awaitEarlierWrites();
    state.change(() -> state.withoutWriters(() -> dropAlone(state, name)));
    schema.deleteFiles();
  }

  private void dropAlone(DatasetState state, String name) {
    state.requireOpen();
    Index index = state.find(name);
    if (index != null) {
      schema.underChanges(() -> schema.drop(List.of(index.tree()), () -> state.remove(index)));
    }
  }
}
