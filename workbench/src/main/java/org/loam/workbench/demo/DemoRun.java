package org.loam.workbench.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.engine.DatasetBatch;
import org.loam.workbench.console.Circumstances;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Progress;
import org.loam.workbench.demo.DemoReport.Crashes;
import org.loam.workbench.demo.DemoReport.Given;
import org.loam.workbench.demo.DemoReport.Writes;
import org.loam.workbench.demo.DemoReport.Written;

/** The steps of the demo and what they found. One thread. */
final class DemoRun {
  private static final int BATCH_RECORDS = 16;

  /** Passes that rewrite each record in another order: what makes flushes overlap and merge. */
  private static final int UPDATE_PASSES = 2;

  /** How often to try to kill in the middle. */
  private static final int MAX_ATTEMPTS = 10;

  private static final int DELETE_EVERY = 10;
  private static final int SLICES = 100;
  private static final int POINT_READS = 100_000;
  private static final int PREFIX_SCANS = 500;
  private static final int RANGE_SCANS = 500;

  /** Of each kind of index; each in order and in reverse. */
  private static final int QUERIES = 100;

  private static final int QUERIES_AFTER_A_KILL = 25;

  private final Path directory;
  private final Path databaseDirectory;
  private final Spool spool;
  private final Shape shape;
  private final CrashTrial trial;
  private final Expected expected = new Expected();
  private final Answers answers = new Answers();
  private final SplittableRandom random;
  private @Nullable Written inserted;
  private @Nullable Written updated;
  private int lastIngest;
  private long deletes;
  private int kills;
  private CrashVerdict crashes = new CrashVerdict(0, 0, 0, 0, 0, new BitSet());
  private @Nullable Showcase showcase;
  private @Nullable EngineFigures figures;
  private String recovery = "not reopened";
  private Verified verified = Verified.NOTHING;

  DemoRun(Path directory, Path spoolPath, Spool spool, Shape shape, long seed) {
    this.directory = directory;
    this.databaseDirectory = directory.resolve("database");
    this.spool = spool;
    this.shape = shape;
    this.trial = new CrashTrial(databaseDirectory, spoolPath, spool, shape);
    this.random = new SplittableRandom(seed);
  }

  /** Inserts all records, rewrites them, deletes some, and reads in every way. */
  void ingest() throws IOException {
    try (DemoDatabase database = open()) {
      inserted = put(database, "ingest", 0);
      updated = Written.NOTHING;
      for (int pass = 1; pass <= UPDATE_PASSES; pass++) {
        updated = updated.plus(put(database, "update", pass));
      }
      lastIngest = UPDATE_PASSES;
      List<String> keys = List.copyOf(expected.entries().keySet());
      try (Moment beforeDeletes = new Moment(database, expected)) {
        delete(database, keys);
        read(database, keys);
        beforeDeletes.check(answers);
      }
      showcase = Showcase.of(database, expected, answers);
      figures = EngineFigures.of(database.engine().statistics());
    }
  }

  /** Kills a child in the middle of another ingest, reopens and compares everything. */
  void killAndCompare() throws InterruptedException {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      int ingest = ++lastIngest;
      List<String> keys = List.copyOf(expected.entries().keySet());
      int[] acknowledged = trial.ingestAndKill(ingest, random.split());
      try (DemoDatabase database = open()) {
        recovery = database.recovery();
        crashes = crashes.plus(trial.verify(database, expected, ingest, acknowledged));
        new ReadCheck(database, expected, answers, keys, random.split()).everything();
        new IndexCheck(database, expected, answers, random.split()).queries(QUERIES_AFTER_A_KILL);
      }
      if (trial.wasInTheMiddle(acknowledged)) {
        kills++;
        return;
      }
    }
    throw CommandException.failed("every kill came too late; take more --records");
  }

  /** Opens the database and checks every page, and every index against its records. */
  void verify() {
    try (DemoDatabase database = open();
        Progress progress = Progress.start("verify", expected.count())) {
      verified = verified.again(database, expected, answers);
      progress.step(expected.count());
    }
  }

  /**
   * What was found.
   *
   * @param kept the directory, null if it is deleted
   */
  DemoReport report(String source, @Nullable Path kept, long elapsedNanos) throws IOException {
    if (inserted == null || updated == null || showcase == null || figures == null) {
      throw new IllegalStateException("nothing was ingested");
    }
    return new DemoReport(
        new Given(source, shape, spool.count(), spool.recordBytes(), DemoDatabase.MEMORY_BYTES),
        Writes.of(inserted, updated, deletes),
        figures,
        answers.counts(),
        showcase,
        Crashes.of(kills, crashes, recovery),
        verified,
        Circumstances.of(elapsedNanos, kept, directory));
  }

  private DemoDatabase open() {
    return DemoDatabase.open(databaseDirectory, Durability.PROCESS, shape);
  }

  /** The first pass keeps the order of the source; later ones shuffle it. */
  private Written put(DemoDatabase database, String what, int ingest) throws IOException {
    long startNanos = System.nanoTime();
    long indexEntries = 0;
    DatasetBatch batch = new DatasetBatch();
    try (Progress progress = Progress.start(what, spool.count())) {
      for (int place = 0; place < spool.count(); place++) {
        byte[] source = spool.read(ingest == 0 ? place : spool.shuffled(place));
        DemoRecord record = DemoRecord.of(shape, source).rewritten(ingest);
        database.put(batch, record);
        expected.put(record);
        if (batch.size() == BATCH_RECORDS || place + 1 == spool.count()) {
          indexEntries += database.write(batch);
          progress.step(batch.size());
          batch.clear();
        }
      }
    }
    return new Written(spool.count(), indexEntries, (System.nanoTime() - startNanos) / 1e9);
  }

  private void delete(DemoDatabase database, List<String> keys) {
    DatasetBatch batch = new DatasetBatch();
    for (int i = 0; i < keys.size(); i += DELETE_EVERY) {
      database.delete(batch, keys.get(i));
      expected.delete(keys.get(i));
      deletes++;
      if (batch.size() == BATCH_RECORDS || i + DELETE_EVERY >= keys.size()) {
        database.write(batch);
        batch.clear();
      }
    }
  }

  private void read(DemoDatabase database, List<String> keys) {
    ReadCheck reads = new ReadCheck(database, expected, answers, keys, random.split());
    IndexCheck indexes = new IndexCheck(database, expected, answers, random.split());
    try (Progress progress = Progress.start("read", SLICES)) {
      for (int slice = 0; slice < SLICES; slice++) {
        reads.points(POINT_READS / SLICES);
        reads.prefixes(PREFIX_SCANS / SLICES);
        reads.ranges(RANGE_SCANS / SLICES);
        indexes.queries(QUERIES / SLICES);
        progress.step(1);
      }
      reads.everything();
    }
  }
}
