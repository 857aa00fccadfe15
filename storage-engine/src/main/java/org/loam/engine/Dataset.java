package org.loam.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.NearestName;
import org.loam.common.error.Arguments;
import org.loam.engine.DatasetDescription.IndexDescription;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.dataset.DatasetState;
import org.loam.engine.dataset.DatasetWriter;
import org.loam.engine.open.OpenEngine;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Records under primary keys, and any number of secondary indexes, which are always right: a write
 * shows in all of them at once, or not at all. A handle, cheap and thread-safe. Arrays given in are
 * not kept once the call has returned; arrays returned belong to the caller.
 *
 * <p>A write reads the record that it replaces, if there are indexes, under a lock on its key; so
 * two writes to one record come one after the other. Faults are those of {@link
 * Engine#write(WriteBatch, WriteOptions)}.
 */
public final class Dataset {
  private final OpenEngine open;
  private final DatasetState state;
  private final Tree records;

  Dataset(OpenEngine open, DatasetState state) {
    this.open = open;
    this.state = state;
    this.records = new Tree(open, state.records());
  }

  DatasetState state() {
    return state;
  }

  OpenEngine open() {
    return open;
  }

  public String name() {
    return state.name();
  }

  /** What the database knows of it now. */
  public DatasetDescription description() {
    state.requireOpen();
    return DatasetDescription.of(state);
  }

  /**
   * What the database knows of an index.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is
   */
  public IndexDescription describeIndex(String name) {
    state.requireOpen();
    return IndexDescription.of(requireIndex(name).definition());
  }

  // ---- Writing.

  /** Writes a record, replacing one that is there. */
  public void upsert(byte[] key, byte[] record) {
    upsert(key, record, WriteOptions.DEFAULT);
  }

  /** Writes a record, replacing one that is there. */
  public void upsert(byte[] key, byte[] record, WriteOptions options) {
    requireKey(key);
    Arguments.require(record, "record");
    write(key, record, options);
  }

  private void write(byte[] key, byte @Nullable [] record, WriteOptions options) {
    WriteTerms terms = Arguments.require(options, "options").terms();
    long begun = open.latencies().begin();
    writer().write(state, key, record, terms);
    open.latencies().wrote(begun);
  }

  /** Writes a record unless there is one of that key; whether it did. */
  public boolean insert(byte[] key, byte[] record) {
    return insert(key, record, WriteOptions.DEFAULT);
  }

  /**
   * Writes a record unless there is one of that key.
   *
   * @return whether it was written; if not, the record that was seen instead is published
   */
  public boolean insert(byte[] key, byte[] record, WriteOptions options) {
    requireKey(key);
    Arguments.require(record, "record");
    WriteTerms terms = Arguments.require(options, "options").terms();
    long begun = open.latencies().begin();
    boolean written = writer().insert(state, key, record, terms);
    open.latencies().wrote(begun);
    return written;
  }

  /** Deletes a record; it need not exist. */
  public void delete(byte[] key) {
    delete(key, WriteOptions.DEFAULT);
  }

  /** Deletes a record; it need not exist. */
  public void delete(byte[] key, WriteOptions options) {
    requireKey(key);
    write(key, null, options);
  }

  private DatasetWriter writer() {
    return open.datasetWriter();
  }

  void requireKey(byte[] key) {
    records.requireKey(key);
  }

  // ---- Reading.

  /** The record of a key, or null. */
  public byte @Nullable [] get(byte[] key) {
    state.requireOpen();
    return records.get(key);
  }

  /**
   * Copies the record of a key, as far as it fits, without allocating.
   *
   * @return the length of the whole record, or {@link Tree#ABSENT}
   */
  public int get(byte[] key, byte[] target) {
    state.requireOpen();
    return records.get(key, target);
  }

  /**
   * The records of many keys, all of one moment, null where there is none. Much faster than one by
   * one where they have to be read from disk.
   */
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    state.requireOpen();
    return records.getAll(keys);
  }

  /** A cursor over a range of records as they are now. */
  public Cursor scan(ScanOptions options) {
    state.requireOpen();
    return records.scan(options);
  }

  /**
   * The records that an index finds now.
   *
   * @throws IllegalArgumentException if there is no such index, with the nearest name there is
   */
  public RecordCursor query(String index, IndexQuery query) {
    return new RecordCursor(state, queryKeys(index, query), open.reads().multiGet(), query.limit());
  }

  /**
   * The entries that an index finds now: its keys, and those of the records, which are not read.
   * They are those for which {@link #query} shows records.
   *
   * @throws IllegalArgumentException if there is no such index, with the nearest name there is
   */
  public IndexCursor queryKeys(String index, IndexQuery query) {
    state.requireOpen();
    Arguments.require(query, "query");
    DatasetState.Index one = requireIndex(index);
    return new IndexCursor(one, new Tree(open, one.tree()).scan(query.scan()));
  }

  private DatasetState.Index requireIndex(String index) {
    DatasetState.Index one = state.find(Arguments.require(index, "index"));
    if (one == null) {
      List<String> names = state.indexes().stream().map(i -> i.definition().name()).toList();
      throw new IllegalArgumentException(
          "dataset '"
              + state.name()
              + "' has no index '"
              + index
              + "'"
              + NearestName.question(index, names, "; create it first"));
    }
    return one;
  }

  // ---- Indexes.

  /**
   * Makes an index of the records there are; durable when it returns. Writers wait meanwhile, as
   * long as their {@link WriteOptions} allow; readers go on. If it fails, or the process ends,
   * there is no such index.
   *
   * @throws IllegalArgumentException if there is an index of that name
   */
  public void createIndex(IndexDefinition definition) {
    createIndex(definition, IndexProgress.NONE);
  }

  /** Makes an index as {@link #createIndex(IndexDefinition)} does, and tells how far that is. */
  public void createIndex(IndexDefinition definition, IndexProgress progress) {
    Arguments.require(definition, "definition");
    Arguments.require(progress, "progress");
    open.datasetIndexes().create(state, definition, progress::at);
  }

  /**
   * Refuses the name of an index that is there, as {@link #createIndex} does; if several are to be
   * made.
   *
   * @throws IllegalArgumentException if there is an index of that name
   */
  public void requireNoIndex(String name) {
    state.requireOpen();
    state.requireNoIndex(Arguments.require(name, "name"));
  }

  /** Drops an index; durable when it returns. */
  public void dropIndex(String name) {
    requireIndex(name);
    open.datasetIndexes().drop(state, name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Dataset dataset && dataset.state == state;
  }

  @Override
  public int hashCode() {
    return state.hashCode();
  }

  @Override
  public String toString() {
    return "dataset '" + state.name() + "'";
  }
}
