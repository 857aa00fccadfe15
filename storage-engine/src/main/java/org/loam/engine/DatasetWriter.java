package org.loam.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
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
    admit(dataset, options, deadline);
    int[] locks = dataset.locks().of(key);
    long end;
    dataset.locks().lock(locks);
    try {
      WriteBatch batch = new WriteBatch();
      change(dataset, key, record, batch);
      end = committer.apply(batch, options, deadline);
    } finally {
      dataset.locks().unlock(locks);
    }
    committer.awaitAcknowledgement(end, options);
  }

  /** Writes a record unless there is one; whether it did. */
  boolean insert(DatasetState dataset, byte[] key, byte[] record, WriteOptions options) {
    long deadline = committer.deadlineNanos(options);
    admit(dataset, options, deadline);
    int[] locks = dataset.locks().of(key);
    long end = 0;
    boolean free;
    dataset.locks().lock(locks);
    try {
      free = readOld(dataset, key) == null;
      if (free) {
        WriteBatch batch = new WriteBatch();
        replace(dataset, key, null, record, batch);
        end = committer.apply(batch, options, deadline);
      }
    } finally {
      dataset.locks().unlock(locks);
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
    List<Dataset> datasets = changes.datasets();
    long deadline = committer.deadlineNanos(options);
    datasets.forEach(dataset -> admit(dataset.state(), options, deadline));
    WriteBatch batch = new WriteBatch();
    long end =
        lockAndApply(changes, datasets, batch, () -> committer.apply(batch, options, deadline));
    committer.awaitAcknowledgement(end, options);
    return batch.size() - changes.size();
  }

  /** Locks the keys dataset by dataset, in one order for all writers. */
  private long lockAndApply(
      DatasetBatch changes, List<Dataset> left, WriteBatch batch, LongSupplier apply) {
    if (left.isEmpty()) {
      return apply.getAsLong();
    }
    DatasetState dataset = left.get(0).state();
    Map<byte[], Optional<byte[]>> writes = changes.writes(left.get(0));
    int[] locks = dataset.locks().of(writes.keySet().toArray(new byte[0][]));
    dataset.locks().lock(locks);
    try {
      writes.forEach((key, record) -> change(dataset, key, record.orElse(null), batch));
      return lockAndApply(changes, left.subList(1, left.size()), batch, apply);
    } finally {
      dataset.locks().unlock(locks);
    }
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

  private void admit(DatasetState dataset, WriteOptions options, long deadline) {
    dataset.requireOpen();
    for (Tree tree : dataset.trees()) {
      committer.awaitAdmission(tree, options, deadline);
    }
  }
}
