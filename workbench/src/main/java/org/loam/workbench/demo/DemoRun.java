package org.loam.workbench.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.engine.Snapshot;
import org.loam.engine.WriteBatch;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;

/** The steps of the demo and what they found. One thread. */
final class DemoRun {
  private static final int BATCH_RECORDS = 16;

  /** Passes that rewrite each record in another order: what makes flushes overlap and merge. */
  private static final int UPDATE_PASSES = 2;

  /** How often to try to kill in the middle. */
  private static final int MAX_ATTEMPTS = 10;

  private static final int DELETE_EVERY = 10;
  private static final int POINT_READS = 100_000;
  private static final int PREFIX_SCANS = 500;
  private static final int RANGE_SCANS = 500;

  private final Path directory;
  private final Path databaseDirectory;
  private final Spool spool;
  private final CrashTrial trial;
  private final Expected expected = new Expected();
  private final SplittableRandom random;
  private int lastIngest;
  private long updates;
  private long deletes;
  private double writeSeconds;
  private int kills;
  private ReadCheck.Counts reads = new ReadCheck.Counts(0, 0, 0, 0, 0);
  private CrashVerdict crashes = new CrashVerdict(0, 0, 0, 0, 0, new BitSet());
  private @Nullable EngineFigures figures;
  private String recovery = "not reopened";

  DemoRun(Path directory, Path spoolPath, Spool spool, long seed) {
    this.directory = directory;
    this.databaseDirectory = directory.resolve("database");
    this.spool = spool;
    this.trial = new CrashTrial(databaseDirectory, spoolPath, spool);
    this.random = new SplittableRandom(seed);
  }

  /** Inserts all records, rewrites them, deletes some, and reads in every way. */
  void ingest() throws IOException {
    try (DemoDatabase database = DemoDatabase.open(databaseDirectory, Durability.PROCESS)) {
      put(database, "ingest", 0);
      for (int pass = 1; pass <= UPDATE_PASSES; pass++) {
        put(database, "update", pass);
        updates += spool.count();
      }
      lastIngest = UPDATE_PASSES;
      List<String> keys = ReadCheck.sortedKeys(expected);
      Expected beforeDeletes = expected.copy();
      try (Snapshot snapshot = database.snapshot()) {
        delete(database, keys);
        ReadCheck check = new ReadCheck(database, expected, keys, random.split());
        read(check);
        check.snapshot(snapshot, beforeDeletes);
        reads = reads.plus(check.counts());
      }
      figures = EngineFigures.of(database.engine().statistics());
    }
  }

  /** Kills a child in the middle of another ingest, reopens and compares everything. */
  void killAndVerify() throws InterruptedException {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      int ingest = ++lastIngest;
      List<String> keys = ReadCheck.sortedKeys(expected);
      int[] acknowledged = trial.ingestAndKill(ingest, random.split());
      try (DemoDatabase database = DemoDatabase.open(databaseDirectory, Durability.PROCESS)) {
        recovery = database.recovery();
        crashes = crashes.plus(trial.verify(database, expected, ingest, acknowledged));
        ReadCheck check = new ReadCheck(database, expected, keys, random.split());
        check.everything();
        reads = reads.plus(check.counts());
      }
      if (trial.wasInTheMiddle(acknowledged)) {
        kills++;
        return;
      }
    }
    throw CommandException.failed("every kill came too late; take more --records");
  }

  DemoReport report(String source, @Nullable String keptDirectory, long elapsedNanos)
      throws IOException {
    if (figures == null) {
      throw new IllegalStateException("nothing was ingested");
    }
    long writes = spool.count() + updates;
    return new DemoReport(
        source,
        spool.count(),
        spool.textBytes(),
        DemoDatabase.MEMORY_BYTES,
        updates,
        deletes,
        Math.round(writes / writeSeconds),
        figures,
        reads,
        kills,
        crashes.acknowledged(),
        crashes.lost(),
        crashes.tornBatches(),
        crashes.wrong(),
        recovery,
        Math.round(elapsedNanos / 1e8) / 10.0,
        keptDirectory,
        Machine.of(directory));
  }

  /** The first pass keeps the order of the source; later ones shuffle it. */
  private void put(DemoDatabase database, String what, int ingest) throws IOException {
    long startNanos = System.nanoTime();
    WriteBatch batch = new WriteBatch();
    try (Progress progress = Progress.start(what, spool.count())) {
      for (int place = 0; place < spool.count(); place++) {
        DemoRecord record = spool.read(ingest == 0 ? place : spool.shuffled(place));
        database.put(batch, record, ingest);
        expected.put(record, ingest);
        if ((place + 1) % BATCH_RECORDS == 0 || place + 1 == spool.count()) {
          database.engine().write(batch);
          progress.step((batch.size() + 1) / 2);
          batch.clear();
        }
      }
    }
    writeSeconds += (System.nanoTime() - startNanos) / 1e9;
  }

  private void delete(DemoDatabase database, List<String> keys) {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < keys.size(); i += DELETE_EVERY) {
      String key = keys.get(i);
      Expected.Entry entry = expected.get(key);
      if (entry == null) {
        throw new AssertionError(key + " was ingested and is not in the model");
      }
      batch.clear();
      database.delete(batch, key, entry.group());
      database.engine().write(batch);
      expected.delete(key);
      deletes++;
    }
  }

  private static void read(ReadCheck check) {
    int slices = 100;
    try (Progress progress = Progress.start("read", slices)) {
      for (int slice = 0; slice < slices; slice++) {
        check.points(POINT_READS / slices);
        check.prefixes(PREFIX_SCANS / slices);
        check.ranges(RANGE_SCANS / slices);
        progress.step(1);
      }
      check.everything();
    }
  }
}
