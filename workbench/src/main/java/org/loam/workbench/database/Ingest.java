package org.loam.workbench.database;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
  private final List<IngestReport.Reason> reasons = new ArrayList<>();
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
   * @throws CommandException if a place of the input is no record and that is not to be skipped
   */
  IngestReport run(RecordReader reader) throws IOException {
    long startNanos = System.nanoTime();
    while (step(reader)) {
      if (pending.size() == BATCH_RECORDS || pendingBytes >= BATCH_BYTES) {
        flush();
      }
    }
    flush();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new IngestReport(records, bytes, indexEntries, skipped, List.copyOf(reasons), seconds);
  }

  /** Takes a record into the batch; whether there was one, good or bad. */
  private boolean step(RecordReader reader) throws IOException {
    try {
      InputRecord record = reader.next();
      if (record == null) {
        return false;
      }
      add(record);
    } catch (BadRecordException e) {
      flush();
      refuse(e.line(), e.reason());
    }
    return true;
  }

  private void add(InputRecord record) throws BadRecordException {
    try {
      dataset.addTo(batch, record.json());
    } catch (IllegalArgumentException e) {
      throw new BadRecordException(record.line(), String.valueOf(e.getMessage()));
    }
    pending.add(record);
    pendingBytes += record.json().length;
  }

  private void flush() {
    try {
      write(pending);
    } catch (IllegalArgumentException e) {
      // An index refused one of them, and nothing was written: one by one, to find it.
      for (InputRecord record : List.copyOf(pending)) {
        writeAlone(record);
      }
    }
    pending.clear();
    batch.clear();
    pendingBytes = 0;
    afterBatch.run();
  }

  private void writeAlone(InputRecord record) {
    try {
      batch.clear();
      dataset.addTo(batch, record.json());
      write(List.of(record));
    } catch (IllegalArgumentException e) {
      refuse(record.line(), String.valueOf(e.getMessage()));
    }
  }

  private void write(List<InputRecord> written) {
    indexEntries += engine.datasets().write(batch);
    records += written.size();
    written.forEach(record -> bytes += record.json().length);
  }

  private void refuse(long line, String why) {
    IngestReport.Reason reason = new IngestReport.Reason(line, why);
    if (!skip) {
      throw CommandException.failed(
          reason
              + "; records that are in: "
              + records
              + "; correct the line, or pass over such lines with --on-error skip");
    }
    skipped++;
    if (reasons.size() < KEPT_REASONS) {
      reasons.add(reason);
    }
  }
}
