package org.loam.workbench.asterixdb.migrate;

import java.nio.file.Path;
import java.util.function.Consumer;

/** One of the two clusters of a move. Names of datasets are as SQL++ has them. */
interface MoveCluster {
  /** How many records a dataset has. */
  long count(String dataset) throws InterruptedException;

  /**
   * All records of a dataset, in any order.
   *
   * @param records takes each as a text of AsterixDB's data model
   */
  void read(String dataset, Consumer<String> records) throws InterruptedException;

  /**
   * Fills a dataset that is empty.
   *
   * @param node reads the file, which has such texts
   */
  void load(String dataset, String node, Path file) throws InterruptedException;

  void drop(String dataset) throws InterruptedException;
}
