package org.loam.workbench.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import org.loam.engine.Cursor;
import org.loam.engine.Dataset;
import org.loam.engine.Datasets;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Loam behind the interface of the benchmark. Its tree knows the prefix that all keys have in
 * common, as an application would tell it.
 */
final class LoamStore extends LoamEngine implements Store {
  private static final String TREE = "records";
  private static final String RULE = "a value that proves itself";

  private final int maxValueBytes;
  private final List<Records> trees = new ArrayList<>();

  /** The operations of a tree, or of a dataset. */
  private record Records(
      BiConsumer<byte[], byte[]> put,
      ToIntBiFunction<byte[], byte[]> get,
      Function<ScanOptions, Cursor> scan) {
    static Records of(Tree tree) {
      return new Records(tree::put, tree::get, tree::scan);
    }

    static Records of(Dataset dataset) {
      return new Records(dataset::upsert, dataset::get, dataset::scan);
    }
  }

  LoamStore(StoreSettings settings) {
    super(
        settings.directory(),
        config(settings.memoryBytes(), settings.durability(), settings.engine()));
    this.maxValueBytes = settings.maxValueBytes();
    // Statistics have trees by name: so they are in the order of their numbers.
    for (int i = 0; i < settings.trees(); i++) {
      String name = i == 0 ? TREE : String.format(Locale.ROOT, "%s-%03d", TREE, i);
      int indexes = settings.indexes();
      trees.add(indexes == 0 ? Records.of(open(name)) : Records.of(dataset(name, indexes)));
    }
  }

  private Tree open(String name) {
    return engine.hasTree(name) ? engine.tree(name) : engine.createTree(name);
  }

  private Dataset dataset(String name, int indexes) {
    Datasets datasets = engine.datasets();
    List<IndexDefinition> definitions = Attributes.definitions(indexes);
    return datasets.has(name)
        ? datasets.open(name, RULE, definitions)
        : datasets.create(name, RULE, definitions);
  }

  @Override
  public String configure(String name, String value) {
    return engine.configure(name, value).oldValue();
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
    private final Records records;
    private final byte[] scanKey = new byte[256];
    private final byte[] scanValue = new byte[maxValueBytes];

    LoamSession(Records records) {
      this.records = records;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      records.put.accept(key, value);
    }

    @Override
    public int get(byte[] key, byte[] target) {
      int length = records.get.applyAsInt(key, target);
      return length == Tree.ABSENT ? Store.ABSENT : length;
    }

    @Override
    public int scan(byte[] from, int limit, RecordSink sink) {
      int count = 0;
      try (Cursor cursor = records.scan.apply(ScanOptions.all().from(from).limit(limit))) {
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
