package org.loam.it.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.TreeMap;
import org.loam.engine.BulkLoad;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.it.Digits;
import org.loam.it.model.Ledger;

/** A bulk load, of which a fault leaves everything or nothing. */
final class LoadStep {
  private static final String TREE = "loaded";
  private static final int KEYS = 40;

  private LoadStep() {}

  /** Fills a tree, looks at it and drops it; first of all what an attempt that failed has left. */
  static void perform(Engine open) {
    TreeMap<String, byte[]> entries = new TreeMap<>();
    for (int i = 0; i < KEYS; i++) {
      entries.put("key" + Digits.of(i, 3), new byte[i % 10 == 7 ? 9000 : 1500]);
    }
    if (open.hasTree(TREE)) {
      requireAllOrNothing(open.tree(TREE), entries);
      open.dropTree(TREE);
    }
    Tree tree = open.createTree(TREE);
    try (BulkLoad load = tree.bulkLoad()) {
      entries.forEach((key, value) -> load.add(key.getBytes(UTF_8), value));
      load.commit();
    }
    compare(tree, entries);
    open.dropTree(TREE);
  }

  private static void requireAllOrNothing(Tree tree, TreeMap<String, byte[]> entries) {
    boolean any;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      any = cursor.next();
    }
    compare(tree, any ? entries : new TreeMap<>());
  }

  private static void compare(Tree tree, TreeMap<String, byte[]> entries) {
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      Ledger.compare("loaded", cursor, entries);
    }
  }
}
