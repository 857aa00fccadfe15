package org.loam.asterix.index;

import java.util.Arrays;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.common.MultiComparator;
import org.jspecify.annotations.Nullable;
import org.loam.asterix.key.AdmBounds;
import org.loam.asterix.key.AdmKeyEncoder;
import org.loam.asterix.key.AdmKeyFields;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.host.HostScan;

/**
 * Makes keys and values of tuples, and the range of a scan of what is searched for. For one thread.
 */
final class TupleKeys {
  private final int keyFields;
  private final KeyBuilder builder = new KeyBuilder();
  private final AdmKeyEncoder encoder = new AdmKeyEncoder(builder);
  private final AdmKeyFields fields;

  /**
   * @param keyTypes the tags of the types of the fields that are the index's key
   */
  TupleKeys(byte[] keyTypes) {
    keyFields = keyTypes.length;
    fields = new AdmKeyFields(keyTypes);
  }

  /** The key of a tuple. */
  byte[] key(ITupleReference tuple) {
    builder.clear();
    for (int i = 0; i < keyFields; i++) {
      encoder.add(tuple.getFieldData(i), tuple.getFieldStart(i), tuple.getFieldLength(i));
    }
    return builder.toBytes();
  }

  /** The value of an entry for a tuple, without what the key gives back. */
  byte[] value(byte[] key, ITupleReference tuple) {
    fields.read(key, 0, key.length);
    return LoamTuple.value(tuple, fields);
  }

  /** The key, or its beginning, that a search names. */
  byte[] searched(ITupleReference tuple, int fields) {
    builder.clear();
    for (int i = 0; i < fields; i++) {
      encoder.addSearched(tuple.getFieldData(i), tuple.getFieldStart(i), tuple.getFieldLength(i));
    }
    return builder.toBytes();
  }

  /** The range that a search asks for. */
  HostScan range(RangePredicate predicate) {
    HostScan range = HostScan.all();
    ITupleReference low = predicate.getLowKey();
    if (low != null) {
      byte[] key = searched(low, fields(low, predicate.getLowKeyComparator()));
      range = range.from(AdmBounds.from(key, predicate.isLowKeyInclusive()));
    }
    ITupleReference high = predicate.getHighKey();
    if (high != null) {
      byte[] key = searched(high, fields(high, predicate.getHighKeyComparator()));
      byte[] to = AdmBounds.to(key, predicate.isHighKeyInclusive());
      range = to == null ? range : range.to(to);
    }
    return range;
  }

  /** As many fields as are compared; a tuple may have more. */
  private int fields(ITupleReference tuple, @Nullable MultiComparator compared) {
    return Math.min(
        tuple.getFieldCount(),
        compared == null ? keyFields : Math.min(keyFields, compared.getKeyFieldCount()));
  }

  /** The one key that a search asks for, or null if it asks for a range. */
  byte @Nullable [] point(RangePredicate predicate) {
    ITupleReference low = predicate.getLowKey();
    ITupleReference high = predicate.getHighKey();
    if (low == null
        || high == null
        || !predicate.isLowKeyInclusive()
        || !predicate.isHighKeyInclusive()
        || fields(low, predicate.getLowKeyComparator()) < keyFields
        || fields(high, predicate.getHighKeyComparator()) < keyFields) {
      return null;
    }
    byte[] key = searched(low, keyFields);
    return low == high || Arrays.equals(key, searched(high, keyFields)) ? key : null;
  }
}
