package org.loam.engine.verify;

import java.util.ArrayList;
import java.util.List;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageException;
import org.loam.common.key.Keys;
import org.loam.engine.dataset.DatasetState;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.read.Moment;
import org.loam.engine.read.ReadPath;
import org.loam.engine.read.TreeCursor;
import org.loam.engine.report.VerifyReport.DatasetReport;
import org.loam.engine.report.VerifyReport.IndexReport;
import org.loam.lsm.dataset.IndexEntries;
import org.loam.lsm.dataset.RecordView;

/**
 * Compares the records of a dataset with its indexes, all as of one moment. One use, one thread.
 *
 * <p>Two passes suffice where nothing is wrong, and both read front to back: one over the records
 * adds up, for each index, the entries that they yield; one over each index adds up those that are
 * there. Sums over the same set are equal in any order, so nothing has to be looked up and next to
 * no memory is needed; {@link EntrySum} says what equal sums prove. Only for an index whose sums
 * differ does {@link IndexSearch} look up entry by entry which ones it is about.
 */
final class DatasetVerifier {
  private static final String AGAIN = "repair that, then verify again";

  private final ReadPath reads;
  private final int maxKeyBytes;
  private final DatasetState dataset;
  private final Findings findings;
  private final VerifyMeter meter;

  /**
   * @param maxKeyBytes the longest key that a tree takes
   */
  DatasetVerifier(
      ReadPath reads, int maxKeyBytes, DatasetState dataset, Findings findings, VerifyMeter meter) {
    this.reads = reads;
    this.maxKeyBytes = maxKeyBytes;
    this.dataset = dataset;
    this.findings = findings;
    this.meter = meter;
  }

  /**
   * Compares.
   *
   * @throws ClosedException if the dataset was dropped, or the engine closed
   */
  DatasetReport run() {
    // Before the moment: an index that is in the list is complete by then.
    boolean known = dataset.isAttached();
    List<Index> indexes = dataset.indexes();
    if (!known && !indexes.isEmpty()) {
      return notChecked(
          indexes,
          "its extractors are not known; the program that created it knows them by the rule "
              + dataset.rule()
              + " and can open it, then verify");
    }
    try (Moment moment = reads.moment()) {
      List<EntrySum> expected = new ArrayList<>();
      indexes.forEach(index -> expected.add(new EntrySum()));
      long records;
      try {
        records = addRecords(moment, indexes, expected);
      } catch (ClosedException e) {
        throw e;
      } catch (StorageException e) {
        findings.add(place(dataset), unreadable("records", e), AGAIN);
        return notChecked(indexes, "its records cannot be read");
      }
      List<IndexReport> reports = new ArrayList<>();
      for (int i = 0; i < indexes.size(); i++) {
        if (!indexes.get(i).tree().isDropped()) {
          reports.add(compare(moment, indexes.get(i), expected.get(i)));
        }
      }
      return new DatasetReport(dataset.name(), records, reports, null);
    }
  }

  private DatasetReport notChecked(List<Index> indexes, String why) {
    List<IndexReport> reports =
        indexes.stream().map(index -> new IndexReport(index.definition().name(), 0)).toList();
    return new DatasetReport(dataset.name(), 0, reports, why);
  }

  private long addRecords(Moment moment, List<Index> indexes, List<EntrySum> sums) {
    long count = 0;
    try (TreeCursor cursor = moment.scan(dataset.records(), ReadPath.ALL_IN_PASSING)) {
      while (cursor.next()) {
        count++;
        RecordView record = new RecordView(cursor.key(), cursor.value());
        for (int i = 0; i < indexes.size(); i++) {
          add(indexes.get(i), record, sums.get(i));
        }
        meter.read(record.key().length + record.bytes().length);
      }
    }
    return count;
  }

  private void add(Index index, RecordView record, EntrySum sum) {
    try {
      IndexEntries.of(index.definition(), record).forEach(sum::add);
    } catch (RuntimeException e) {
      findings.add(
          place(dataset, index),
          "record " + Keys.describe(record.key()) + " has no keys for it: " + e.getMessage(),
          // A write of the record would ask the extractor for the keys that end.
          "drop the index, write or delete the record, and create the index again;"
              + " or correct the extractor");
    }
  }

  private IndexReport compare(Moment moment, Index index, EntrySum expected) {
    EntrySum found = new EntrySum();
    try (TreeCursor cursor = moment.scan(index.tree(), ReadPath.ALL_IN_PASSING)) {
      while (cursor.next()) {
        byte[] entry = cursor.key();
        found.add(entry);
        meter.read(entry.length);
      }
      if (!found.matches(expected)) {
        search(moment, index, expected, found);
      }
    } catch (ClosedException e) {
      reads.operations().requireOpen();
      if (!index.tree().isDropped()) {
        throw e;
      }
    } catch (StorageException e) {
      findings.add(place(dataset, index), unreadable("entries", e), AGAIN);
    }
    return new IndexReport(index.definition().name(), found.count());
  }

  private void search(Moment moment, Index index, EntrySum expected, EntrySum found) {
    long before = findings.count();
    new IndexSearch(reads.multiGet(), maxKeyBytes, dataset, index, moment, findings).run();
    if (findings.count() == before) {
      findings.add(
          place(dataset, index),
          "it has "
              + found.count()
              + " entries, its records yield "
              + expected.count()
              + " others, but not when asked again: its extractor does not find the same keys each"
              + " time",
          "correct the extractor, then drop the index and create it again");
    }
  }

  private static String unreadable(String what, StorageException e) {
    return "its " + what + " cannot be read to the end: " + e.getMessage();
  }

  static String place(DatasetState dataset) {
    return "dataset '" + dataset.name() + "'";
  }

  static String place(DatasetState dataset, Index index) {
    return "index '" + index.definition().name() + "' of " + place(dataset);
  }

  static String recreate() {
    return "drop the index and create it again";
  }
}
