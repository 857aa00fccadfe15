package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.lsm.read.EntryCursor;

/** Files, memory and a small cache for tests; closing it proves that no page stayed pinned. */
final class DiskFixture implements AutoCloseable {
  private static final int FRAMES = 64;
  private static final int MERGE_BUFFER_BYTES = 64 << 10;

  final StorageEnv env = RealEnv.create();
  final int pageBytes;
  final FrameCache cache;
  final CacheCounters counters = new CacheCounters();
  private final Path directory;
  private final PagePool pool;
  private final long pages;
  private final long work;
  private final FixedMemory fixed;
  private final long buffer;
  final WriterMemory memory;
  private int lastFileId;

  DiskFixture(Path directory, int pageBytes) {
    this(directory, pageBytes, 4 * pageBytes, 64 * pageBytes);
  }

  DiskFixture(Path directory, int pageBytes, int pagesBytes, int workBytes) {
    this.directory = directory;
    this.pageBytes = pageBytes;
    this.pool = new PagePool(FRAMES, pageBytes);
    this.fixed = new FixedMemory(CacheMemory.fixedBytes(FRAMES, pageBytes));
    this.cache =
        new FrameCache(
            new CacheMemory(pool, pool.quota("cache", FRAMES), fixed), env.waiter(), counters);
    this.pages = Mem.allocate(pagesBytes, StorageFiles.ALIGNMENT);
    this.work = Mem.allocate(workBytes, 8);
    this.buffer = Mem.allocate(MERGE_BUFFER_BYTES, StorageFiles.ALIGNMENT);
    this.memory = new WriterMemory(pages, pagesBytes, work, workBytes);
  }

  SSTableOptions options(boolean keepLsns) {
    return new SSTableOptions(++lastFileId, 0x5a17_0000L + lastFileId, pageBytes, keepLsns, 10);
  }

  Path path(int fileId) {
    return directory.resolve(fileId + ".sst");
  }

  SSTableWriter writer(SSTableOptions options) {
    return SSTableWriter.create(env.files(), path(options.fileId()), options, memory, cache);
  }

  SSTableMeta write(SSTableOptions options, List<TestEntry> entries) {
    SSTableWriter writer = writer(options);
    try (EntryCursor cursor = new ListCursor(entries)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        writer.add(cursor);
      }
    }
    return writer.finish();
  }

  SSTable open(SSTableMeta meta) {
    StorageFile file = env.files().open(path(meta.fileId()), StorageFiles.Mode.READ);
    try {
      return SSTable.open(meta, file, cache);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  SSTable table(boolean keepLsns, List<TestEntry> entries) {
    return open(write(options(keepLsns), entries));
  }

  /** Closes a table and takes its pages out of the cache, as its owner must. */
  void drop(SSTable table) {
    cache.purge(table.fileId(), Math.toIntExact(table.meta().sizeBytes() / pageBytes));
    table.close();
  }

  EntryCursor versions(SSTable table) {
    return new VersionCursor(
        table, new ChunkReader(table, pageBytes, buffer, MERGE_BUFFER_BYTES, counters));
  }

  List<TestEntry> allVersions(SSTable table) {
    List<TestEntry> all = new ArrayList<>();
    try (EntryCursor cursor = versions(table)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        all.add(current(cursor));
      }
    }
    return all;
  }

  static TestEntry current(EntryCursor cursor) {
    byte[] key = KeyBytes.toArray(cursor.keyAddress(), cursor.keyLength());
    byte[] value = new byte[cursor.valueLength()];
    if (value.length > 0) {
      long copy = Mem.allocate(value.length, 8);
      try {
        cursor.copyValue(copy);
        Mem.copyOut(copy, value, 0, value.length);
      } finally {
        Mem.free(copy);
      }
    }
    return new TestEntry(key, cursor.kind(), cursor.lsn(), value);
  }

  /** What {@code find} says of a key: the entry, or null. */
  @Nullable TestEntry find(SSTable table, byte[] key, long readLsn) {
    Lookup lookup = new Lookup(pageBytes);
    return withKey(
        key,
        address -> {
          long hash = Hash64.of(address, key.length);
          if (!table.find(address, key.length, hash, readLsn, lookup, ReadIntent.QUERY)) {
            assertThat(lookup.isFound()).isFalse();
            return null;
          }
          try {
            byte[] value = new byte[lookup.valueLength()];
            long copy = Mem.allocate(Math.max(1, value.length), 8);
            lookup.copyValue(copy);
            Mem.copyOut(copy, value, 0, value.length);
            Mem.free(copy);
            return new TestEntry(key, lookup.kind(), lookup.lsn(), value);
          } finally {
            lookup.release();
          }
        });
  }

  /** Something to do with the address of a key. */
  interface KeyUse<T extends @Nullable Object> {
    T with(long address);
  }

  static <T extends @Nullable Object> T withKey(byte[] key, KeyUse<T> use) {
    long address = Mem.allocate(Math.max(1, key.length), 8);
    try {
      Mem.copyIn(key, 0, address, key.length);
      return use.with(address);
    } finally {
      Mem.free(address);
    }
  }

  static boolean ceiling(EntryCursor cursor, byte[] key) {
    return withKey(key, address -> cursor.ceiling(address, key.length));
  }

  static boolean lower(EntryCursor cursor, byte[] key) {
    return withKey(key, address -> cursor.lower(address, key.length));
  }

  @Override
  public void close() {
    assertThat(cache.statistics().pinnedFrames()).as("pinned frames").isZero();
    cache.close();
    fixed.close();
    pool.close();
    Mem.free(pages);
    Mem.free(work);
    Mem.free(buffer);
  }
}
