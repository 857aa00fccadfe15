package org.loam.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.key.Keys;
import org.loam.engine.dataset.DatasetState;
import org.loam.engine.read.MultiGet;

/**
 * Walks the records that a query of an index finds, in the order of the index, all of one moment
 * (StabilityExt §7.2). Records are fetched in batches, each in the order of their own keys and
 * bounded in records and in bytes. A record shows once for each of its entries in the range. One
 * thread at a time. Begins before the first record; close it, or old versions are kept for it.
 */
public final class RecordCursor implements AutoCloseable {
  /** What a batch is ready for; after a read that failed the next call goes on there. */
  private enum Stage {
    COLLECTING,
    FETCHING,
    SHOWING
  }

  /** A reader without a limit may stop soon. */
  private static final int FIRST_BATCH = 16;

  private static final int FIRST_BATCH_OF_LIMIT = 64;
  private static final int GROWTH = 4;
  static final int MAX_BATCH = 1024;

  private final DatasetState dataset;
  private final IndexCursor entries;
  private final MultiGet reads;
  private int batchSize;

  private byte[][] indexKeys = new byte[0][];
  private byte[][] keys = new byte[0][];

  /** How many keys there are: those of the records, then those that are not fetched yet. */
  private int collected;

  private byte[] @Nullable [] records = new byte[0][];
  private int at = -1;
  private Stage stage = Stage.SHOWING;
  private boolean closed;

  /**
   * @param entries owned by this cursor; its read LSN is that of the records
   * @param limit most records, as far as it is known
   */
  RecordCursor(DatasetState dataset, IndexCursor entries, MultiGet reads, long limit) {
    this.dataset = dataset;
    this.entries = entries;
    this.reads = reads;
    this.batchSize =
        limit == Long.MAX_VALUE ? FIRST_BATCH : (int) Math.min(limit, FIRST_BATCH_OF_LIMIT);
  }

  /**
   * Moves to the next record.
   *
   * @return false past the end
   * @throws ClosedException if cursor, dataset or engine was closed
   * @throws CorruptionException if anything that is read is damaged
   */
  public boolean next() {
    if (closed) {
      throw new ClosedException("the cursor was closed");
    }
    if (stage == Stage.SHOWING && at + 1 >= records.length) {
      begin();
    }
    if (stage == Stage.COLLECTING) {
      collect();
    }
    if (stage == Stage.FETCHING) {
      fetch();
    }
    at++;
    return at < records.length;
  }

  private void begin() {
    dataset.requireOpen();
    stage = Stage.COLLECTING;
    at = -1;
    int shown = records.length;
    records = new byte[0][];
    collected -= shown;
    int capacity = Math.max(batchSize, collected);
    indexKeys = Arrays.copyOfRange(indexKeys, shown, shown + capacity);
    keys = Arrays.copyOfRange(keys, shown, shown + capacity);
  }

  private void collect() {
    while (collected < batchSize && entries.next()) {
      indexKeys[collected] = entries.indexKey();
      keys[collected] = entries.key();
      collected++;
    }
    stage = Stage.FETCHING;
  }

  private void fetch() {
    int count = Math.min(collected, batchSize);
    records = reads.readFitting(dataset.records(), keys, count, entries.readLsn());
    dataset.counters().fetched(records.length);
    int most = Math.min(GROWTH * records.length, MAX_BATCH);
    batchSize = Math.min(most, MultiGet.fitting(records));
    stage = Stage.SHOWING;
  }

  /** The index's key under which the record was found; the caller's own. */
  public byte[] indexKey() {
    return indexKeys[here()];
  }

  /** The record's key; the caller's own. */
  public byte[] key() {
    return keys[here()];
  }

  /**
   * The record; the caller's own.
   *
   * @throws CorruptionException if there is none, which means that index and records disagree
   */
  public byte[] record() {
    byte[] record = records[here()];
    if (record == null) {
      throw new CorruptionException(
          "index '"
              + entries.index().definition().name()
              + "' of dataset '"
              + dataset.name()
              + "' has the entry "
              + Keys.describe(indexKeys[at])
              + " of record "
              + Keys.describe(keys[at])
              + ", but there is no such record; drop the index and create it again");
    }
    return record;
  }

  /** The records of the batch, null where there is none. */
  byte[] @Nullable [] batch() {
    return records;
  }

  private int here() {
    if (closed || at < 0 || at >= records.length) {
      throw new IllegalStateException("the cursor is not at a record; call next() first");
    }
    return at;
  }

  /** Ends the query. Closing twice is harmless. */
  @Override
  public void close() {
    closed = true;
    entries.close();
  }
}
