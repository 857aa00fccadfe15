package org.loam.workbench.asterixdb.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.loam.workbench.console.CommandException;

/** One of the two clusters of a move. Names of datasets are as SQL++ has them. */
interface MoveCluster {
  /** What no other cluster says of itself; empty if this one does not say it. */
  Optional<String> identity() throws InterruptedException;

  /** How many records a dataset has; empty if there is no such dataset. */
  OptionalLong count(String dataset) throws InterruptedException;

  /**
   * All records of a dataset, in the order of their partitions and keys.
   *
   * @param records takes each in AsterixDB's format {@code adm}, which LOAD reads: it does not say
   *     which type a number has
   */
  void readPlain(String dataset, Consumer<String> records) throws InterruptedException;

  /**
   * The same records in the same order.
   *
   * @param without fields that are left out
   * @param records takes each in AsterixDB's format {@code lossless-adm}: it has no intervals, and
   *     multisets look as arrays do
   * @throws CommandException if one has a geometry, which it has not either
   */
  void readLossless(String dataset, Set<String> without, Consumer<JsonNode> records)
      throws InterruptedException;

  /**
   * Fills a dataset that is empty.
   *
   * @param node reads the file, which has such texts as {@code adm} has
   */
  void load(String dataset, String node, Path file) throws InterruptedException;

  /**
   * Adds a few records.
   *
   * @param records expressions of SQL++
   */
  void insert(String dataset, List<String> records) throws InterruptedException;

  void drop(String dataset) throws InterruptedException;
}
