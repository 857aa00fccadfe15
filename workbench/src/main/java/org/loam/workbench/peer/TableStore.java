package org.loam.workbench.peer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableIndex;

/**
 * Tables with secondary indexes under test, open in one directory. Thread-safe; each thread works
 * through a {@link Session} of its own. Every failure is an unchecked exception and ends the
 * benchmark.
 *
 * <p>A batch is all or nothing, for readers and after a crash. Nothing else is isolated: what a
 * client reads before it writes may change in between, unless clients have locks of their own.
 */
public interface TableStore extends Measured, AutoCloseable {
  /** Opens the view of one thread. */
  Session session();

  /**
   * Checks that each index has the entries of its table and no others.
   *
   * @throws IllegalStateException with what is wrong
   */
  void verify();

  @Override
  void close();

  /** The operations of one thread. Arrays that it returns belong to the caller. */
  interface Session extends AutoCloseable {
    /** The record of a key, or null. */
    byte @Nullable [] get(Table table, byte[] key);

    /** The records of several keys, null where there is none. */
    List<byte @Nullable []> getAll(Table table, List<byte[]> keys);

    /**
     * Shows records in ascending order of their keys.
     *
     * @param from first key
     * @param to the key before which it ends; null for the end of the table
     * @param limit most records
     */
    void scan(Table table, byte[] from, byte @Nullable [] to, int limit, Sink sink);

    /**
     * Shows the records that an index has under keys that begin with something, in the order of the
     * index, and where that is the same, of their keys.
     *
     * @param beginning whole parts of a key
     * @param backwards whether it shows the last ones first
     * @param limit most records
     */
    void query(TableIndex index, byte[] beginning, boolean backwards, int limit, Sink sink);

    /** Writes a batch, records and index entries; it is durable as the store was asked to be. */
    void write(TableBatch batch);

    @Override
    void close();
  }

  /** Takes records; the arrays belong to the sink. */
  interface Sink {
    void record(byte[] key, byte[] record);
  }
}
