package org.loam.engine.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;
import org.loam.common.key.Keys;
import org.loam.engine.dataset.DatasetState;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.read.Moment;
import org.loam.engine.read.MultiGet;
import org.loam.engine.read.ReadPath;
import org.loam.engine.read.TreeCursor;
import org.loam.lsm.dataset.IndexEntries;
import org.loam.lsm.dataset.RecordView;

/**
 * Finds in what an index and the records differ, as of one moment: looks up the record of each
 * entry, then each entry that the records yield. Reads all over the trees, so it is only for an
 * index that is known to be wrong. Holds a batch of records at a time. One use, one thread.
 */
final class IndexSearch {
  private static final int BATCH = 256;

  private final MultiGet multiGet;
  private final int maxKeyBytes;
  private final DatasetState dataset;
  private final Index index;
  private final Moment moment;
  private final Findings findings;

  /**
   * @param maxKeyBytes the longest key that a tree takes
   */
  IndexSearch(
      MultiGet multiGet,
      int maxKeyBytes,
      DatasetState dataset,
      Index index,
      Moment moment,
      Findings findings) {
    this.multiGet = multiGet;
    this.maxKeyBytes = maxKeyBytes;
    this.dataset = dataset;
    this.index = index;
    this.moment = moment;
    this.findings = findings;
  }

  void run() {
    lookUpRecords();
    lookUpEntries();
  }

  // ---- Entries of which there should be a record.

  private void lookUpRecords() {
    List<byte[]> entries = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    try (TreeCursor cursor = moment.scan(index.tree(), ReadPath.ALL_IN_PASSING)) {
      while (cursor.next()) {
        byte[] entry = cursor.key();
        try {
          int offset = IndexEntries.keyOffset(index.definition().parts(), entry);
          keys.add(Arrays.copyOfRange(entry, offset, entry.length));
          entries.add(entry);
        } catch (CorruptionException e) {
          found("entry " + Keys.describe(entry) + " is none of this index: " + e.getMessage());
        }
        if (keys.size() == BATCH) {
          compareRecords(entries, keys);
        }
      }
    }
    compareRecords(entries, keys);
  }

  private void compareRecords(List<byte[]> entries, List<byte[]> keys) {
    while (!keys.isEmpty()) {
      int compared = compareFirstRecords(entries, keys);
      entries.subList(0, compared).clear();
      keys.subList(0, compared).clear();
    }
  }

  /** Compares as many as fit in memory; how many these were. */
  private int compareFirstRecords(List<byte[]> entries, List<byte[]> keys) {
    byte[][] array = keys.toArray(new byte[0][]);
    byte[] @Nullable [] records =
        multiGet.readFitting(dataset.records(), array, array.length, moment.readLsn());
    for (int i = 0; i < records.length; i++) {
      byte[] entry = entries.get(i);
      byte[] key = keys.get(i);
      byte[] record = records[i];
      if (record == null) {
        found(describe(entry, key) + ", but there is no such record");
      } else if (entriesOf(key, record).stream().noneMatch(e -> Arrays.equals(e, entry))) {
        found(describe(entry, key) + ", but the record does not have that key");
      }
    }
    return records.length;
  }

  private static String describe(byte[] entry, byte[] key) {
    byte[] indexKey = Arrays.copyOf(entry, entry.length - key.length);
    return "entry " + Keys.describe(indexKey) + " is of record " + Keys.describe(key);
  }

  // ---- Records of which there should be entries.

  private void lookUpEntries() {
    List<byte[]> entries = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    try (TreeCursor cursor = moment.scan(dataset.records(), ReadPath.ALL_IN_PASSING)) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        for (byte[] entry : entriesOf(key, cursor.value())) {
          if (entry.length > maxKeyBytes) {
            found(
                "record "
                    + Keys.describe(key)
                    + " yields an entry of "
                    + entry.length
                    + " bytes, which no key can have");
          } else {
            entries.add(entry);
            keys.add(key);
          }
        }
        if (entries.size() >= BATCH) {
          compareEntries(entries, keys);
        }
      }
    }
    compareEntries(entries, keys);
  }

  private void compareEntries(List<byte[]> entries, List<byte[]> keys) {
    byte[][] array = entries.toArray(new byte[0][]);
    byte[] @Nullable [] values = multiGet.read(index.tree(), array, array.length, moment.readLsn());
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        byte[] key = keys.get(i);
        byte[] entry = entries.get(i);
        byte[] indexKey = Arrays.copyOf(entry, entry.length - key.length);
        found("record " + Keys.describe(key) + " lacks its entry " + Keys.describe(indexKey));
      }
    }
    entries.clear();
    keys.clear();
  }

  /** None if the extractor fails, which the verifier has reported. */
  private List<byte[]> entriesOf(byte[] key, byte[] record) {
    try {
      return IndexEntries.of(index.definition(), new RecordView(key, record));
    } catch (RuntimeException e) {
      return List.of();
    }
  }

  private void found(String fault) {
    findings.add(DatasetVerifier.place(dataset, index), fault, DatasetVerifier.recreate());
  }
}
