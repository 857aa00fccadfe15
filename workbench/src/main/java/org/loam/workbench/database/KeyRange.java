package org.loam.workbench.database;

import org.jspecify.annotations.Nullable;
import org.loam.engine.IndexQuery;
import org.loam.engine.ScanOptions;

/** A range of keys, of records or of an index. Immutable. */
final class KeyRange {
  static final KeyRange ALL = new KeyRange(null, null);

  private final byte @Nullable [] from;
  private final byte @Nullable [] to;

  /**
   * @param from its first possible key, or null
   * @param to the first key after it, or null
   */
  KeyRange(byte @Nullable [] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
  }

  /** The scan of the records in it. */
  ScanOptions scan(boolean reverse, long limit) {
    ScanOptions scan = ScanOptions.all();
    scan = from == null ? scan : scan.from(from);
    scan = to == null ? scan : scan.to(to);
    scan = reverse ? scan.reverse() : scan;
    return limit == Long.MAX_VALUE ? scan : scan.limit(limit);
  }

  /** The query of the index entries in it. */
  IndexQuery query(boolean reverse, long limit) {
    IndexQuery query = IndexQuery.all();
    query = from == null ? query : query.from(from);
    query = to == null ? query : query.before(to);
    query = reverse ? query.reverse() : query;
    return limit == Long.MAX_VALUE ? query : query.limit(limit);
  }
}
