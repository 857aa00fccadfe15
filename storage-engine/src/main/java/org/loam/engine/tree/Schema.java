package org.loam.engine.tree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.loam.common.error.ClosedException;
import org.loam.common.error.FencedException;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.ComponentChanges;
import org.loam.lsm.LsmTree;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.DescribeTree;
import org.loam.lsm.manifest.ManifestEdit.PlaceTree;

/**
 * Creates and drops trees, several in one edit of the manifest: all of them or none, whatever
 * happens. Its callers hold {@link TreeCatalog#changes}.
 */
public final class Schema {
  private static final int MAX_NAME_BYTES = 255;

  private final Operations operations;
  private final CommitLatch latch;
  private final ManifestEdits edits;
  private final Installer installer;
  private final TreeCatalog trees;
  private final TreeFactory factory;

  /** Of the trees that were dropped: what has still to delete their files. */
  private final ConcurrentLinkedQueue<ComponentChanges> undeleted = new ConcurrentLinkedQueue<>();

  public Schema(
      Operations operations,
      CommitLatch latch,
      ManifestEdits edits,
      Installer installer,
      TreeCatalog trees,
      TreeFactory factory) {
    this.operations = operations;
    this.latch = latch;
    this.edits = edits;
    this.installer = installer;
    this.trees = trees;
    this.factory = factory;
  }

  /**
   * Waits until earlier writes are durable, as the change that follows will be: a loss of power
   * must not take one of them and leave the change. Before {@link #underChanges}, without key
   * locks.
   *
   * @throws FencedException if they cannot become durable
   */
  public void awaitEarlierWrites() {
    operations.requireOpen();
    latch.requireNotFenced();
    latch.awaitDurable();
  }

  /**
   * Changes settings, or which trees there are: one caller after the other, until the close.
   *
   * @throws ClosedException if the engine was closed
   */
  public void underChanges(Runnable change) {
    trees.changes().lock();
    try {
      operations.requireOpen();
      change.run();
    } finally {
      trees.changes().unlock();
    }
  }

  /**
   * A tree to be.
   *
   * @param directory number of its data directory, which there is
   * @param description for the manifest; empty for a tree that is no part of a dataset
   */
  public record NewTree(String name, int directory, String description) {}

  /**
   * Creates trees; durable when it returns.
   *
   * @param owner is told before another thread can see them; the engine is fenced if it throws
   */
  public void create(List<NewTree> wanted, Consumer<List<LsmTree>> owner) {
    latch.requireNotFenced();
    for (NewTree tree : wanted) {
      requireGood(tree.name());
      if (trees.byName(tree.name()) != null) {
        throw new IllegalArgumentException(
            "there is a tree '" + tree.name() + "' already; open it, or choose another name");
      }
    }
    List<Change> changes = new ArrayList<>();
    List<OpenTree> made = new ArrayList<>();
    int id = edits.nextTreeId();
    for (NewTree tree : wanted) {
      changes.add(new CreateTree(id, tree.name(), 0));
      if (tree.directory() > 0) {
        changes.add(new PlaceTree(id, tree.directory()));
      }
      if (!tree.description().isEmpty()) {
        changes.add(new DescribeTree(id, tree.description()));
      }
      // Before the edit: for lack of memory it may fail, and then there is no such tree.
      made.add(factory.make(id, tree.name(), tree.description(), tree.directory()));
      id++;
    }
    edits.commit(new ManifestEdit(changes));
    try {
      owner.accept(made.stream().map(OpenTree::tree).toList());
      made.forEach(trees::add);
    } catch (Throwable t) {
      // Or a tree that the manifest has could be created a second time.
      latch.fence(t);
      throw t;
    }
  }

  private static void requireGood(String name) {
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    if (name.isEmpty()
        || encoded.length > MAX_NAME_BYTES
        || !new String(encoded, StandardCharsets.UTF_8).equals(name)) {
      throw new IllegalArgumentException(
          "the name '" + name + "' must have 1 to " + MAX_NAME_BYTES + " bytes in UTF-8");
    }
  }

  /** Says anew what a tree is for; durable when it returns. */
  public void describe(LsmTree tree, String description) {
    edits.commit(ManifestEdit.of(new DescribeTree(tree.treeId(), description)));
  }

  /** Drops trees that belong to nothing else; see {@link #drop(List, Runnable)}. */
  public void drop(List<LsmTree> dropped) {
    drop(dropped, () -> {});
  }

  /**
   * Drops trees and everything in them; durable when it returns. {@link #deleteFiles} is to follow.
   * Readers and writers inside get {@link ClosedException}. If it fails and the engine is not
   * fenced, they are as before, unless the owner was told.
   *
   * @param owner is told when they are gone; the engine is fenced if it throws
   */
  public void drop(List<LsmTree> dropped, Runnable owner) {
    latch.requireNotFenced();
    List<ComponentChanges> components = dropped.stream().map(trees::componentsOf).toList();
    try {
      latch.underLatch(() -> dropped.forEach(LsmTree::markDropped));
      // By id, as a group of flushes takes the install locks.
      discard(dropped.stream().sorted(Comparator.comparingInt(LsmTree::treeId)).toList(), 0);
      dropped.forEach(trees::remove);
      owner.run();
      undeleted.addAll(components);
    } catch (Throwable t) {
      undo(dropped, t);
      throw t;
    } finally {
      trees.dropEnded();
    }
  }

  /** Trees that are still there are as before; all others stay marked, and the engine is fenced. */
  private void undo(List<LsmTree> dropped, Throwable fault) {
    try {
      if (!latch.isFenced() && dropped.stream().allMatch(edits::hasTree)) {
        latch.underLatch(() -> dropped.forEach(LsmTree::unmarkDropped));
      }
    } finally {
      for (LsmTree tree : dropped) {
        if (tree.isDropped()) {
          // What is written to a tree that the manifest has no more would be lost, and a flush of
          // one that is marked would be waited for in vain.
          latch.fence(fault);
        }
      }
    }
  }

  /**
   * Deletes the files of the trees that were dropped. That can take long, so it comes after {@link
   * #underChanges}, and when writers have their locks back: only a close waits for it.
   */
  public void deleteFiles() {
    OperationContext context;
    try {
      context = operations.enter();
    } catch (ClosedException e) {
      return; // The close deletes them.
    }
    try {
      deleteFilesAtClose();
      // Where readers are inside, files are left, and the workers look after them.
      trees.dropEnded();
    } finally {
      operations.exit(context);
    }
  }

  /** Like {@link #deleteFiles}, for a close that lets no operation begin any more. */
  public void deleteFilesAtClose() {
    for (ComponentChanges next = undeleted.poll(); next != null; next = undeleted.poll()) {
      next.deleteUnused();
    }
  }

  /** Stops the installation of changes tree by tree, and drops them all when it has stopped. */
  private void discard(List<LsmTree> dropped, int from) {
    if (from == dropped.size()) {
      installer.drop(dropped);
    } else {
      ComponentChanges components = trees.componentsOf(dropped.get(from));
      components.discard(() -> discard(dropped, from + 1));
    }
  }
}
