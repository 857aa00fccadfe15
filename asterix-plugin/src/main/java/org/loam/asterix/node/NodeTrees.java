package org.loam.asterix.node;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.engine.Engine;
import org.loam.engine.MergeOptions;
import org.loam.engine.Tree;
import org.loam.engine.TreeOptions;

/**
 * The trees of the indexes that a node has, open or not: on which device they are made, how they
 * are merged, and when they are dropped. Thread-safe.
 */
public final class NodeTrees {
  private final Engine engine;

  /** Numbers of data directories by the device that they are on. */
  private final Map<Path, Integer> directories = new HashMap<>();

  /** How trees are merged whose indexes say so, by name of the tree, which may not exist yet. */
  private final ConcurrentHashMap<String, MergeOptions> merges = new ConcurrentHashMap<>();

  /** Paths of indexes that are too long to be names of trees, by these names. */
  private final ConcurrentHashMap<String, String> longPaths = new ConcurrentHashMap<>();

  private final Monitor clearing;

  NodeTrees(Waiter waiter, Engine engine) {
    this.engine = engine;
    this.clearing = waiter.newMonitor("clearing of trees");
    engine.directories().forEach((number, path) -> directories.put(device(path), number));
  }

  /** The name of the tree of the index at a path, which {@link #path} gives back. */
  String name(String path) {
    String name = TreeNames.of(path);
    if (!name.equals(path)) {
      longPaths.put(name, path);
    }
    return name;
  }

  /** The path of the index that a tree has; the name of the tree if no index is known. */
  String path(String name) {
    return longPaths.getOrDefault(name, name);
  }

  /** Where a directory is, by the one name that it has among those of all devices. */
  private static Path device(Path directory) {
    return Objects.requireNonNull(directory.toAbsolutePath().normalize().getParent());
  }

  /**
   * The tree of a name. A new one is made on a device; if the node has no directory there, in that
   * of the engine.
   */
  Tree openOrMake(String name, Path device) {
    return engine.hasTree(name)
        ? engine.tree(name)
        : make(name, directories.getOrDefault(device.toAbsolutePath().normalize(), 0));
  }

  private Tree make(String name, int directory) {
    Tree tree = engine.createTree(name, TreeOptions.DEFAULT.inDirectory(directory));
    tree.setMergeOptions(merges.get(name));
    return tree;
  }

  /**
   * Says how the tree of an index is merged. The tree may exist already, or be made later.
   *
   * @param path of the index, relative to its device
   * @param options null if the settings decide
   */
  public void setMergeOptions(String path, @Nullable MergeOptions options) {
    String name = name(path);
    if (options == null) {
      merges.remove(name);
    } else {
      merges.put(name, options);
    }
    if (engine.hasTree(name)) {
      engine.tree(name).setMergeOptions(options);
    }
  }

  /** Drops the tree of an index that is dropped, if it has one. */
  public void drop(String path) {
    String name = TreeNames.of(path);
    merges.remove(name);
    longPaths.remove(name);
    dropIfThere(name);
  }

  /** Drops the tree of a name, if there is one; how it is merged stays. */
  void dropIfThere(String name) {
    if (engine.hasTree(name)) {
      engine.dropTree(name);
    }
  }

  /** Held while a tree is emptied that several threads find with what a failed load has left. */
  public Monitor clearing() {
    return clearing;
  }

  /** Empties a tree, which stays where it is. After a failure it may be there or not: try again. */
  public Tree recreate(Tree tree) {
    dropIfThere(tree.name());
    return make(tree.name(), tree.directory());
  }

  /** Whether a tree has data on disk in the directory of a device. */
  public boolean haveDataOn(Path device) {
    Integer directory = directories.get(device.toAbsolutePath().normalize());
    return engine.statistics().trees().stream()
        .filter(tree -> !tree.levels().isEmpty())
        .anyMatch(tree -> Objects.equals(engine.tree(tree.name()).directory(), directory));
  }

  /** Drops all trees but those of indexes at these paths: AsterixDB has deleted their indexes. */
  public void retain(Collection<String> paths) {
    Set<String> names = new TreeSet<>();
    paths.forEach(path -> names.add(TreeNames.of(path)));
    for (Tree tree : engine.trees()) {
      if (!names.contains(tree.name())) {
        engine.dropTree(tree.name());
      }
    }
  }
}
