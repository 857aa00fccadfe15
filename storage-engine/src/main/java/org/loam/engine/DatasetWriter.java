package org.loam.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.dataset.IndexEntries;
import org.loam.lsm.dataset.RecordView;

/**
 * Eager maintenance (StabilityExt §7.1): under the lock of a record's key, reads the old record,
 * and writes the new one and what changes in each index as one batch. Thread-safe.
 *
 * <p>What waits for long, admission and the log's force, is done outside of the locks; only a full
 * write memory makes a writer wait inside, and a flush takes no key lock.
 */
final class DatasetWriter {
  private final Committer committer;

  DatasetWriter(Committer committer) {
    this.committer = committer;
  }

  /** Writes a record, or deletes it if it is null. */
  void write(DatasetState dataset, byte[] key, byte @Nullable [] record, WriteOptions options) {
    long deadline = committer.deadlineNanos(options);
    List<Locks> locks = List.of(new Locks(dataset, key));
    long end;
    lock(locks, options, deadline);
    try {
      WriteBatch batch = newBatch(dataset);
      change(dataset, key, record, batch);
      end = committer.apply(batch, options, deadline);
    } finally {
      unlock(locks);
    }
    committer.awaitAcknowledgement(end, options);
  }

  /** Writes a record unless there is one; whether it did. */
  boolean insert(DatasetState dataset, byte[] key, byte[] record, WriteOptions options) {
    long deadline = committer.deadlineNanos(options);
    List<Locks> locks = List.of(new Locks(dataset, key));
    long end = 0;
    boolean free;
    lock(locks, options, deadline);
    try {
      free = readOld(dataset, key) == null;
      if (free) {
        WriteBatch batch = newBatch(dataset);
        replace(dataset, key, null, record, batch);
        end = committer.apply(batch, options, deadline);
      }
    } finally {
      unlock(locks);
    }
    if (free) {
      committer.awaitAcknowledgement(end, options);
    } else {
      committer.awaitPublished();
    }
    return free;
  }

  /** Writes a batch; returns how many index entries that added and removed. */
  int write(DatasetBatch changes, WriteOptions options) {
    long deadline = committer.deadlineNanos(options);
    List<Locks> locks = new ArrayList<>();
    for (Dataset dataset : changes.datasets()) {
      byte[][] keys = changes.writes(dataset).keySet().toArray(new byte[0][]);
      locks.add(new Locks(dataset.state(), keys));
    }
    WriteBatch batch = new WriteBatch();
    long end;
    lock(locks, options, deadline);
    try {
      for (Dataset dataset : changes.datasets()) {
        changes
            .writes(dataset)
            .forEach((key, record) -> change(dataset.state(), key, record.orElse(null), batch));
      }
      end = committer.apply(batch, options, deadline);
    } finally {
      unlock(locks);
    }
    committer.awaitAcknowledgement(end, options);
    return batch.size() - changes.size();
  }

  /** Room for a record, and for an entry that ends and one that comes to be in each index. */
  private static WriteBatch newBatch(DatasetState dataset) {
    return new WriteBatch(1 + 2 * dataset.indexes().size());
  }

  private void change(
      DatasetState dataset, byte[] key, byte @Nullable [] record, WriteBatch batch) {
    dataset.requireOpen();
    byte[] old = dataset.indexes().isEmpty() ? null : readOld(dataset, key);
    replace(dataset, key, old, record, batch);
  }

  /** The record that a write replaces, published or not. */
  private static byte @Nullable [] readOld(DatasetState dataset, byte[] key) {
    dataset.counters().readRecord();
    return dataset.records().read(key, Long.MAX_VALUE, true);
  }

  private static void replace(
      DatasetState dataset,
      byte[] key,
      byte @Nullable [] old,
      byte @Nullable [] record,
      WriteBatch batch) {
    int sizeBefore = batch.size();
    if (record == null) {
      batch.delete(dataset.records(), key);
    } else {
      batch.put(dataset.records(), key, record);
    }
    RecordView before = old == null ? null : new RecordView(key, old);
    RecordView after = record == null ? null : new RecordView(key, record);
    for (DatasetState.Index index : dataset.indexes()) {
      IndexEntries.diff(index.definition(), before, after, new IndexWrites(index, batch));
    }
    dataset.counters().wrote(batch.size() - sizeBefore - 1);
  }

  // ---- Locks.

  /** Locks of a dataset that a write takes. */
  private static final class Locks {
    private final DatasetState dataset;
    private final int[] some;

    Locks(DatasetState dataset, byte[]... keys) {
      this.dataset = dataset;
      this.some = dataset.locks().of(keys);
    }

    void lock() {
      dataset.locks().lock(some);
    }

    void unlock() {
      dataset.locks().unlock(some);
    }
  }

  /**
   * Takes locks, dataset by dataset in one order for all writers, when the trees take writes and no
   * index is being built: who builds one has seen all writers end that came before, and sees none.
   */
  private void lock(List<Locks> locks, WriteOptions options, long deadline) {
    while (true) {
      for (Locks one : locks) {
        one.dataset.requireOpen();
        committer.admission().admit(one.dataset, options, deadline);
      }
      for (Locks one : locks) {
        one.lock();
      }
      if (!isAnyBuilding(locks)) {
        return;
      }
      unlock(locks);
    }
  }

  private static boolean isAnyBuilding(List<Locks> locks) {
    for (Locks one : locks) {
      if (one.dataset.isBuilding()) {
        return true;
      }
    }
    return false;
  }

  private static void unlock(List<Locks> locks) {
    for (int i = locks.size() - 1; i >= 0; i--) {
      locks.get(i).unlock();
    }
  }
}
