package org.loam.workbench.asterixdb.differential;

/** What the generator makes. Of so many statements each has so many in a hundred. */
enum StatementKind {
  // Datasets and indexes.
  CREATE_DATASET(3),
  DROP_DATASET(1),
  CREATE_BTREE(2),
  CREATE_COMPOSITE(2),
  CREATE_OPEN(1),
  CREATE_ENFORCED(1),
  CREATE_ARRAY(2),
  CREATE_RTREE(2),
  CREATE_KEYWORD(1),
  CREATE_NGRAM(1),
  CREATE_FULLTEXT(1),
  CREATE_PRIMARY(1),
  DROP_INDEX(3),
  REFUSED(2),

  // Changes of records.
  INSERT(9),
  INSERT_DUPLICATE(3),
  INSERT_INVALID(2),
  INSERT_RETURNING(1),
  INSERT_LARGE(1),
  UPSERT(11),
  UPSERT_QUERY(2),
  DELETE_KEYS(4),
  DELETE_RANGE(3),
  LOAD(2),
  LOAD_REFUSED(1),

  // Where the bytes are.
  COMPACT(2),
  FLUSH(3),

  // Queries.
  SCAN(2),
  POINT(3),
  RANGE(6),
  PREFIX(3),
  UNKNOWN(1),
  ORDER_LIMIT(4),
  INDEX_ONLY(3),
  COUNT(2),
  AGGREGATE(2),
  GROUP(2),
  JOIN(2),
  JOIN_HINT(3),
  LEFT_JOIN(1),
  LIKE(2),
  SPATIAL(3),
  SIMILARITY(2),
  TEXT(2),
  ARRAY(3),

  // Not drawn: a run asks for a number of these.
  RESTART(0),
  KILL(0),

  /** Forgets all that was there. */
  RESET(0);

  private final int weight;

  StatementKind(int weight) {
    this.weight = weight;
  }

  int weight() {
    return weight;
  }

  /** Whether it leaves everything as it is. */
  boolean isQuery() {
    return compareTo(SCAN) >= 0 && compareTo(ARRAY) <= 0;
  }

  /** Whether nodes end. */
  boolean isDisruption() {
    return this == RESTART || this == KILL;
  }
}
