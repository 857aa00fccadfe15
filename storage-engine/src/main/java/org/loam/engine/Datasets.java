package org.loam.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;
import org.loam.engine.DatasetState.Index;
import org.loam.engine.Schema.NewTree;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexKeys;
import org.loam.lsm.dataset.RecordView;
import org.loam.lsm.dataset.TreeRole;
import org.loam.lsm.manifest.ManifestState.TreeRecord;

/**
 * The datasets of an engine. Thread-safe.
 *
 * <p>Lock order: {@link DatasetState#change}, all key locks of the dataset, then {@link
 * TreeCatalog#changes}.
 */
public final class Datasets {
  private final Engine engine;
  private final Kernel kernel;
  private final Schema schema;
  private final DatasetWriter writer;
  private final DatasetIndexes indexes;
  private final Map<String, DatasetState> byName = new ConcurrentHashMap<>();

  Datasets(Engine engine, Kernel kernel, Schema schema) {
    this.engine = engine;
    this.kernel = kernel;
    this.schema = schema;
    this.writer = new DatasetWriter(kernel.committer);
    this.indexes = new DatasetIndexes(engine, kernel, schema);
  }

  DatasetWriter writer() {
    return writer;
  }

  DatasetIndexes indexes() {
    return indexes;
  }

  // ---- At the opening of the engine.

  /**
   * Finds the datasets that the manifest knows, and drops indexes that were not built to the end.
   */
  void load() {
    Map<LsmTree, TreeRole> roles = new LinkedHashMap<>();
    for (TreeRecord record : kernel.manifest.read(state -> List.copyOf(state.trees()))) {
      LsmTree tree = kernel.trees.byId(record.treeId());
      if (tree != null && !record.description().isEmpty()) {
        roles.put(tree, TreeRole.decode(record.name(), record.description()));
      }
    }
    List<LsmTree> unfinished = new ArrayList<>();
    roles.forEach(
        (tree, role) -> {
          if (role.building()) {
            unfinished.add(tree);
          }
        });
    if (!unfinished.isEmpty()) {
      engine.underChanges(() -> schema.drop(unfinished));
      roles.keySet().removeAll(unfinished);
    }
    roles.forEach(
        (tree, role) -> {
          if (role.index() == null) {
            byName.put(role.dataset(), stateOf(tree, role, roles));
          }
        });
    roles.forEach(
        (tree, role) -> {
          if (!byName.containsKey(role.dataset())) {
            throw new CorruptionException(
                "the manifest has index '"
                    + role.index()
                    + "' of dataset '"
                    + role.dataset()
                    + "', but not the dataset; restore it from a backup");
          }
        });
  }

  private DatasetState stateOf(LsmTree records, TreeRole role, Map<LsmTree, TreeRole> roles) {
    List<Index> indexes = new ArrayList<>();
    roles.forEach(
        (tree, other) -> {
          String index = other.index();
          if (index != null && other.dataset().equals(role.dataset())) {
            indexes.add(
                new Index(
                    new IndexDefinition(index, other.parts(), other.rule(), Datasets::unknown),
                    new Tree(engine, tree)));
          }
        });
    return newState(role, records, indexes);
  }

  private DatasetState newState(TreeRole role, LsmTree records, List<Index> indexes) {
    return new DatasetState(
        kernel, role.dataset(), role.rule(), new Tree(engine, records), indexes);
  }

  /** The extractor of an index that no program has told yet how to find its keys. */
  private static void unknown(RecordView record, IndexKeys keys) {
    throw new AssertionError("the dataset was not opened");
  }

  // ---- Datasets.

  /**
   * Creates a dataset; durable when it returns.
   *
   * @param name not empty; with the name of an index at most 254 bytes in UTF-8
   * @param rule how records and their keys are to be understood; compared at {@link #open}
   * @throws IllegalArgumentException if there is a dataset or a tree of that name
   */
  public Dataset create(String name, String rule, List<IndexDefinition> indexes) {
    Arguments.require(name, "dataset name");
    requireDistinct(indexes);
    TreeRole role = TreeRole.ofRecords(name, Arguments.require(rule, "rule"));
    List<NewTree> trees = new ArrayList<>();
    trees.add(new NewTree(name, 0, role.encode()));
    for (IndexDefinition index : indexes) {
      trees.add(DatasetIndexes.newTree(name, index, false));
    }
    DatasetState[] created = new DatasetState[1];
    engine.underChanges(
        () -> {
          if (byName.containsKey(name)) {
            throw new IllegalArgumentException(
                "there is a dataset '" + name + "' already; open it, or drop it first");
          }
          schema.create(
              trees,
              made -> {
                List<Index> all = new ArrayList<>();
                for (int i = 0; i < indexes.size(); i++) {
                  all.add(new Index(indexes.get(i), new Tree(engine, made.get(i + 1))));
                }
                created[0] = newState(role, made.get(0), all);
                created[0].attach(all);
                byName.put(name, created[0]);
              });
        });
    return new Dataset(engine, created[0]);
  }

  private static void requireDistinct(List<IndexDefinition> indexes) {
    List<String> names = indexes.stream().map(IndexDefinition::name).toList();
    for (int i = 0; i < names.size(); i++) {
      if (names.indexOf(names.get(i)) != i) {
        throw new IllegalArgumentException(
            "index '" + names.get(i) + "' is there twice, must be once");
      }
    }
  }

  /**
   * Opens a dataset. The program says anew how its indexes find their keys.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is;
   *     or if rule or indexes differ from those that the database knows, saying which
   */
  public Dataset open(String name, String rule, List<IndexDefinition> indexes) {
    DatasetState state = require(name);
    requireDistinct(indexes);
    if (!state.rule().equals(Arguments.require(rule, "rule"))) {
      throw new IllegalArgumentException(
          "dataset '" + name + "' was created with the rule " + state.rule() + ", not " + rule);
    }
    state.withoutWriters(() -> attach(state, indexes));
    return new Dataset(engine, state);
  }

  private static void attach(DatasetState state, List<IndexDefinition> indexes) {
    state.requireOpen();
    List<Index> opened = new ArrayList<>();
    for (IndexDefinition index : indexes) {
      opened.add(new Index(index, requireSame(state, index).tree()));
    }
    if (opened.size() < state.indexes().size()) {
      throw new IllegalArgumentException(
          "dataset '"
              + state.name()
              + "' has the indexes "
              + names(state.indexes())
              + ", was opened with "
              + names(opened)
              + " only; name all, or drop what is not needed");
    }
    if (!state.isAttached()) {
      state.attach(opened);
    }
  }

  private static List<String> names(List<Index> indexes) {
    return indexes.stream().map(index -> index.definition().name()).toList();
  }

  private static Index requireSame(DatasetState state, IndexDefinition wanted) {
    Index stored = state.find(wanted.name());
    if (stored == null) {
      throw new IllegalArgumentException(
          "dataset '"
              + state.name()
              + "' has no index '"
              + wanted.name()
              + "'"
              + Names.hint(wanted.name(), names(state.indexes()), "; create it first"));
    }
    IndexDefinition known = stored.definition();
    if (!known.parts().equals(wanted.parts()) || !known.rule().equals(wanted.rule())) {
      throw new IllegalArgumentException(
          "index '"
              + wanted.name()
              + "' of dataset '"
              + state.name()
              + "' was made by the rule "
              + known.rule()
              + " "
              + known.parts()
              + ", not "
              + wanted.rule()
              + " "
              + wanted.parts()
              + "; open it as it is, or drop it and create it again");
    }
    return stored;
  }

  /**
   * What the database knows of a dataset.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is
   */
  public DatasetDescription describe(String name) {
    return require(name).description();
  }

  /** Whether there is a dataset of that name. */
  public boolean has(String name) {
    engine.requireOpen();
    return byName.containsKey(Arguments.require(name, "dataset name"));
  }

  /** All datasets, by name. */
  public List<DatasetDescription> list() {
    engine.requireOpen();
    return states().stream().map(DatasetState::description).toList();
  }

  /** All datasets, by name. */
  List<DatasetState> states() {
    return byName.values().stream().sorted(Comparator.comparing(DatasetState::name)).toList();
  }

  private DatasetState require(String name) {
    engine.requireOpen();
    DatasetState state = byName.get(Arguments.require(name, "dataset name"));
    if (state == null) {
      throw new IllegalArgumentException(
          "there is no dataset '"
              + name
              + "'"
              + Names.hint(name, List.copyOf(byName.keySet()), "; create it first"));
    }
    return state;
  }

  /** Drops a dataset with its records and indexes; durable when it returns. */
  public void drop(String name) {
    DatasetState state = require(name);
    state.change(() -> state.withoutWriters(() -> engine.underChanges(() -> dropAlone(state))));
  }

  private void dropAlone(DatasetState state) {
    state.requireOpen();
    schema.drop(state.trees().stream().map(Tree::lsm).toList());
    state.markDropped();
    byName.remove(state.name());
  }

  /** The dataset that a tree is a part of, or null. */
  @Nullable String ownerOf(LsmTree tree) {
    for (DatasetState state : byName.values()) {
      if (state.owns(tree)) {
        return state.name();
      }
    }
    return null;
  }

  // ---- Writing.

  /** Writes a batch with the default options. */
  public int write(DatasetBatch batch) {
    return write(batch, WriteOptions.DEFAULT);
  }

  /**
   * Writes a batch: all of it shows at once, in all its datasets and their indexes, and survives as
   * a whole or not at all. Faults are those of {@link Engine#write(WriteBatch, WriteOptions)}.
   *
   * @return how many index entries that added and removed
   */
  public int write(DatasetBatch batch, WriteOptions options) {
    engine.requireOpen();
    List<Dataset> datasets = Arguments.require(batch, "batch").datasets();
    if (!datasets.isEmpty() && datasets.get(0).engine() != engine) {
      throw new IllegalArgumentException(datasets.get(0) + " in the batch is of another engine");
    }
    return writer.write(batch, Arguments.require(options, "options"));
  }
}
