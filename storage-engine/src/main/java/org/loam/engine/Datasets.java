package org.loam.engine;

import java.util.List;
import org.loam.common.error.Arguments;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.dataset.DatasetCatalog;
import org.loam.engine.open.OpenEngine;
import org.loam.lsm.dataset.IndexDefinition;

/** The datasets of an engine. Thread-safe. */
public final class Datasets {
  private final OpenEngine open;
  private final DatasetCatalog catalog;

  Datasets(OpenEngine open) {
    this.open = open;
    this.catalog = open.datasets();
  }

  /**
   * Creates a dataset; durable when it returns.
   *
   * @param name not empty; with the name of an index at most 254 bytes in UTF-8
   * @param rule how records and their keys are to be understood; compared at {@link #open}
   * @throws IllegalArgumentException if there is a dataset or a tree of that name
   */
  public Dataset create(String name, String rule, List<IndexDefinition> indexes) {
    Arguments.require(name, "dataset name");
    Arguments.require(rule, "rule");
    return new Dataset(open, catalog.create(name, rule, Arguments.requireAll(indexes, "indexes")));
  }

  /**
   * Opens a dataset. The program says anew how its indexes find their keys.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is;
   *     or if rule or indexes differ from those that the database knows, saying which
   */
  public Dataset open(String name, String rule, List<IndexDefinition> indexes) {
    Arguments.require(name, "dataset name");
    Arguments.require(rule, "rule");
    return new Dataset(open, catalog.open(name, rule, Arguments.requireAll(indexes, "indexes")));
  }

  /**
   * What the database knows of a dataset.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is
   */
  public DatasetDescription describe(String name) {
    return DatasetDescription.of(catalog.require(Arguments.require(name, "dataset name")));
  }

  /** Whether there is a dataset of that name. */
  public boolean has(String name) {
    open.requireOpen();
    return catalog.has(Arguments.require(name, "dataset name"));
  }

  /** All datasets, by name. */
  public List<DatasetDescription> list() {
    open.requireOpen();
    return catalog.states().stream().map(DatasetDescription::of).toList();
  }

  /**
   * Drops a dataset with its records and indexes; durable when it returns.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is
   */
  public void drop(String name) {
    catalog.drop(Arguments.require(name, "dataset name"));
  }

  // ---- Writing.

  /** Writes a batch with the default options. */
  public int write(DatasetBatch batch) {
    return write(batch, WriteOptions.DEFAULT);
  }

  /**
   * Writes a batch: all of it shows at once, in all its datasets and their indexes, and survives as
   * a whole or not at all. Faults are those of {@link Engine#write(WriteBatch, WriteOptions)}.
   *
   * @return how many index entries that added and removed
   */
  public int write(DatasetBatch batch, WriteOptions options) {
    open.requireOpen();
    Dataset any = Arguments.require(batch, "batch").anyDataset();
    if (any != null && any.open() != open) {
      throw new IllegalArgumentException(any + " in the batch is of another engine");
    }
    WriteTerms terms = Arguments.require(options, "options").terms();
    long begun = open.latencies().begin();
    int entries = open.datasetWriter().write(batch.changes(), terms);
    open.latencies().wrote(begun);
    return entries;
  }
}
