package org.loam.it.crash;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.engine.DatasetDescription;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.it.orders.Order;
import org.loam.it.orders.OrderIndex;

/** A tree, or a dataset, that its client creates, drops, and creates under a new name. */
abstract class Owned {
  private final String prefix;
  private int count;
  private @Nullable String name;

  /** The one that is being created or dropped: it may be there or not. */
  private @Nullable String doubtful;

  private Owned(String prefix) {
    this.prefix = prefix;
  }

  /** A tree. */
  static Owned tree(String prefix) {
    return new Owned(prefix) {
      @Override
      void create(Engine engine, String name) {
        engine.createTree(name, SharedWorld.inSome(engine, name));
      }

      @Override
      void drop(Engine engine, String name) {
        engine.dropTree(name);
      }

      @Override
      List<String> there(Engine engine) {
        return engine.trees().stream().map(Tree::name).toList();
      }
    };
  }

  /** A dataset with all indexes. */
  static Owned dataset(String prefix) {
    return new Owned(prefix) {
      @Override
      void create(Engine engine, String name) {
        engine.datasets().create(name, Order.RULE, SharedOrders.ALL);
      }

      @Override
      void drop(Engine engine, String name) {
        engine.datasets().drop(name);
      }

      @Override
      List<String> there(Engine engine) {
        return engine.datasets().list().stream().map(DatasetDescription::name).toList();
      }

      @Override
      void verifyParts(Engine engine, String name, boolean there) {
        Check.that(engine.hasTree(name) == there, "records of " + name + ", there: " + !there);
        for (OrderIndex index : OrderIndex.values()) {
          String tree = name + "/" + index.title();
          Check.that(engine.hasTree(tree) == there, "index " + tree + ", there: " + !there);
        }
      }
    };
  }

  abstract void create(Engine engine, String name);

  abstract void drop(Engine engine, String name);

  /** The names of all that there are, those of others too. */
  abstract List<String> there(Engine engine);

  /** Checks that it is there with all its parts, or that none of them is. */
  void verifyParts(Engine engine, String name, boolean there) {}

  /** The name it has, null if there is none now. */
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
        create(engine, changed);
        name = changed;
      } else {
        drop(engine, changed);
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

  /** Whether a crash came while it was created or dropped. */
  boolean isDoubtful() {
    return doubtful != null;
  }

  /** Checks which of its own a reopened engine has; returns its name, or null. */
  @Nullable String verify(Engine engine) {
    String found = null;
    for (String one : there(engine)) {
      if (one.startsWith(prefix)) {
        Check.that(found == null, found + " and " + one + " are both there");
        found = one;
      }
    }
    if (found == null) {
      Check.that(name == null, name + " is gone");
    } else {
      Check.that(found.equals(name) || found.equals(doubtful), found + " is there");
    }
    for (int i = 0; i < count; i++) {
      verifyParts(engine, prefix + i, (prefix + i).equals(found));
    }
    name = found;
    doubtful = null;
    return found;
  }
}
