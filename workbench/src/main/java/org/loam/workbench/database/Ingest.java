package org.loam.workbench.database;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.loam.common.error.DiskFullException;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.workbench.console.CommandException;

/**
 * Writes records in batches, each of them whole or not at all. What no record can be made of ends
 * the ingest, after all that stands before it was written, or is skipped. For one thread, once.
 */
final class Ingest {
  /** Some hundred kilobytes: a force for each is little, and it fits the smallest memory. */
  private static final int BATCH_BYTES = 256 << 10;

  private static final int BATCH_RECORDS = 1000;
  private static final int KEPT_REASONS = 5;

  private final Engine engine;
  private final JsonDataset dataset;
  private final boolean skip;
  private final Runnable afterBatch;
  private final DatasetBatch batch = new DatasetBatch();
  private final List<InputRecord> pending = new ArrayList<>();
  private final TreeSet<IngestReport.Reason> reasons =
      new TreeSet<>(Comparator.comparingLong(IngestReport.Reason::line));
  private long pendingBytes;
  private long records;
  private long bytes;
  private long indexEntries;
  private long skipped;

  /**
   * @param skip whether what is no record is skipped
   * @param afterBatch told when a batch is written
   */
  Ingest(Engine engine, JsonDataset dataset, boolean skip, Runnable afterBatch) {
    this.engine = engine;
    this.dataset = dataset;
    this.skip = skip;
    this.afterBatch = afterBatch;
  }

  /**
   * Writes all records.
   *
   * @throws CommandException if a place of the input is no record and that is not to be skipped, if
   *     the input cannot be read to its end, or if the disk or the heap is full
   */
  IngestReport run(RecordReader reader) {
    long startNanos = System.nanoTime();
    while (step(reader)) {
      if (pending.size() == BATCH_RECORDS || pendingBytes >= BATCH_BYTES) {
        flush();
      }
    }
    flush();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new IngestReport(
        records, bytes, indexEntries, skipped, List.copyOf(reasons), seconds, null);
  }

  /** Records that are in, also if the ingest failed. */
  long records() {
    return records;
  }

  /** Takes a record into the batch; whether there was one, good or bad. */
  private boolean step(RecordReader reader) {
    try {
      InputRecord record = reader.next();
      if (record == null) {
        return false;
      }
      add(record);
    } catch (BadRecordException e) {
      refuse(e);
    } catch (IOException e) {
      flush();
      throw ended("the input cannot be read on: " + e.getMessage(), "", e);
    } catch (OutOfMemoryError e) {
      flush();
      throw noHeap(e);
    }
    return true;
  }

  private void add(InputRecord record) throws BadRecordException {
    try {
      byte[] key = dataset.keyOf(record.json());
      if (batch.has(dataset.dataset(), key)) {
        // In one batch the later record would hide what an index refuses in the earlier one.
        flush();
      }
      batch.upsert(dataset.dataset(), key, record.json());
    } catch (IllegalArgumentException e) {
      throw BadRecordException.of(record, e);
    }
    pending.add(record);
    pendingBytes += record.json().length;
  }

  private void flush() {
    List<InputRecord> written = List.copyOf(pending);
    pending.clear();
    pendingBytes = 0;
    try {
      write(written, batch);
    } catch (DiskFullException e) {
      throw ended(String.valueOf(e.getMessage()), "make room and ", e);
    } catch (OutOfMemoryError e) {
      throw noHeap(e);
    }
    batch.clear();
    afterBatch.run();
  }

  private CommandException noHeap(OutOfMemoryError cause) {
    return ended(
        "the heap of this command has no room for a record",
        "give it more, such as LOAM_JAVA_OPTS=-Xmx1g, and ",
        cause);
  }

  private CommandException ended(String why, String remedy, Throwable cause) {
    return CommandException.environment(
        why
            + "; records that are in: "
            + records
            + "; "
            + remedy
            + "ingest the whole again, which writes those anew",
        cause);
  }

  /** An index may refuse one of them; then nothing was written, and halving finds it. */
  private void write(List<InputRecord> some, DatasetBatch made) {
    try {
      indexEntries += engine.datasets().write(made);
      records += some.size();
      some.forEach(record -> bytes += record.json().length);
    } catch (IllegalArgumentException e) {
      if (some.size() == 1) {
        refuse(BadRecordException.of(some.get(0), e));
      } else {
        int half = some.size() / 2;
        write(some.subList(0, half));
        write(some.subList(half, some.size()));
      }
    }
  }

  private void write(List<InputRecord> some) {
    DatasetBatch made = new DatasetBatch();
    some.forEach(record -> dataset.addTo(made, record.json()));
    write(some, made);
  }

  private void refuse(BadRecordException bad) {
    if (skip && bad.goesOn()) {
      skipped++;
      reasons.add(new IngestReport.Reason(bad.line(), bad.reason()));
      if (reasons.size() > KEPT_REASONS) {
        reasons.remove(reasons.last());
      }
      return;
    }
    if (!pending.isEmpty()) {
      flush();
    }
    throw CommandException.failed(
        "line "
            + bad.line()
            + ": "
            + bad.reason()
            + "; records that are in: "
            + records
            + "; correct the line"
            + (bad.goesOn() ? ", or pass over such lines with --on-error skip" : ""));
  }
}
