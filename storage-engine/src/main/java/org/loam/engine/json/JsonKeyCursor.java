package org.loam.engine.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyReader;
import org.loam.engine.IndexCursor;

/**
 * Walks the keys that an index has, and those of their records, all of one moment; reads no record.
 * One thread at a time. Begins before the first entry; close it, or old versions are kept for it.
 */
public final class JsonKeyCursor implements AutoCloseable {
  private final IndexCursor entries;
  private final JsonIndex index;
  private final List<JsonPath> keyPaths;

  JsonKeyCursor(IndexCursor entries, JsonIndex index, List<JsonPath> keyPaths) {
    this.entries = entries;
    this.index = index;
    this.keyPaths = keyPaths;
  }

  /**
   * Moves to the next entry.
   *
   * @return false past the end
   * @throws ClosedException if cursor, index, dataset or engine was closed
   * @throws CorruptionException if anything that is read is damaged
   */
  public boolean next() {
    return entries.next();
  }

  /** The record's key as bytes; the caller's own. */
  public byte[] key() {
    return entries.key();
  }

  /**
   * The values of both keys, each under its path as written, such as {@code "lines[].article"}; of
   * a path with {@code []} the one element that the entry is of. A value that the record does not
   * have is left out. A number is one of the same value, which the record may spell otherwise: 1
   * and 1.0 are one key.
   */
  public ObjectNode values() {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    addTo(values, index.paths(), index.parts(), entries.indexKey());
    addTo(values, keyPaths, Collections.nCopies(keyPaths.size(), Direction.ASCENDING), key());
    return values;
  }

  private static void addTo(
      ObjectNode values, List<JsonPath> paths, List<Direction> parts, byte[] key) {
    KeyReader reader = new KeyReader(key);
    for (int i = 0; i < paths.size(); i++) {
      JsonFormat.addTo(values, paths.get(i).toString(), reader.next(parts.get(i)));
    }
  }

  /** Ends the query. Closing twice is harmless. */
  @Override
  public void close() {
    entries.close();
  }
}
