package org.loam.it.bench;

import java.util.List;
import org.loam.cache.CacheCounters;
import org.loam.cache.frame.CacheMemory;
import org.loam.cache.frame.FrameCache;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.RealEnv;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.PagePool;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.memory.KeySpan;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.merge.ComponentSink;
import org.loam.lsm.merge.FileIds;
import org.loam.lsm.merge.FlushPart;
import org.loam.lsm.merge.FlushWrite;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableSettings;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.merge.WorkMemory;
import org.loam.lsm.version.LiveTable;
import org.loam.lsm.version.SortedRun;
import org.loam.lsm.visibility.ReadRegistry;
import org.loam.scheduler.merge.Guards;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.StepResult;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A flush of a memory component, and a merge of two tables, per entry; to disk, forces included.
 */
public class RewriteBench extends HotPath {
  private static final int RECORDS = 40_000;
  private static final int CACHE_PAGES = 256;
  private static final long QUANTUM_BYTES = 1 << 20;

  /** Bytes of a value. */
  @Param({"100", "1000"})
  public int valueBytes;

  private final StorageEnv env = RealEnv.create();
  private final BenchDirectory directory = new BenchDirectory();
  private final PagePool pool = new PagePool(CACHE_PAGES, BenchRecords.PAGE_BYTES);
  private final FixedMemory fixed = new FixedMemory(64 << 20);
  private final Epochs fileEpochs = new Epochs(env.waiter());
  private BenchRecords records;
  private FrameCache cache;
  private Manifest manifest;
  private TableStore store;
  private Rewriter rewriter;
  private MemoryComponent all;
  private List<SortedRun> halves;

  /** Fills a component with all records, and two tables with every other one. */
  @Setup
  public void open() {
    records = new BenchRecords(RECORDS, valueBytes, 2);
    CacheCounters counters = new CacheCounters();
    CacheMemory cacheMemory = new CacheMemory(pool, pool.quota("cache", CACHE_PAGES), fixed);
    cache = new FrameCache(cacheMemory, env.waiter(), counters);
    DatabaseIdentity identity = new DatabaseIdentity(7, BenchRecords.PAGE_BYTES, 0);
    manifest = Manifest.create(env, directory.path(), identity);
    manifest.start();
    FileIds ids = new FileIds(env, manifest, List.of(directory.path()));
    store = new TableStore(env, 0, directory.path(), cache, fileEpochs, ids::next);
    manifest.commit(ManifestEdit.of(ids.reserveFirst()));
    // What an engine with 512 MiB has.
    WorkMemory.Sizes flush = new WorkMemory.Sizes(512 << 10, 4 << 20, 0);
    WorkMemory.Sizes merge = new WorkMemory.Sizes(512 << 10, 4 << 20, 5 << 20);
    rewriter =
        new Rewriter(
            new TableSettings(BenchRecords.PAGE_BYTES, 10, 64 << 20, 16 << 20),
            new ReadRegistry(() -> RECORDS),
            new WorkMemory(fixed, "flush", 1, flush),
            new WorkMemory(fixed, "merge", 1, merge),
            new WorkMemory(fixed, "load", 0, flush),
            counters);
    all = records.fill(0, 1);
    halves = List.of(half(1), half(0));
  }

  private SortedRun half(int from) {
    MemoryComponent component = records.fill(from, 2);
    Result result = new Result();
    finish(flush(component, result));
    component.release();
    return new SortedRun(0, result.tables);
  }

  /** Deletes all of it. */
  @TearDown
  public void close() {
    halves.forEach(run -> store.close(run.table(0)));
    manifest.close();
    cache.close();
    fixed.close();
    pool.discard();
    records.close();
    directory.close();
  }

  /** A flush. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public void flush() {
    rewrite(result -> flush(all, result));
  }

  /** A merge. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public void merge() {
    rewrite(sink -> rewriter.merge(store, IoClass.MERGE, halves, true, Guards.NONE, sink));
  }

  private BackgroundOperation flush(MemoryComponent component, Result result) {
    Flushed part = new Flushed(component, store, result);
    FlushWrite flush = rewriter.flush(part::install);
    flush.add(part);
    return flush;
  }

  private interface Opening {
    BackgroundOperation open(Result result);
  }

  /** Runs an operation and deletes its result, which must have all records. */
  private void rewrite(Opening opening) {
    Result result = new Result();
    finish(opening.open(result));
    if (result.entries() != RECORDS) {
      throw new AssertionError(result.entries() + " entries");
    }
    store.retire(result.tables, true);
  }

  private static void finish(BackgroundOperation operation) {
    StepResult last = StepResult.MORE;
    while (last != StepResult.DONE) {
      last = operation.step(QUANTUM_BYTES);
      if (last == StepResult.NEEDS_FORCE) {
        operation.force();
      }
    }
  }

  /** A component, and the result that takes its tables. */
  private static final class Flushed implements FlushPart {
    private final MemoryComponent component;
    private final TableStore store;
    private final Result result;
    private List<LiveTable> tables = List.of();
    private boolean installed;

    Flushed(MemoryComponent component, TableStore store, Result result) {
      this.component = component;
      this.store = store;
      this.result = result;
    }

    void install() {
      installed = result.install(tables);
    }

    @Override
    public int treeId() {
      return 0;
    }

    @Override
    public List<List<MemoryRun>> pieces() {
      return List.of(List.of(MemoryRun.of(component, KeySpan.ALL)));
    }

    @Override
    public TableStore store() {
      return store;
    }

    @Override
    public boolean isLowest() {
      return true;
    }

    @Override
    public List<byte[]> cuts() {
      return List.of();
    }

    @Override
    public void prepare() {}

    @Override
    public boolean isDropped() {
      return false;
    }

    @Override
    public void advanced(long consumedBytes) {}

    @Override
    public void written(List<LiveTable> made) {
      tables = made;
    }

    @Override
    public boolean isInstalled() {
      return installed;
    }

    @Override
    public void aborted() {
      throw new AssertionError("nothing aborts it");
    }
  }

  /** Takes the tables that an operation made. */
  private static final class Result implements ComponentSink {
    private List<LiveTable> tables = List.of();

    long entries() {
      return tables.stream().mapToLong(table -> table.table().meta().counts().entries()).sum();
    }

    @Override
    public void prepare() {}

    @Override
    public boolean install(List<LiveTable> made) {
      tables = made;
      return true;
    }

    @Override
    public void aborted() {
      throw new AssertionError("nobody aborts it");
    }

    @Override
    public boolean isDropped() {
      return false;
    }
  }
}
