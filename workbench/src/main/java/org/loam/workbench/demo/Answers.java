package org.loam.workbench.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.loam.common.error.CorruptionException;
import org.loam.common.key.Keys;
import org.loam.engine.json.JsonCursor;
import org.loam.workbench.console.Progress;
import org.loam.workbench.demo.Expected.Entry;

/** Holds answers against the model and counts them. One thread. */
final class Answers {
  private static final int SHOWN_COMPLAINTS = 10;

  private long byKey;
  private long byPrefix;
  private long byRange;
  private long inReverse;
  private long byIndex;
  private long wrong;

  /** How a record was asked for. */
  enum Way {
    KEY,
    PREFIX,
    RANGE,
    REVERSE,
    INDEX
  }

  /**
   * What was read, in records.
   *
   * @param byKey point reads
   * @param byPrefix shown by prefix scans
   * @param byRange shown by ascending scans
   * @param inReverse shown by descending scans
   * @param byIndex shown by queries of indexes
   * @param wrong answers
   */
  record Counts(
      @JsonProperty("byKey") long byKey,
      @JsonProperty("byPrefix") long byPrefix,
      @JsonProperty("byRange") long byRange,
      @JsonProperty("inReverse") long inReverse,
      @JsonProperty("byIndex") long byIndex,
      @JsonProperty("wrong") long wrong) {}

  /** An answer of many records, of a scan or a query; the key is that of the record. */
  record Shown(BooleanSupplier next, Supplier<byte[]> key, Supplier<byte[]> record) {
    static Shown by(JsonCursor cursor) {
      return new Shown(cursor::next, cursor::key, cursor::json);
    }
  }

  Counts counts() {
    return new Counts(byKey, byPrefix, byRange, inReverse, byIndex, wrong);
  }

  void count(Way way, long records) {
    switch (way) {
      case KEY -> byKey += records;
      case PREFIX -> byPrefix += records;
      case RANGE -> byRange += records;
      case REVERSE -> inReverse += records;
      case INDEX -> byIndex += records;
    }
  }

  void complain(String what) {
    wrong++;
    if (wrong <= SHOWN_COMPLAINTS) {
      Progress.say("WRONG: " + what);
    }
  }

  /**
   * Walks an answer beside the model; at most one complaint for each record.
   *
   * @return records shown
   */
  long compare(Way way, String what, Shown shown, Iterator<Entry> wanted) {
    long records = 0;
    try {
      while (shown.next.getAsBoolean()) {
        records++;
        if (!isNext(what, shown, wanted)) {
          return records;
        }
      }
      if (wanted.hasNext()) {
        complain(what + ": ends before " + wanted.next().key());
      }
    } catch (CorruptionException e) {
      complain(what + ": " + e.getMessage());
    } finally {
      count(way, records);
    }
    return records;
  }

  /** False if there is no point in going on. */
  private boolean isNext(String what, Shown shown, Iterator<Entry> wanted) {
    byte[] key = shown.key.get();
    if (!wanted.hasNext()) {
      complain(what + ": shows " + Keys.describe(key) + " after the last record");
      return false;
    }
    Entry next = wanted.next();
    if (!Arrays.equals(key, DemoDatabase.key(next.key()))) {
      complain(what + ": shows " + Keys.describe(key) + ", expected " + next.key());
      return false;
    }
    if (Expected.checksum(shown.record.get()) != next.checksum()) {
      complain(what + ": wrong record of " + next.key());
    }
    return true;
  }
}
