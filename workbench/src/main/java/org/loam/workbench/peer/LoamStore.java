package org.loam.workbench.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.loam.engine.Cursor;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.TreeOptions;
import org.loam.workbench.workload.Keys;

/**
 * Loam behind the interface of the benchmark. Its tree knows the prefix that all keys have in
 * common, as an application would tell it.
 */
final class LoamStore extends LoamEngine implements Store {
  private static final String TREE = "records";

  private final int maxValueBytes;
  private final List<Tree> trees = new ArrayList<>();

  LoamStore(StoreSettings settings) {
    super(
        settings.directory(),
        config(settings.memoryBytes(), settings.durability(), settings.engine()));
    this.maxValueBytes = settings.maxValueBytes();
    // Statistics have trees by name: so they are in the order of their numbers.
    for (int i = 0; i < settings.trees(); i++) {
      trees.add(open(i == 0 ? TREE : String.format(Locale.ROOT, "%s-%03d", TREE, i)));
    }
  }

  private Tree open(String name) {
    return engine.hasTree(name)
        ? engine.tree(name)
        : engine.createTree(name, new TreeOptions(Keys.PREFIX.length()));
  }

  @Override
  public Session session() {
    return session(0);
  }

  @Override
  public Session session(int tree) {
    return new LoamSession(trees.get(tree));
  }

  private final class LoamSession implements Session {
    private final Tree tree;
    private final byte[] scanKey = new byte[256];
    private final byte[] scanValue = new byte[maxValueBytes];

    LoamSession(Tree tree) {
      this.tree = tree;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      tree.put(key, value);
    }

    @Override
    public int get(byte[] key, byte[] target) {
      int length = tree.get(key, target);
      return length == Tree.ABSENT ? Store.ABSENT : length;
    }

    @Override
    public int scan(byte[] from, int limit, RecordSink sink) {
      int count = 0;
      try (Cursor cursor = tree.scan(ScanOptions.all().from(from).limit(limit))) {
        while (cursor.next()) {
          int keyLength = cursor.copyKey(scanKey, 0);
          int valueLength = cursor.copyValue(scanValue, 0);
          sink.record(scanKey, keyLength, scanValue, valueLength);
          count++;
        }
      }
      return count;
    }

    @Override
    public void close() {
      // Nothing is held between calls.
    }
  }
}
