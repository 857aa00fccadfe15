package org.loam.asterix.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.asterix.common.transactions.ILogRecord;
import org.apache.asterix.transaction.management.opcallbacks.AbstractIndexModificationOperationCallback;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.api.IExtendedModificationOperationCallback;

/**
 * Has the entries of an index of keys ({@code CREATE PRIMARY INDEX}) logged as what they are.
 * AsterixDB's insert hands the index the callback of the primary index, whose log records name
 * that: they would be undone and redone there, and redone only if the primary index had not been
 * flushed since, whether this index had been or not. So the record that the callback fills for each
 * write names this index as long as the write is one of its own.
 */
final class KeyIndexLog {
  /** Apart, so that {@link #requireHost} can say what is missing before this class needs it. */
  private static final class Field {
    static final VarHandle RECORD = record();
  }

  private final ResourceId resource;

  /** The id; 0, which no index has, until it was looked up. */
  private volatile long id;

  KeyIndexLog(ResourceId resource) {
    this.resource = resource;
  }

  /**
   * The field that a callback keeps its log record in.
   *
   * @throws IllegalArgumentException if there is none
   */
  static VarHandle record(Class<?> callback, String field) {
    try {
      return MethodHandles.privateLookupIn(callback, MethodHandles.lookup())
          .findVarHandle(callback, field, ILogRecord.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "AsterixDB's class "
              + callback.getName()
              + " has no field "
              + field
              + " that Loam can read ("
              + e
              + "), which the log records of CREATE PRIMARY INDEX need",
          e);
    }
  }

  /**
   * Looks for the field.
   *
   * @throws IllegalArgumentException if it is not there
   */
  static void requireHost() {
    record();
  }

  private static VarHandle record() {
    return record(AbstractIndexModificationOperationCallback.class, "indexRecord");
  }

  /** Logs a write of the index; see {@link IExtendedModificationOperationCallback#found}. */
  @SuppressWarnings("NullAway") // To undo a write, no old value is needed.
  void found(IExtendedModificationOperationCallback callback, ITupleReference tuple)
      throws HyracksDataException {
    if (!(callback instanceof AbstractIndexModificationOperationCallback)) {
      callback.found(null, tuple);
      return;
    }
    ILogRecord record = (ILogRecord) Field.RECORD.get(callback);
    long named = record.getResourceId();
    record.setResourceId(id());
    try {
      callback.found(null, tuple);
    } finally {
      record.setResourceId(named);
    }
  }

  private long id() throws HyracksDataException {
    if (id == 0) {
      id = resource.get();
    }
    return id;
  }
}
