package org.loam.workbench.bench.secondary;

/**
 * What is measured.
 *
 * @param name in reports
 * @param records that one operation writes or reads
 * @param kind what an operation is
 */
record Work(String name, int records, Kind kind) {
  /** Kinds of operations. */
  enum Kind {
    LOAD,
    UPDATE_CACHED,
    REWRITE_CACHED,
    UPDATE,
    GET,
    QUERY
  }

  /** All records once, in random key order, into an empty dataset. */
  static final Work LOAD = new Work("load", 1, Kind.LOAD);

  /** Records of a part that stays in memory; each moves in every index. */
  static final Work UPDATE_CACHED = new Work("update-cached", 1, Kind.UPDATE_CACHED);

  /** Records of the same part, of which what indexes look at stays as it is. */
  static final Work REWRITE_CACHED = new Work("rewrite-cached", 1, Kind.REWRITE_CACHED);

  /** Any records. */
  static final Work UPDATE = new Work("update", 1, Kind.UPDATE);

  /** A thousand records by their keys, one by one: what a query is compared with. */
  static final Work GETS = new Work("gets-1000", 1000, Kind.GET);

  /** So many records, in the order of an index. */
  static Work query(int records) {
    return new Work("query-" + records, records, Kind.QUERY);
  }

  boolean writes() {
    return kind != Kind.GET && kind != Kind.QUERY;
  }
}
