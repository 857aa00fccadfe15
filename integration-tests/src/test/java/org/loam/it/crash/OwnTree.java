package org.loam.it.crash;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/** A tree that its client creates, drops, and creates under a new name. */
final class OwnTree {
  private final String prefix;
  private int count;
  private @Nullable String name;

  /** A tree that is being created or dropped: it may be there or not. */
  private @Nullable String doubtful;

  OwnTree(String prefix) {
    this.prefix = prefix;
  }

  /** The name of the tree, null if there is none now. */
  @Nullable String name() {
    return name;
  }

  /** Creates or drops it. Every fault but the fence says that nothing has changed. */
  void change(Engine engine) {
    String old = name;
    String changed = old == null ? prefix + count++ : old;
    doubtful = changed;
    name = null;
    try {
      if (old == null) {
        engine.createTree(changed);
        name = changed;
      } else {
        engine.dropTree(changed);
      }
      doubtful = null;
    } catch (FencedException e) {
      throw e;
    } catch (StorageException e) {
      name = old;
      doubtful = null;
      throw e;
    }
  }

  /** Checks which of its trees a reopened engine has; returns its name, or null. */
  @Nullable String verify(Engine engine) {
    String found = null;
    for (Tree tree : engine.trees()) {
      if (tree.name().startsWith(prefix)) {
        Check.that(found == null, "trees " + found + " and " + tree.name() + " are both there");
        found = tree.name();
      }
    }
    if (found == null) {
      Check.that(name == null, "tree " + name + " is gone");
    } else {
      Check.that(found.equals(name) || found.equals(doubtful), "tree " + found + " is there");
    }
    name = found;
    doubtful = null;
    return found;
  }
}
