package org.loam.workbench.peer.inline;

import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;

/** B+-trees in memory behind the interface of the benchmark; they are gone when it is closed. */
public final class InlineStoreFactory implements StoreFactory {
  private static final int MOST_KEY_BYTES = 256;

  @Override
  public Store open(StoreSettings settings) {
    if (!settings.engine().isEmpty() || settings.indexes() != 0) {
      throw new IllegalArgumentException("settings and indexes, rule: none here");
    }
    return new InlineStore(settings);
  }

  private static final class InlineStore implements Store {
    private final List<InlineTree> trees = new ArrayList<>();
    private final int maxValueBytes;

    InlineStore(StoreSettings settings) {
      maxValueBytes = settings.maxValueBytes();
      for (int i = 0; i < settings.trees(); i++) {
        trees.add(new InlineTree());
      }
    }

    @Override
    public Session session() {
      return session(0);
    }

    @Override
    public Session session(int tree) {
      return new InlineSession(trees.get(tree), maxValueBytes);
    }

    @Override
    public void flush() {
      // There is no disk.
    }

    @Override
    public long bytesWritten() {
      return 0;
    }

    @Override
    public Sample sample() {
      long bytes = trees.stream().mapToLong(InlineTree::bytes).sum();
      return new Sample().gauge(Sample.WRITE_MEMORY_USED_BYTES, bytes);
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }

  private static final class InlineSession implements Store.Session {
    private final InlineTree tree;
    private final byte[] key = new byte[MOST_KEY_BYTES];
    private final byte[] value;

    InlineSession(InlineTree tree, int maxValueBytes) {
      this.tree = tree;
      this.value = new byte[maxValueBytes];
    }

    @Override
    public void put(byte[] newKey, byte[] newValue) {
      tree.put(newKey, newValue);
    }

    @Override
    public int get(byte[] wanted, byte[] target) {
      return tree.get(wanted, target);
    }

    @Override
    public int scan(byte[] from, int limit, Store.RecordSink sink) {
      return tree.scan(from, limit, sink, key, value);
    }

    @Override
    public void close() {
      // Nothing is held between calls.
    }
  }
}
