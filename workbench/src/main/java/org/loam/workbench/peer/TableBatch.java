package org.loam.workbench.peer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.workload.tpcc.Table;

/**
 * What a transaction writes, each key once. For one thread; arrays must not change before the batch
 * is written.
 */
public final class TableBatch {
  private final List<Change> changes = new ArrayList<>();

  /** What happens to a record. */
  public enum Kind {
    INSERT,
    UPDATE,
    DELETE
  }

  /**
   * One record.
   *
   * @param record null if it is deleted
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Change(Kind kind, Table table, byte[] key, byte @Nullable [] record) {}

  /** Adds a record; there is none of that key. */
  public void insert(Table table, byte[] key, byte[] record) {
    changes.add(new Change(Kind.INSERT, table, key, record));
  }

  /** Adds a record in place of the one that is there; what indexes have of it stays as it is. */
  public void update(Table table, byte[] key, byte[] record) {
    changes.add(new Change(Kind.UPDATE, table, key, record));
  }

  /** Adds the deletion of a record that is there, in a table without indexes. */
  public void delete(Table table, byte[] key) {
    changes.add(new Change(Kind.DELETE, table, key, null));
  }

  /** What was added, in order. */
  public List<Change> changes() {
    return changes;
  }
}
