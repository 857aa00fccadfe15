package org.loam.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.loam.common.error.FencedException;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeServices;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.DescribeTree;
import org.loam.lsm.manifest.ManifestEdit.PlaceTree;
import org.loam.lsm.manifest.ManifestState;

/**
 * Creates and drops trees, several in one edit of the manifest: all of them or none, whatever
 * happens. Its callers hold {@link TreeCatalog#changes}.
 */
final class Schema {
  private static final int MAX_NAME_BYTES = 255;

  private final Kernel kernel;

  Schema(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * A tree to be.
   *
   * @param directory number of its data directory, which there is
   * @param description for the manifest; empty for a tree that belongs to nobody
   */
  record NewTree(String name, int keyPrefixLength, int directory, String description) {
    /** A tree in the directory of the database. */
    NewTree(String name, int keyPrefixLength, String description) {
      this(name, keyPrefixLength, 0, description);
    }
  }

  /**
   * Creates trees; durable when it returns.
   *
   * @param owner is told before anybody else can see them
   */
  void create(List<NewTree> wanted, Consumer<List<LsmTree>> owner) {
    kernel.committer.requireNotFenced();
    for (NewTree tree : wanted) {
      requireGood(tree.name());
      if (kernel.trees.byName(tree.name()) != null) {
        throw new IllegalArgumentException(
            "there is a tree '" + tree.name() + "' already; open it, or choose another name");
      }
    }
    List<Change> changes = new ArrayList<>();
    List<LsmTree> trees = new ArrayList<>();
    int id = kernel.manifest.read(ManifestState::nextTreeId);
    for (NewTree tree : wanted) {
      changes.add(new CreateTree(id, tree.name(), tree.keyPrefixLength()));
      if (tree.directory() > 0) {
        changes.add(new PlaceTree(id, tree.directory()));
      }
      if (!tree.description().isEmpty()) {
        changes.add(new DescribeTree(id, tree.description()));
      }
      id++;
    }
    kernel.installer.commit(new ManifestEdit(changes));
    int made = id - wanted.size();
    for (NewTree tree : wanted) {
      TreeServices services = kernel.servicesIn(tree.directory());
      trees.add(new LsmTree(made++, tree.name(), services, kernel.behaviour(), -1, List.of()));
    }
    owner.accept(trees);
    trees.forEach(kernel.trees::add);
  }

  private static void requireGood(String name) {
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    if (name.isEmpty()
        || encoded.length > MAX_NAME_BYTES
        || !new String(encoded, StandardCharsets.UTF_8).equals(name)) {
      throw new IllegalArgumentException(
          "tree name '" + name + "' must have 1 to " + MAX_NAME_BYTES + " bytes in UTF-8");
    }
  }

  /** Says anew what a tree is for; durable when it returns. */
  void describe(LsmTree tree, String description) {
    kernel.installer.commit(ManifestEdit.of(new DescribeTree(tree.treeId(), description)));
  }

  /**
   * Drops trees and everything in them; durable when it returns. Readers and writers inside get
   * {@link org.loam.common.error.ClosedException}. If it fails and the engine is not fenced, they
   * are as before.
   */
  void drop(List<LsmTree> trees) {
    kernel.committer.requireNotFenced();
    kernel.committer.underLatch(() -> trees.forEach(LsmTree::markDropped));
    boolean known = false;
    try {
      discard(trees, 0);
      known = true;
    } catch (FencedException e) {
      known = true;
      throw e;
    } finally {
      if (!known) {
        kernel.committer.underLatch(() -> trees.forEach(LsmTree::unmarkDropped));
      }
    }
    trees.forEach(kernel.trees::remove);
  }

  /** Stops the installation of changes tree by tree, and drops them all when it has stopped. */
  private void discard(List<LsmTree> trees, int from) {
    if (from == trees.size()) {
      kernel.installer.drop(trees);
    } else {
      trees.get(from).discard(() -> discard(trees, from + 1));
    }
  }
}
