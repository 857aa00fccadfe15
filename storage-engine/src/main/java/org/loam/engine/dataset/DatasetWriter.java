package org.loam.engine.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.env.NanoClock;
import org.loam.common.error.DeadlineException;
import org.loam.engine.commit.Admission;
import org.loam.engine.commit.Committer;
import org.loam.engine.commit.PreparedBatch;
import org.loam.engine.commit.WritePath;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.read.TreeReader;
import org.loam.lsm.dataset.IndexEntries;
import org.loam.lsm.dataset.RecordView;
import org.loam.scheduler.work.StallCause;

/**
 * Eager maintenance (StabilityExt §7.1): under the lock of a record's key, reads the old record,
 * and writes the new one and what changes in each index as one batch. Thread-safe.
 *
 * <p>What waits for long, admission and the log's force, is done outside of the locks. A writer has
 * its turn before it knows how many bytes it writes: they count for the turns after it. Inside, a
 * writer waits while write memory or the log is full; flushes and merges take no key lock.
 */
public final class DatasetWriter {
  private final WritePath writes;
  private final Committer committer;
  private final TreeReader reader;
  private final NanoClock clock;
  private final int maxKeyBytes;

  /**
   * @param maxKeyBytes the longest key that a tree takes
   */
  public DatasetWriter(WritePath writes, TreeReader reader, NanoClock clock, int maxKeyBytes) {
    this.writes = writes;
    this.committer = writes.committer();
    this.reader = reader;
    this.clock = clock;
    this.maxKeyBytes = maxKeyBytes;
  }

  /**
   * What a batch writes to a dataset.
   *
   * @param records by key; an empty one is a deletion
   */
  public record Changes(DatasetState dataset, Map<byte[], Optional<byte[]>> records) {}

  /** Writes a record, or deletes it if it is null. */
  public void write(DatasetState dataset, byte[] key, byte @Nullable [] record, WriteTerms terms) {
    long deadline = committer.deadlineNanos(terms);
    List<Locks> locks = List.of(new Locks(dataset, key));
    long end;
    try {
      lock(locks, terms, deadline);
      PreparedBatch batch = newBatch(dataset);
      change(dataset, key, record, batch);
      end = committer.applyAdmitted(batch, terms, deadline);
    } finally {
      unlock(locks);
    }
    committer.awaitAcknowledgement(end, terms);
  }

  /** Writes a record unless there is one; whether it did. */
  public boolean insert(DatasetState dataset, byte[] key, byte[] record, WriteTerms terms) {
    long deadline = committer.deadlineNanos(terms);
    List<Locks> locks = List.of(new Locks(dataset, key));
    long end = 0;
    boolean free;
    try {
      lock(locks, terms, deadline);
      free = readOld(dataset, key) == null;
      if (free) {
        PreparedBatch batch = newBatch(dataset);
        replace(dataset, key, null, record, batch);
        end = committer.applyAdmitted(batch, terms, deadline);
      }
    } finally {
      unlock(locks);
    }
    if (free) {
      committer.awaitAcknowledgement(end, terms);
    } else {
      writes.latch().awaitPublished();
    }
    return free;
  }

  /**
   * Writes a batch; returns how many index entries that added and removed.
   *
   * @param changes of one dataset each, in the order in which their keys are locked
   */
  public int write(List<Changes> changes, WriteTerms terms) {
    long deadline = committer.deadlineNanos(terms);
    List<Locks> locks = new ArrayList<>();
    int records = 0;
    for (Changes one : changes) {
      locks.add(new Locks(one.dataset, one.records.keySet().toArray(new byte[0][])));
      records += one.records.size();
    }
    PreparedBatch batch = new PreparedBatch(4);
    long end;
    try {
      lock(locks, terms, deadline);
      for (Changes one : changes) {
        one.records.forEach((key, record) -> change(one.dataset, key, record.orElse(null), batch));
      }
      end = committer.applyAdmitted(batch, terms, deadline);
    } finally {
      unlock(locks);
    }
    committer.awaitAcknowledgement(end, terms);
    return batch.size() - records;
  }

  /** Room for a record, and for an entry that ends and one that comes to be in each index. */
  private static PreparedBatch newBatch(DatasetState dataset) {
    return new PreparedBatch(1 + 2 * dataset.indexes().size());
  }

  private void change(
      DatasetState dataset, byte[] key, byte @Nullable [] record, PreparedBatch batch) {
    dataset.requireOpen();
    byte[] old = dataset.indexes().isEmpty() ? null : readOld(dataset, key);
    replace(dataset, key, old, record, batch);
  }

  /** The record that a write replaces, published or not. */
  private byte @Nullable [] readOld(DatasetState dataset, byte[] key) {
    dataset.counters().readRecord();
    return reader.read(dataset.records(), key, Long.MAX_VALUE, ReadIntent.QUERY);
  }

  private void replace(
      DatasetState dataset,
      byte[] key,
      byte @Nullable [] old,
      byte @Nullable [] record,
      PreparedBatch batch) {
    int sizeBefore = batch.size();
    if (record == null) {
      batch.delete(dataset.records(), key);
    } else {
      batch.put(dataset.records(), key, record);
    }
    RecordView before = old == null ? null : new RecordView(key, old);
    RecordView after = record == null ? null : new RecordView(key, record);
    for (DatasetState.Index index : dataset.indexes()) {
      IndexEntries.diff(
          index.definition(), before, after, new IndexWrites(index, maxKeyBytes, batch));
    }
    dataset.counters().wrote(batch.size() - sizeBefore - 1);
  }

  // ---- Locks.

  /** Locks of a dataset that a write takes, all or none. */
  private static final class Locks {
    private final DatasetState dataset;
    private final int[] some;
    private boolean isTaken;

    Locks(DatasetState dataset, byte[]... keys) {
      this.dataset = dataset;
      this.some = dataset.locks().of(keys);
    }

    boolean tryLock() {
      isTaken = dataset.locks().tryLock(some);
      return isTaken;
    }

    boolean tryLock(LongSupplier leftNanos) {
      isTaken = dataset.locks().tryLock(some, leftNanos);
      return isTaken;
    }

    void unlock() {
      if (isTaken) {
        isTaken = false;
        dataset.locks().unlock(some);
      }
    }
  }

  /**
   * Takes locks, when the trees take writes and the gates are open. All writers take the datasets
   * in one order. An index is built or dropped when the writers before it have ended, and no writer
   * gets past this method meanwhile: it looks at the gates again when it has its locks.
   *
   * <p>If it throws, some may be taken, and the caller gives them back.
   */
  private void lock(List<Locks> locks, WriteTerms terms, long deadline) {
    while (true) {
      for (Locks one : locks) {
        one.dataset.requireOpen();
        admit(one.dataset, terms, deadline);
      }
      lockAll(locks, terms, deadline);
      if (!isAnyShut(locks)) {
        return;
      }
      unlock(locks);
    }
  }

  private void lockAll(List<Locks> locks, WriteTerms terms, long deadline) {
    for (Locks one : locks) {
      if (!lock(one, deadline)) {
        throw tooLate(one.dataset, terms, StallCause.KEY_LOCK, "");
      }
    }
  }

  /** Takes locks, or none if that takes too long; a wait for another writer is on record. */
  private boolean lock(Locks locks, long deadline) {
    if (locks.tryLock()) {
      return true;
    }
    long begin = clock.nanoTime();
    try {
      return locks.tryLock(() -> WriteTerms.leftNanos(deadline, clock));
    } finally {
      writes.stalls().addBrief(StallCause.KEY_LOCK, clock.nanoTime() - begin);
    }
  }

  private DeadlineException tooLate(
      DatasetState dataset, WriteTerms terms, StallCause cause, String of) {
    return writes.admission().tooLate("dataset '" + dataset.name() + "'", terms, cause, of);
  }

  /** Waits at the gate of a dataset, and until its trees take writes. */
  private void admit(DatasetState dataset, WriteTerms terms, long deadline) {
    Admission admission = writes.admission();
    admission.requireMayWait();
    Runnable mayWaitForDataset =
        () -> {
          dataset.requireOpen();
          admission.requireMayWait();
        };
    if (!dataset.gate().pass(0, deadline, mayWaitForDataset)) {
      String index = dataset.building();
      throw index.isEmpty()
          ? tooLate(dataset, terms, StallCause.KEY_LOCK, "")
          : tooLate(dataset, terms, StallCause.INDEX_BUILD, " of index '" + index + "'");
    }
    admission.admit(dataset.trees(), terms, deadline);
  }

  private static boolean isAnyShut(List<Locks> locks) {
    for (Locks one : locks) {
      if (one.dataset.isShut()) {
        return true;
      }
    }
    return false;
  }

  /** Gives back those that are taken. */
  private static void unlock(List<Locks> locks) {
    for (int i = locks.size() - 1; i >= 0; i--) {
      locks.get(i).unlock();
    }
  }
}
