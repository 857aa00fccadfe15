package org.loam.lsm.merge;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;
import org.loam.lsm.version.LiveTable;

/**
 * The SSTables of a load: entries that come from outside, in order, with one LSN. Ends with {@link
 * #installed}, {@link #abandon} or {@link #leave}, whichever comes first. One thread at a time.
 */
public final class TableLoad {
  private final TableStore store;
  private final TableOutput output;
  private final LoadedEntry entry;
  private final Runnable release;
  private @Nullable List<LiveTable> tables;
  private boolean ended;

  /**
   * @param key address of room for the longest key
   * @param release gives the buffers back
   */
  TableLoad(TableStore store, TableOutput output, long lsn, long key, Runnable release) {
    this.store = store;
    this.output = output;
    this.entry = new LoadedEntry(key, lsn);
    this.release = release;
  }

  /** Adds an entry, whose key must be after that of the one before. */
  public void add(byte[] key, byte[] value) {
    entry.set(key, value);
    output.add(entry, true);
  }

  /** Bytes of all tables so far. */
  public long sizeBytes() {
    return output.sizeBytes();
  }

  public boolean needsForce() {
    return output.needsForce();
  }

  public void force() {
    output.force();
  }

  /** The LSN of all entries. */
  public long lsn() {
    return entry.lsn();
  }

  /** Completes and opens the tables; files and names are durable. None if there is no entry. */
  public List<LiveTable> finish() {
    List<LiveTable> finished = output.finish();
    tables = finished;
    return finished;
  }

  /** The tables belong to a tree from here on. */
  public void installed() {
    end(() -> {});
  }

  /** Deletes what was written. */
  public void abandon() {
    end(
        () -> {
          closeTables();
          output.abandon();
        });
  }

  /**
   * Leaves the files to the next open, which knows whether the manifest names them, and deletes
   * them if not.
   */
  public void leave() {
    end(this::closeTables);
  }

  private void closeTables() {
    if (tables != null) {
      tables.forEach(store::closeQuietly);
    }
  }

  private void end(Runnable disposal) {
    if (ended) {
      return;
    }
    ended = true;
    try {
      disposal.run();
    } finally {
      release.run();
    }
  }

  /** The key is copied to off-heap memory, the value from the heap to where it belongs. */
  private static final class LoadedEntry implements Entry {
    private final long key;
    private final long lsn;
    private int keyLength;
    private byte[] value = new byte[0];

    LoadedEntry(long key, long lsn) {
      this.key = key;
      this.lsn = lsn;
    }

    void set(byte[] newKey, byte[] newValue) {
      Mem.copyIn(newKey, 0, key, newKey.length);
      keyLength = newKey.length;
      value = newValue;
    }

    @Override
    public long keyAddress() {
      return key;
    }

    @Override
    public int keyLength() {
      return keyLength;
    }

    @Override
    public long lsn() {
      return lsn;
    }

    @Override
    public byte kind() {
      return EntryKind.PUT;
    }

    @Override
    public int valueLength() {
      return value.length;
    }

    @Override
    public long valueAddress() {
      return 0;
    }

    @Override
    public void copyValue(int offset, int length, long target) {
      Objects.checkFromIndexSize(offset, length, value.length);
      Mem.copyIn(value, offset, target, length);
    }
  }
}
