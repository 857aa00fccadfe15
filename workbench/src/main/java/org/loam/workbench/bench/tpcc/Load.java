package org.loam.workbench.bench.tpcc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.peer.TableBatch;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.InitialRows;
import org.loam.workbench.workload.tpcc.Scale;
import org.loam.workbench.workload.tpcc.Table;

/** Fills empty tables: the items, then warehouses, each by one thread. */
public final class Load {
  private static final int MOST_RECORDS = 40;

  private final TableStore store;
  private final Scale scale;
  private final long seed;
  private final long nowMillis = System.currentTimeMillis();
  private final AtomicInteger next = new AtomicInteger();
  private final LongAdder records = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Load(TableStore store, Scale scale, long seed) {
    this.store = store;
    this.scale = scale;
    this.seed = seed;
  }

  /**
   * Writes all records, which are in disk components when it returns.
   *
   * @return how many there are
   */
  public static long into(TableStore store, Scale scale, long seed, int threads)
      throws InterruptedException {
    Load load = new Load(store, scale, seed);
    load.run(threads);
    store.flush();
    return load.records.sum();
  }

  private void run(int threads) throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < Math.min(threads, scale.warehouses() + 1); i++) {
      Thread worker = new Thread(this::work, "load " + i);
      workers.add(worker);
      worker.start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("the load failed: " + thrown.getMessage(), thrown);
    }
  }

  private void work() {
    try (TableStore.Session session = store.session()) {
      Batches batches = new Batches(session);
      InitialRows rows = new InitialRows(scale, seed, nowMillis, batches);
      for (int part = next.getAndIncrement();
          part <= scale.warehouses() && failure.get() == null;
          part = next.getAndIncrement()) {
        if (part == 0) {
          rows.items();
        } else {
          rows.warehouse(part);
        }
      }
      batches.write();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Collects records. */
  private final class Batches implements InitialRows.Sink {
    private final TableStore.Session session;
    private TableBatch batch = new TableBatch();

    Batches(TableStore.Session session) {
      this.session = session;
    }

    @Override
    public void row(Table table, byte[] key, byte[] row) {
      batch.insert(table, key, row);
      if (batch.changes().size() >= MOST_RECORDS) {
        write();
      }
    }

    void write() {
      session.write(batch);
      records.add(batch.changes().size());
      batch = new TableBatch();
    }
  }
}
