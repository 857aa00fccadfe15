package org.loam.engine.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentHashMap.KeySetView;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.NearestName;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.CorruptionException;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.operation.Operations;
import org.loam.engine.tree.Schema;
import org.loam.engine.tree.Schema.NewTree;
import org.loam.engine.tree.TreeCatalog;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexKeys;
import org.loam.lsm.dataset.RecordView;
import org.loam.lsm.dataset.TreeRole;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestState.TreeRecord;
import org.loam.scheduler.work.StallLog;

/** The datasets of an engine: which there are, and how they come to be and go. Thread-safe. */
public final class DatasetCatalog {
  private final StorageEnv env;
  private final StallLog stalls;
  private final Operations operations;
  private final Schema schema;
  private final ConcurrentMap<String, DatasetState> byName = new ConcurrentHashMap<>();

  /** Those that own trees: also the one that is being created, which cannot be found yet. */
  private final KeySetView<DatasetState, Boolean> owners = ConcurrentHashMap.newKeySet();

  public DatasetCatalog(StorageEnv env, StallLog stalls, Operations operations, Schema schema) {
    this.env = env;
    this.stalls = stalls;
    this.operations = operations;
    this.schema = schema;
  }

  // ---- At the opening of the engine.

  /**
   * Finds the datasets that the manifest knows, and drops indexes that were not built to the end.
   */
  public void load(Manifest manifest, TreeCatalog trees) {
    Map<LsmTree, TreeRole> roles = new LinkedHashMap<>();
    for (TreeRecord record : manifest.read(state -> List.copyOf(state.trees()))) {
      LsmTree tree = trees.byId(record.treeId());
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
      schema.underChanges(() -> schema.drop(unfinished));
      schema.deleteFiles();
      roles.keySet().removeAll(unfinished);
    }
    roles.forEach(
        (tree, role) -> {
          if (role.index() == null) {
            show(stateOf(tree, role, roles));
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
                    new IndexDefinition(
                        index, other.parts(), other.rule(), DatasetCatalog::unknown),
                    tree));
          }
        });
    return newState(role, records, indexes);
  }

  private DatasetState newState(TreeRole role, LsmTree records, List<Index> indexes) {
    return new DatasetState(env, stalls, operations, role, records, indexes);
  }

  /** The extractor of an index that no program has told yet how to find its keys. */
  private static void unknown(RecordView record, IndexKeys keys) {
    throw new AssertionError("the dataset was not opened");
  }

  // ---- Datasets.

  /**
   * Creates a dataset; durable when it returns.
   *
   * @throws IllegalArgumentException if there is a dataset or a tree of that name
   */
  public DatasetState create(String name, String rule, List<IndexDefinition> indexes) {
    requireDistinct(indexes);
    TreeRole role = TreeRole.ofRecords(name, rule);
    List<NewTree> trees = new ArrayList<>();
    trees.add(new NewTree(name, 0, role.encode()));
    for (IndexDefinition index : indexes) {
      trees.add(DatasetIndexes.newTree(name, index, false));
    }
    DatasetState[] created = new DatasetState[1];
    schema.awaitEarlierWrites();
    schema.underChanges(
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
                  all.add(new Index(indexes.get(i), made.get(i + 1)));
                }
                created[0] = newState(role, made.get(0), all);
                created[0].attach(all);
                owners.add(created[0]);
              });
          // Not before its trees are listed: a truncation of the log looks at those for the writes
          // that it must keep, and a write needs the dataset alone.
          show(created[0]);
        });
    return created[0];
  }

  private void show(DatasetState state) {
    owners.add(state);
    byName.put(state.name(), state);
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
  public DatasetState open(String name, String rule, List<IndexDefinition> indexes) {
    DatasetState state = require(name);
    requireDistinct(indexes);
    if (!state.rule().equals(rule)) {
      throw new IllegalArgumentException(
          "dataset '" + name + "' was created with the rule " + state.rule() + ", not " + rule);
    }
    state.attach(requireSame(state, indexes));
    return state;
  }

  private static List<Index> requireSame(DatasetState state, List<IndexDefinition> wanted) {
    state.requireOpen();
    List<Index> known = state.indexes();
    List<Index> opened = new ArrayList<>();
    for (IndexDefinition index : wanted) {
      opened.add(new Index(index, requireSame(state.name(), known, index).tree()));
    }
    if (opened.size() < known.size()) {
      throw new IllegalArgumentException(
          "dataset '"
              + state.name()
              + "' has the indexes "
              + names(known)
              + ", was opened with "
              + names(opened)
              + " only; name all, or drop what is not needed");
    }
    return opened;
  }

  private static List<String> names(List<Index> indexes) {
    return indexes.stream().map(index -> index.definition().name()).toList();
  }

  private static Index requireSame(String dataset, List<Index> indexes, IndexDefinition wanted) {
    Index stored = DatasetState.find(indexes, wanted.name());
    if (stored == null) {
      throw new IllegalArgumentException(
          "dataset '"
              + dataset
              + "' has no index '"
              + wanted.name()
              + "'"
              + NearestName.question(wanted.name(), names(indexes), "; create it first"));
    }
    IndexDefinition known = stored.definition();
    if (!known.parts().equals(wanted.parts()) || !known.rule().equals(wanted.rule())) {
      throw new IllegalArgumentException(
          "index '"
              + wanted.name()
              + "' of dataset '"
              + dataset
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

  /** Whether there is a dataset of that name. */
  public boolean has(String name) {
    return byName.containsKey(name);
  }

  /** All datasets, by name. */
  public List<DatasetState> states() {
    return byName.values().stream().sorted(Comparator.comparing(DatasetState::name)).toList();
  }

  /**
   * The dataset of a name.
   *
   * @throws IllegalArgumentException if there is none, with the nearest name there is
   */
  public DatasetState require(String name) {
    operations.requireOpen();
    DatasetState state = byName.get(name);
    if (state == null) {
      throw new IllegalArgumentException(
          "there is no dataset '"
              + name
              + "'"
              + NearestName.question(name, List.copyOf(byName.keySet()), "; create it first"));
    }
    return state;
  }

  /** Drops a dataset with its records and indexes; durable when it returns. */
  public void drop(String name) {
    DatasetState state = require(name);
    schema.awaitEarlierWrites();
    state.change(() -> state.withoutWriters(() -> schema.underChanges(() -> dropAlone(state))));
    schema.deleteFiles();
  }

  private void dropAlone(DatasetState state) {
    state.requireOpen();
    schema.drop(
        state.allTrees(),
        () -> {
          state.markDropped();
          byName.remove(state.name());
          owners.remove(state);
        });
  }

  /** The dataset that a tree is a part of, or null. */
  public @Nullable String ownerOf(LsmTree tree) {
    for (DatasetState state : owners) {
      if (state.owns(tree)) {
        return state.name();
      }
    }
    return null;
  }
}
