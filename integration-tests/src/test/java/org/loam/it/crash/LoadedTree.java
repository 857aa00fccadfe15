package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.engine.BulkLoad;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.it.Digits;

/**
 * A tree that its client creates, fills by a bulk load, looks at and drops. After a crash in the
 * load it has all of it or nothing.
 */
final class LoadedTree {
  private static final int MAX_KEYS = 150;

  private final String name;
  private long loads;

  /** What was loaded and committed. */
  private TreeMap<String, byte[]> content = new TreeMap<>();

  /** What a load that a crash or a fence ended may have left instead. */
  private @Nullable TreeMap<String, byte[]> doubtful;

  /** Whether the tree may be there, empty or not, without the client's knowing. */
  private boolean dropping;

  LoadedTree(String name) {
    this.name = name;
  }

  /** Bulk loads that were committed. */
  long loads() {
    return loads;
  }

  /** Loads it if it is empty, else looks at it and sometimes drops it. */
  void change(Engine engine, RandomGenerator random) {
    if (!engine.hasTree(name)) {
      engine.createTree(name, SharedWorld.inSome(engine, name));
    }
    Tree tree = engine.tree(name);
    if (content.isEmpty()) {
      load(engine, tree, random);
    } else {
      check(tree);
      if (random.nextInt(3) == 0) {
        tree.compact();
        check(tree);
      }
      drop(engine);
    }
  }

  private void load(Engine engine, Tree tree, RandomGenerator random) {
    TreeMap<String, byte[]> wanted = entries(random.nextLong());
    boolean commits = random.nextInt(4) != 0;
    try (Snapshot before = engine.snapshot();
        BulkLoad load = tree.bulkLoad()) {
      wanted.forEach((key, value) -> load.add(key.getBytes(UTF_8), value));
      Check.that(tree.get(wanted.firstKey().getBytes(UTF_8)) == null, "a load shows too early");
      if (commits) {
        doubtful = wanted;
        load.commit();
        content = wanted;
        doubtful = null;
        loads++;
        check(tree);
        Check.same("before", before.get(tree, wanted.firstKey().getBytes(UTF_8)), null);
      }
    } catch (FencedException e) {
      throw e;
    } catch (StorageException e) {
      // Every fault but the fence says that nothing has changed.
      doubtful = null;
      throw e;
    }
  }

  private static TreeMap<String, byte[]> entries(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<String, byte[]> entries = new TreeMap<>();
    for (int i = 1 + random.nextInt(MAX_KEYS); i > 0; i--) {
      byte[] value = new byte[random.nextInt(20) == 0 ? 9000 : random.nextInt(400)];
      random.nextBytes(value);
      entries.put(Digits.of(random.nextInt(100_000), 5), value);
    }
    return entries;
  }

  private void drop(Engine engine) {
    dropping = true;
    try {
      engine.dropTree(name);
      content = new TreeMap<>();
      dropping = false;
    } catch (FencedException e) {
      throw e;
    } catch (StorageException e) {
      dropping = false;
      throw e;
    }
  }

  private void check(Tree tree) {
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      Check.entries(name, cursor, content);
    }
  }

  /** Checks what a reopened engine has of it. */
  void verify(Engine engine) {
    boolean there = engine.hasTree(name);
    Check.that(there || dropping || content.isEmpty(), name + " is gone");
    TreeMap<String, byte[]> other = doubtful;
    if (!there) {
      content = new TreeMap<>();
    } else if (other != null && engine.tree(name).get(other.firstKey().getBytes(UTF_8)) != null) {
      content = other;
    }
    doubtful = null;
    dropping = false;
    if (there) {
      check(engine.tree(name));
    }
  }
}
