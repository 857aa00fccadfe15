package org.loam.lsm.dataset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.loam.common.error.CorruptionException;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;
import org.loam.common.key.KeyReader;

/**
 * Takes the keys that an {@link IndexExtractor} finds in one record. One thread.
 *
 * <pre>{@code
 * keys.next().add(order.country()).direction(DESCENDING).add(order.date());
 * }</pre>
 */
public final class IndexKeys {
  private final IndexDefinition definition;
  private final KeyBuilder builder = new KeyBuilder();
  private final List<byte[]> found = new ArrayList<>();
  private boolean open;

  IndexKeys(IndexDefinition definition) {
    this.definition = definition;
  }

  /** Begins a key; its parts, as many as the index has, go to what is returned. */
  public KeyBuilder next() {
    finish();
    open = true;
    return builder;
  }

  /** The keys of a record in order, each once. */
  static List<byte[]> of(IndexDefinition definition, RecordView record) {
    IndexKeys keys = new IndexKeys(definition);
    definition.extractor().extract(record, keys);
    keys.finish();
    return keys.sorted();
  }

  private void finish() {
    if (open) {
      byte[] key = builder.toBytes();
      requireShape(key);
      found.add(key);
      builder.clear();
      open = false;
    }
  }

  /** An entry is the key, then the record's key: a reader must see where the first one ends. */
  private void requireShape(byte[] key) {
    KeyReader reader = new KeyReader(key);
    try {
      for (Direction direction : definition.parts()) {
        reader.skip(direction);
      }
    } catch (CorruptionException e) {
      throw misshapen(String.valueOf(e.getMessage()));
    }
    if (reader.hasNext()) {
      throw misshapen("more after offset " + reader.position());
    }
  }

  private IllegalArgumentException misshapen(String what) {
    return new IllegalArgumentException(
        "the extractor of index '"
            + definition.name()
            + "' made a key that does not have the parts "
            + definition.parts()
            + ": "
            + what);
  }

  private List<byte[]> sorted() {
    if (found.size() < 2) {
      return found;
    }
    found.sort(Arrays::compareUnsigned);
    List<byte[]> distinct = new ArrayList<>(found.size());
    for (byte[] key : found) {
      if (distinct.isEmpty() || !Arrays.equals(distinct.get(distinct.size() - 1), key)) {
        distinct.add(key);
      }
    }
    return distinct;
  }
}
