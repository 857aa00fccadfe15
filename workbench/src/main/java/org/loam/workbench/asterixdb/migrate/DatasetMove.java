package org.loam.workbench.asterixdb.migrate;

import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.asterixdb.migrate.Moved.Way;
import org.loam.workbench.console.CommandException;

/**
 * Moves datasets, one at a time. Each is there and empty in the new cluster, and is not written to
 * in the old one meanwhile. A move that was broken off goes on where it was: what is in the new
 * cluster may be the only copy, so that nothing is ever deleted there.
 *
 * @param files where the texts of a dataset are as long as it moves
 * @param node of the new cluster, which sees this directory
 * @param drops whether the old dataset is dropped when both were found the same
 */
record DatasetMove(MoveCluster from, MoveCluster to, Path files, String node, boolean drops) {
  /**
   * Copies a dataset and compares all records of both.
   *
   * @throws CommandException if both have records and differ, if both have records and the LOAD of
   *     the new one failed, if one has what cannot be moved, if the old one changes meanwhile, or
   *     if the file is there or cannot be written
   */
  Moved move(String dataset) throws InterruptedException {
    OptionalLong present = to.count(dataset);
    if (present.isEmpty()) {
      throw CommandException.failed(
          dataset + " is not in the new cluster: create it there, with its type and indexes");
    }
    if (from.count(dataset).isEmpty()) {
      return movedBefore(dataset, present.getAsLong());
    }
    return present.getAsLong() == 0 ? copy(dataset) : compare(dataset);
  }

  private static Moved movedBefore(String dataset, long present) {
    if (present == 0) {
      throw CommandException.failed(
          dataset + " is not in the old cluster, and has no records in the new one");
    }
    return new Moved(dataset, Way.MOVED_BEFORE, present, 0, false);
  }

  private Moved copy(String dataset) throws InterruptedException {
    try (MoveFiles texts = MoveFiles.create(files, dataset)) {
      Contents gone = texts.write(from, dataset);
      texts.fill(to, dataset, node);
      Contents come = contents(to, dataset);
      requireUnchanged(dataset, gone);
      if (!come.isSameAs(gone)) {
        throw CommandException.failed(
            dataset
                + " differs: "
                + gone.records()
                + " records went, and "
                + come.records()
                + " came; some of them may be others. The old cluster is as it was");
      }
      return moved(dataset, Way.COPIED, gone);
    }
  }

  /** For a dataset that both clusters have: an earlier run was ended before it dropped the old. */
  private Moved compare(String dataset) throws InterruptedException {
    new UnfinishedLoad(files, dataset).requireNone();
    Contents come = contents(to, dataset);
    Contents left = contents(from, dataset);
    if (!come.isSameAs(left)) {
      throw CommandException.failed(
          String.format(
              Locale.ROOT,
              "%s has %d records in the new cluster and %d in the old one, and they are not the"
                  + " same; only an empty one is filled. Nothing was changed. Find out which"
                  + " records you need before you drop either: if a move was ended while it loaded,"
                  + " the old cluster has all of them",
              dataset,
              come.records(),
              left.records()));
    }
    return moved(dataset, Way.WAS_THERE, left);
  }

  private static Contents contents(MoveCluster cluster, String dataset)
      throws InterruptedException {
    Contents contents = new Contents();
    cluster.readPlain(dataset, contents::addPlain);
    cluster.readLossless(
        dataset, contents.intervals(), record -> contents.addLossless(record.toString()));
    return contents;
  }

  /**
   * Looks whether something wrote to the old dataset after it was read. Before a drop all records
   * are read once more, since an UPSERT leaves their number as it is.
   */
  private void requireUnchanged(String dataset, Contents gone) throws InterruptedException {
    boolean unchanged =
        drops
            ? contents(from, dataset).isSameAs(gone)
            : from.count(dataset).equals(OptionalLong.of(gone.records()));
    if (!unchanged) {
      throw CommandException.failed(
          dataset
              + " of the old cluster was written to after its "
              + gone.records()
              + " records were read: end what writes to it; then drop and create it in the new"
              + " cluster, and move it again. The old cluster has all of its records");
    }
  }

  private Moved moved(String dataset, Way way, Contents contents) throws InterruptedException {
    if (drops) {
      try {
        from.drop(dataset);
      } catch (StatementException e) {
        throw CommandException.failed(
            dataset
                + " has all of its records in the new cluster, and may be in the old one still,"
                + " which did not drop it: "
                + e.getMessage());
      }
    }
    return new Moved(dataset, way, contents.records(), contents.bytes(), drops);
  }
}
