package org.loam.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.loam.common.config.NearestName;
import org.loam.common.error.Arguments;
import org.loam.engine.open.DataDirectories;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.tree.Schema.NewTree;
import org.loam.lsm.LsmTree;

/** The trees of an engine that belong to no dataset, by name. Thread-safe. */
final class Trees {
  private final OpenEngine open;

  Trees(OpenEngine open) {
    this.open = open;
  }

  /** See {@link Engine#createTree(String, TreeOptions)}. */
  Tree create(String name, TreeOptions options) {
    open.requireOpen();
    Arguments.require(options, "options");
    DataDirectories.require(open.storage().directories(), options.directory());
    NewTree tree = new NewTree(requireName(name), options.directory(), "");
    LsmTree[] made = new LsmTree[1];
    open.schema().awaitEarlierWrites();
    open.schema()
        .underChanges(() -> open.schema().create(List.of(tree), trees -> made[0] = trees.get(0)));
    return new Tree(open, made[0]);
  }

  /** See {@link Engine#tree}. */
  Tree of(String name) {
    open.requireOpen();
    LsmTree tree = open.trees().byName(requireName(name));
    if (tree == null) {
      List<String> names = all().stream().map(Tree::name).toList();
      throw new IllegalArgumentException(
          "there is no tree '"
              + name
              + "'"
              + NearestName.question(name, names, "; create it with createTree"));
    }
    String owner = open.datasets().ownerOf(tree);
    if (owner != null) {
      throw new IllegalArgumentException(
          "tree '" + name + "' is a part of dataset '" + owner + "'; open that with datasets()");
    }
    return new Tree(open, tree);
  }

  /** See {@link Engine#hasTree}. */
  boolean has(String name) {
    open.requireOpen();
    return open.trees().byName(requireName(name)) != null;
  }

  /** See {@link Engine#trees}. */
  List<Tree> all() {
    open.requireOpen();
    List<Tree> trees = new ArrayList<>();
    for (LsmTree tree : open.trees().list()) {
      if (open.datasets().ownerOf(tree) == null) {
        trees.add(new Tree(open, tree));
      }
    }
    trees.sort(Comparator.comparing(Tree::name));
    return trees;
  }

  /** See {@link Engine#dropTree}. */
  void drop(String name) {
    open.schema().awaitEarlierWrites();
    open.schema().underChanges(() -> open.schema().drop(List.of(of(name).lsm())));
    open.schema().deleteFiles();
  }

  private static String requireName(String name) {
    return Arguments.require(name, "tree name");
  }
}
