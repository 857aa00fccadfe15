package org.loam.workbench.peer;

import java.util.List;
import java.util.stream.IntStream;
import org.loam.common.key.KeyBuilder;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/**
 * The secondary indexes of benchmarks. A record has an attribute for each index, a number that all
 * of it decides: to change a record is to move it in every index. Pure functions.
 */
public final class Attributes {
  private Attributes() {}

  /** The first indexes, as many as are asked for. */
  public static List<IndexDefinition> definitions(int indexes) {
    return IntStream.range(0, indexes).mapToObj(Attributes::definition).toList();
  }

  private static IndexDefinition definition(int index) {
    return IndexDefinition.of(
        indexName(index),
        "attribute " + index,
        (record, keys) -> keys.next().add(of(index, record.bytes())));
  }

  /** The name of an index, from 0 on. */
  public static String indexName(int index) {
    return "attribute-" + index;
  }

  /** The attribute of a record that an index keeps: any long, all equally likely. */
  public static long of(int index, byte[] record) {
    return Keys.identity(
        Values.identity(record) ^ Keys.identity(Values.version(record) + 31L * index));
  }

  /** The key of an attribute in its index. */
  public static byte[] indexKey(long attribute) {
    return new KeyBuilder().add(attribute).toBytes();
  }
}
