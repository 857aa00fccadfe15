package org.loam.workbench.demo;

import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import org.loam.engine.ScanOptions;
import org.loam.engine.json.JsonCursor;
import org.loam.workbench.demo.Answers.Shown;
import org.loam.workbench.demo.Answers.Way;
import org.loam.workbench.demo.Expected.Entry;

/** Reads by key in every way there is and compares each answer with the model. */
final class ReadCheck {
  private static final int PREFIX_CHARACTERS = 4;
  private static final int RANGE_RECORDS = 100;

  /** Where scans by prefix are cut off; some prefixes cover a whole dataset. */
  private static final int MAX_PREFIX_RECORDS = 1_000;

  private final DemoDatabase database;
  private final Expected expected;
  private final Answers answers;
  private final List<String> keys;
  private final SplittableRandom random;

  /**
   * @param keys to read by, ascending: some exist, some do not
   */
  ReadCheck(
      DemoDatabase database,
      Expected expected,
      Answers answers,
      List<String> keys,
      SplittableRandom random) {
    this.database = database;
    this.expected = expected;
    this.answers = answers;
    this.keys = keys;
    this.random = random;
  }

  /** Point reads of random keys; one in eight is a key that never was. */
  void points(int count) {
    for (int i = 0; i < count; i++) {
      String key = randomKey();
      if (random.nextInt(8) == 0) {
        key += "~";
      }
      answers.count(Way.KEY, 1);
      if (!expected.isRight(key, database.get(key))) {
        answers.complain("key " + key);
      }
    }
  }

  /** Scans of all keys that begin like a random one. */
  void prefixes(int count) {
    for (int i = 0; i < count; i++) {
      String key = randomKey();
      String prefix = key.substring(0, Math.min(PREFIX_CHARACTERS, key.length()));
      ScanOptions options =
          ScanOptions.all().prefix(DemoDatabase.keyBeginning(prefix)).limit(MAX_PREFIX_RECORDS);
      NavigableMap<String, Entry> model =
          expected.entries().subMap(prefix, true, prefix + Character.MAX_VALUE, false);
      try (JsonCursor cursor = database.scan(options)) {
        answers.compare(
            Way.PREFIX,
            "prefix " + prefix,
            Shown.by(cursor),
            model.values().stream().limit(MAX_PREFIX_RECORDS).iterator());
      }
    }
  }

  /** Scans of about a hundred records between two keys, forth and back. */
  void ranges(int count) {
    for (int i = 0; i < count; i++) {
      int from = random.nextInt(keys.size() - 1);
      String first = keys.get(from);
      String end = keys.get(Math.min(keys.size() - 1, from + RANGE_RECORDS));
      bothWays(
          "range from " + first,
          ScanOptions.all().from(DemoDatabase.key(first)).to(DemoDatabase.key(end)),
          expected.entries().subMap(first, true, end, false));
    }
  }

  /** A scan of everything each way. */
  void everything() {
    bothWays("full scan", ScanOptions.all(), expected.entries());
  }

  private void bothWays(String what, ScanOptions options, NavigableMap<String, Entry> model) {
    try (JsonCursor cursor = database.scan(options)) {
      answers.compare(Way.RANGE, what, Shown.by(cursor), model.values().iterator());
    }
    try (JsonCursor cursor = database.scan(options.reverse())) {
      answers.compare(
          Way.REVERSE,
          what + ", in reverse",
          Shown.by(cursor),
          model.descendingMap().values().iterator());
    }
  }

  private String randomKey() {
    return keys.get(random.nextInt(keys.size()));
  }
}
