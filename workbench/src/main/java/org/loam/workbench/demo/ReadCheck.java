package org.loam.workbench.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import org.loam.engine.Cursor;
import org.loam.engine.ScanOptions;
import org.loam.engine.Snapshot;
import org.loam.workbench.console.Progress;
import org.loam.workbench.demo.Expected.Entry;

/** Reads in every way there is and compares each answer with the model. */
final class ReadCheck {
  private static final int PREFIX_CHARACTERS = 4;
  private static final int RANGE_RECORDS = 100;

  /** Where scans by prefix are cut off; some prefixes cover a whole table. */
  private static final int MAX_PREFIX_RECORDS = 1_000;

  private static final int ALL = Integer.MAX_VALUE;

  private final DemoDatabase database;
  private final Expected expected;
  private final List<String> keys;
  private final SplittableRandom random;
  private long points;
  private long prefixRecords;
  private long rangeRecords;
  private long reverseRecords;
  private long wrong;

  /**
   * @param keys to read by: some exist, some do not
   */
  ReadCheck(DemoDatabase database, Expected expected, List<String> keys, SplittableRandom random) {
    this.database = database;
    this.expected = expected;
    this.keys = keys;
    this.random = random;
  }

  /**
   * What was read, in records.
   *
   * @param byKey point reads
   * @param byPrefix shown by prefix scans
   * @param byRange shown by ascending scans
   * @param inReverse shown by descending scans
   * @param wrong answers
   */
  record Counts(
      @JsonProperty("byKey") long byKey,
      @JsonProperty("byPrefix") long byPrefix,
      @JsonProperty("byRange") long byRange,
      @JsonProperty("inReverse") long inReverse,
      @JsonProperty("wrong") long wrong) {
    Counts plus(Counts other) {
      return new Counts(
          byKey + other.byKey,
          byPrefix + other.byPrefix,
          byRange + other.byRange,
          inReverse + other.inReverse,
          wrong + other.wrong);
    }
  }

  Counts counts() {
    return new Counts(points, prefixRecords, rangeRecords, reverseRecords, wrong);
  }

  /** Point reads of random keys; one in eight is a key that never was. */
  void points(int count) {
    for (int i = 0; i < count; i++) {
      String key = randomKey();
      if (random.nextInt(8) == 0) {
        key += "~";
      }
      points++;
      if (!expected.isRight(key, database.get(key))) {
        complain("key " + key);
      }
    }
  }

  /** Scans of all keys that begin like a random one. */
  void prefixes(int count) {
    for (int i = 0; i < count; i++) {
      String key = randomKey();
      String prefix = key.substring(0, Math.min(PREFIX_CHARACTERS, key.length()));
      try (Cursor cursor =
          database.records().scan(ScanOptions.all().prefix(DemoDatabase.bytes(prefix)))) {
        prefixRecords +=
            compare(
                "prefix " + prefix,
                cursor,
                expected.entries().subMap(prefix, true, prefix + Character.MAX_VALUE, false),
                MAX_PREFIX_RECORDS);
      }
    }
  }

  /** Scans of about a hundred records between two keys, forth and back. */
  void ranges(int count) {
    NavigableMap<String, Entry> all = expected.entries();
    for (int i = 0; i < count; i++) {
      int from = random.nextInt(keys.size() - 1);
      String first = keys.get(from);
      String end = keys.get(Math.min(keys.size() - 1, from + RANGE_RECORDS));
      ScanOptions range =
          ScanOptions.all().from(DemoDatabase.bytes(first)).to(DemoDatabase.bytes(end));
      NavigableMap<String, Entry> model = all.subMap(first, true, end, false);
      try (Cursor cursor = database.records().scan(range)) {
        rangeRecords += compare("range from " + first, cursor, model, ALL);
      }
      try (Cursor cursor = database.records().scan(range.reverse())) {
        reverseRecords += compare("reverse to " + first, cursor, model.descendingMap(), ALL);
      }
    }
  }

  /** One scan of everything each way, and that the second tree has an entry for each record. */
  void everything() {
    try (Cursor cursor = database.records().scan(ScanOptions.all())) {
      rangeRecords += compare("full scan", cursor, expected.entries(), ALL);
    }
    try (Cursor cursor = database.records().scan(ScanOptions.all().reverse())) {
      reverseRecords +=
          compare("full reverse scan", cursor, expected.entries().descendingMap(), ALL);
    }
    long groupEntries = 0;
    try (Cursor cursor = database.groups().scan(ScanOptions.all())) {
      while (cursor.next()) {
        groupEntries++;
        String groupAndKey = DemoDatabase.text(cursor.key());
        Entry entry = expected.get(groupAndKey.substring(groupAndKey.indexOf('\0') + 1));
        String ingest = DemoDatabase.text(cursor.value());
        if (entry == null || !ingest.equals(Integer.toString(entry.ingest()))) {
          complain("group entry " + groupAndKey.replace('\0', '/'));
        }
      }
    }
    rangeRecords += groupEntries;
    if (groupEntries != expected.count()) {
      complain(groupEntries + " group entries for " + expected.count() + " records");
    }
  }

  /** A scan of a snapshot, against the model of its moment. */
  void snapshot(Snapshot snapshot, Expected then) {
    try (Cursor cursor = snapshot.scan(database.records(), ScanOptions.all())) {
      rangeRecords += compare("snapshot", cursor, then.entries(), ALL);
    }
  }

  private long compare(String what, Cursor cursor, Map<String, Entry> model, int limit) {
    Iterator<Map.Entry<String, Entry>> wanted = model.entrySet().iterator();
    long count = 0;
    while (count < limit && cursor.next()) {
      count++;
      String key = DemoDatabase.text(cursor.key());
      if (!wanted.hasNext()) {
        complain(what + ": shows " + key + " after the last record");
        return count;
      }
      Map.Entry<String, Entry> next = wanted.next();
      if (!next.getKey().equals(key)) {
        complain(what + ": shows " + key + ", expected " + next.getKey());
        return count;
      }
      if (Expected.checksum(cursor.value()) != next.getValue().checksum()) {
        complain(what + ": wrong value of " + key);
      }
    }
    if (count < limit && wanted.hasNext()) {
      complain(what + ": ends before " + wanted.next().getKey());
    }
    return count;
  }

  private String randomKey() {
    return keys.get(random.nextInt(keys.size()));
  }

  private void complain(String what) {
    wrong++;
    if (wrong <= 10) {
      Progress.say("WRONG: " + what);
    }
  }

  /** The keys of a spool in ascending order, to read by. */
  static List<String> sortedKeys(Expected all) {
    return new ArrayList<>(all.entries().keySet());
  }
}
