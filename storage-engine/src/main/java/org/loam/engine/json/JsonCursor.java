package org.loam.engine.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.engine.Cursor;
import org.loam.engine.RecordCursor;

/**
 * Walks the records of a dataset, all of one moment: those of a range of keys, or those that an
 * index finds. One thread at a time. Begins before the first record; close it, or old versions are
 * kept for it.
 */
public final class JsonCursor implements AutoCloseable {
  private final BooleanSupplier next;
  private final Supplier<byte[]> key;
  private final Supplier<byte[]> json;
  private final Runnable close;

  private JsonCursor(
      BooleanSupplier next, Supplier<byte[]> key, Supplier<byte[]> json, Runnable close) {
    this.next = next;
    this.key = key;
    this.json = json;
    this.close = close;
  }

  static JsonCursor of(Cursor records) {
    return new JsonCursor(records::next, records::key, records::value, records::close);
  }

  static JsonCursor of(RecordCursor records) {
    return new JsonCursor(records::next, records::key, records::record, records::close);
  }

  /**
   * Moves to the next record.
   *
   * @return false past the end
   * @throws ClosedException if cursor, dataset or engine was closed
   * @throws CorruptionException if anything that is read is damaged
   */
  public boolean next() {
    return next.getAsBoolean();
  }

  /** The record's key; the caller's own. */
  public byte[] key() {
    return key.get();
  }

  /**
   * The record as it was written, in UTF-8; the caller's own.
   *
   * @throws CorruptionException if an index found it and it is not there, which means that index
   *     and records disagree
   */
  public byte[] json() {
    return json.get();
  }

  /** The record, the caller's own; a number with a fraction is a double. */
  public ObjectNode record() {
    return JsonFormat.parse(json());
  }

  /** Ends the walk. Closing twice is harmless. */
  @Override
  public void close() {
    close.run();
  }
}
