package org.loam.it.planted;

import java.util.List;
import org.loam.it.planted.PlantedBug.Suite;

/** The bugs of datasets: records and indexes that part, in writes, in definitions, in reads. */
final class DatasetBugs {
  private static final String ENGINE = "org.loam.engine.";

  private DatasetBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        of(
            "an update leaves the old record's index entries",
            "org.loam.lsm.dataset.IndexEntries",
            "changes.remove(entry(old.get(i), before));",
            "if (after == null) { changes.remove(entry(old.get(i), before)); }"),
        of(
                "a writer looks at the old record before it has the key's lock",
                ENGINE + "dataset.DatasetWriter",
                "try { lock(locks, terms, deadline); PreparedBatch batch = newBatch(dataset);"
                    + " change(dataset, key, record, batch);",
                "try { PreparedBatch batch = newBatch(dataset);"
                    + " change(dataset, key, record, batch); lock(locks, terms, deadline);")
            .from(33),
        of(
                "a writer that waited for a lock while an index was begun goes on",
                ENGINE + "dataset.DatasetWriter",
                "if (!isAnyShut(locks)) { return; }",
                "if (true) { return; }")
            .from(252),
        of(
                "an index is begun before later writers are shut out",
                ENGINE + "dataset.DatasetState",
                "gate.set(cause); locks.awaitHolders();",
                "locks.awaitHolders(); gate.set(cause);")
            .from(9),
        of(
                "a record is written in a frame before the one with its index entries",
                ENGINE + "dataset.DatasetWriter",
                "change(dataset, key, record, batch);"
                    + " end = committer.applyAdmitted(batch, terms, deadline);",
                "change(dataset, key, record, batch); PreparedBatch alone = new PreparedBatch(1);"
                    + " if (record == null) { alone.delete(dataset.records(), key); }"
                    + " else { alone.put(dataset.records(), key, record); }"
                    + " committer.applyAdmitted(alone, terms, deadline);"
                    + " end = committer.applyAdmitted(batch, terms, deadline);")
            .rare(),
        of(
                "an index counts as built before its entries are durable",
                ENGINE + "dataset.DatasetIndexes",
                "build(state, index, progress); schema.awaitEarlierWrites();",
                "build(state, index, progress);")
            .from(43),
        of(
                "an index is made of the records that readers see only",
                ENGINE + "dataset.DatasetIndexes",
                "writes.latch().awaitPublished(); build(state, index, progress);",
                "build(state, index, progress);")
            .caughtBy(Suite.DATASET)
            .from(19),
        of(
                "an index that was not built to the end is kept",
                ENGINE + "dataset.DatasetCatalog",
                "if (role.building()) {",
                "if (role.building() && role.index() == null) {")
            .from(25),
        of(
            "the drop of a dataset leaves an index",
            ENGINE + "dataset.DatasetCatalog",
            "state.allTrees(),",
            "state.trees().subList(0, Math.max(1, state.trees().size() - 1)),"),
        of(
                "the trees of a dataset are dropped one by one",
                ENGINE + "tree.Schema",
                "installer.drop(dropped);",
                "dropped.forEach(tree -> installer.drop(List.of(tree)));")
            .rare(),
        of(
            "a query reads records as of a later moment than the index",
            ENGINE + "RecordCursor",
            "reads.readFitting(dataset.records(), keys, count, entries.readLsn());",
            "reads.readFitting(dataset.records(), keys, count,"
                + " org.loam.lsm.PointRead.LATEST_PUBLISHED);"),
        of(
                "a thread that reads for another forgets that it failed",
                ENGINE + "read.ReadHelpers",
                "failure = failure == null ? thrown : failure;",
                "")
            .rare());
  }

  private static PlantedBug of(String name, String type, String right, String wrong) {
    return PlantedBug.of(name, type, right, wrong).caughtBy(Suite.DATASETS);
  }
}
