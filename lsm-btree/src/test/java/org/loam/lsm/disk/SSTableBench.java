package org.loam.lsm.disk;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.commons.io.FileUtils;
import org.loam.cache.BufferCache;
import org.loam.cache.CacheCounters;
import org.loam.cache.ChunkReader;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.CacheMemory;
import org.loam.cache.frame.FrameCache;
import org.loam.common.codec.Hash64;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.lsm.read.EntryCursor;

/**
 * Measures the writer, {@code find} and the cursors in thread CPU time, warm, best of some rounds:
 * {@code java ... SSTableBench [directory]}. Run it from the test class path.
 */
final class SSTableBench {
  private static final int PAGE_BYTES = 16 << 10;
  private static final long FILE_BYTES = 64 << 20;
  private static final int ROUNDS = 12;
  private static final int KEY_BYTES = 16;
  private static final int MERGE_CHUNK = ChunkReader.CHUNK_BYTES;

  private final StorageEnv env = RealEnv.create();
  private final Path directory;
  private final PagePool pool = new PagePool(8192, PAGE_BYTES);
  private final CacheCounters counters = new CacheCounters();
  private final BufferCache cache =
      new FrameCache(
          new CacheMemory(
              pool,
              pool.quota("cache", 8192),
              new FixedMemory(CacheMemory.fixedBytes(8192, PAGE_BYTES))),
          env.waiter(),
          counters);
  private final WriterMemory memory =
      new WriterMemory(Mem.allocate(1 << 20, 4096), 1 << 20, Mem.allocate(16 << 20, 8), 16 << 20);
  private int fileId;

  private SSTableBench(Path directory) {
    this.directory = directory;
  }

  public static void main(String[] args) throws IOException {
    Path directory = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("loam-bench");
    try {
      SSTableBench bench = new SSTableBench(directory);
      bench.measure(1024);
      bench.measure(100);
    } finally {
      if (args.length == 0) {
        FileUtils.deleteDirectory(directory.toFile());
      }
    }
  }

  private void measure(int valueBytes) {
    System.out.printf("values of %d bytes, pages of %d%n", valueBytes, PAGE_BYTES);
    SSTableMeta meta = write(valueBytes);
    for (int round = 1; round < ROUNDS; round++) {
      env.files().delete(path(fileId));
      meta = write(valueBytes);
    }
    StorageFile file = env.files().open(path(fileId), StorageFiles.Mode.READ);
    try (SSTable table = SSTable.open(meta, file, cache)) {
      for (int round = 0; round < ROUNDS; round++) {
        find(table, meta.counts().entries(), false);
        find(table, meta.counts().entries(), true);
        scan(table, meta.counts().entries());
        versions(table);
      }
    }
    report();
    cache.purge(fileId, Math.toIntExact(meta.sizeBytes() / PAGE_BYTES));
    env.files().delete(path(fileId));
  }

  private Path path(int id) {
    return directory.resolve("bench-" + id + ".sst");
  }

  private final java.util.TreeMap<String, Double> best = new java.util.TreeMap<>();

  private void note(String what, double value, boolean higherIsBetter) {
    best.merge(what, value, higherIsBetter ? Math::max : Math::min);
  }

  private void report() {
    best.forEach((what, value) -> System.out.printf("  %-44s %10.1f%n", what, value));
    best.clear();
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private SSTableMeta write(int valueBytes) {
    fileId++;
    long wall = System.nanoTime();
    long start = cpuNanos();
    SSTableOptions options = new SSTableOptions(fileId, 99, PAGE_BYTES, false, 10);
    SSTableWriter writer = SSTableWriter.create(env.files(), path(fileId), options, memory, cache);
    try (Rows rows = new Rows(valueBytes)) {
      rows.first();
      do {
        writer.add(rows);
      } while (writer.sizeBytes() < FILE_BYTES && !writer.full() && rows.next());
    }
    SSTableMeta meta = writer.finish();
    double mega = meta.counts().entries() * (double) (KEY_BYTES + valueBytes) / 1e6;
    note("write, MB/s per CPU second", mega * 1e9 / (cpuNanos() - start), true);
    note("write, MB/s of wall time, with force", mega * 1e9 / (System.nanoTime() - wall), true);
    note("write, ns per entry", (cpuNanos() - start) / (double) meta.counts().entries(), false);
    return meta;
  }

  private void find(SSTable table, long entries, boolean absent) {
    int count = 200_000;
    long key = Mem.allocate(KEY_BYTES, 8);
    Lookup lookup = new Lookup(PAGE_BYTES);
    SplittableRandom random = new SplittableRandom(5);
    long found = 0;
    long start = cpuNanos();
    for (int i = 0; i < count; i++) {
      putKey(key, 2 * random.nextLong(entries) + (absent ? 1 : 0));
      long hash = Hash64.of(key, KEY_BYTES);
      if (table.find(key, KEY_BYTES, hash, Long.MAX_VALUE, lookup, ReadIntent.QUERY)) {
        found += Mem.getByte(lookup.valueAddress()) == 7 ? 1 : 0;
        lookup.release();
      }
    }
    note(
        absent ? "find, absent, ns" : "find, hit, ns",
        (cpuNanos() - start) / (double) count,
        false);
    if (found != (absent ? 0 : count)) {
      throw new AssertionError("found " + found);
    }
    Mem.free(key);
  }

  private void scan(SSTable table, long entries) {
    int scans = 2_000;
    int rows = 100;
    long key = Mem.allocate(KEY_BYTES, 8);
    SplittableRandom random = new SplittableRandom(6);
    long sum = 0;
    long start = cpuNanos();
    for (int i = 0; i < scans; i++) {
      putKey(key, 2 * random.nextLong(entries - rows));
      try (EntryCursor cursor = table.cursor(Long.MAX_VALUE, ReadIntent.QUERY, Reach.UNKNOWN)) {
        boolean more = cursor.ceiling(key, KEY_BYTES);
        for (int row = 0; row < rows && more; row++) {
          sum += Mem.getByte(cursor.keyAddress() + 8) + Mem.getByte(cursor.valueAddress());
          more = cursor.next();
        }
      }
    }
    note("seek + 100 rows, us", (cpuNanos() - start) / 1e3 / scans, false);
    long from = cpuNanos();
    long n = 0;
    try (EntryCursor cursor = table.cursor(Long.MAX_VALUE, ReadIntent.QUERY, Reach.UNKNOWN)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        sum += Mem.getByte(cursor.valueAddress()) + cursor.keyLength();
        n++;
      }
    }
    note("scan forward, ns per row", (cpuNanos() - from) / (double) n, false);
    from = cpuNanos();
    try (EntryCursor cursor = table.cursor(Long.MAX_VALUE, ReadIntent.QUERY, Reach.UNKNOWN)) {
      for (boolean more = cursor.last(); more; more = cursor.previous()) {
        sum += Mem.getByte(cursor.valueAddress()) + cursor.keyLength();
      }
    }
    note("scan backward, ns per row", (cpuNanos() - from) / (double) n, false);
    if (sum == 0 || n != entries) {
      throw new AssertionError("rows " + n);
    }
    Mem.free(key);
  }

  private void versions(SSTable table) {
    long buffer = Mem.allocate(MERGE_CHUNK, 4096);
    ChunkReader reader = new ChunkReader(table, PAGE_BYTES, buffer, MERGE_CHUNK, counters);
    long n = 0;
    long start = cpuNanos();
    try (EntryCursor cursor = new VersionCursor(table, reader)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        n += Mem.getByte(cursor.valueAddress());
      }
    }
    double count = n / 7.0;
    note("versions past the cache, ns per row", (cpuNanos() - start) / count, false);
    Mem.free(buffer);
  }

  /** Writes an 8-byte prefix and an even number, big-endian; odd numbers are absent keys. */
  private static void putKey(long address, long number) {
    Mem.putLong(address, 0x7265746e65637573L);
    Mem.putLong(address + 8, Long.reverseBytes(number));
  }

  /** Rows made up on the way, so that only the writer costs. */
  private static final class Rows implements EntryCursor {
    private final int valueBytes;
    private final long key = Mem.allocate(KEY_BYTES, 8);
    private final long values;
    private long number;

    Rows(int valueBytes) {
      this.valueBytes = valueBytes;
      this.values = Mem.allocate((8 << 20) + valueBytes, 64);
      Mem.fill(values, (8 << 20) + valueBytes, (byte) 7);
    }

    @Override
    public boolean first() {
      number = 0;
      putKey(key, 0);
      return true;
    }

    @Override
    public boolean next() {
      number += 2;
      putKey(key, number);
      return true;
    }

    @Override
    public long keyAddress() {
      return key;
    }

    @Override
    public int keyLength() {
      return KEY_BYTES;
    }

    @Override
    public long lsn() {
      return number;
    }

    @Override
    public byte kind() {
      return EntryKind.PUT;
    }

    @Override
    public int valueLength() {
      return valueBytes;
    }

    /** From all over 8 MiB, as records lie in memory that does not fit into a cache. */
    @Override
    public long valueAddress() {
      return values + ((number * valueBytes) & ((8 << 20) - 1));
    }

    @Override
    public void copyValue(long target) {
      Mem.copy(valueAddress(), target, valueBytes);
    }

    @Override
    public boolean last() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean ceiling(long keyAddress, int keyLength) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean lower(long keyAddress, int keyLength) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean previous() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      Mem.free(key);
      Mem.free(values);
    }
  }
}
