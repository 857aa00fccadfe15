package org.loam.workbench.asterixdb.differential;

/**
 * Faults of AsterixDB 0.9.8 itself, met on stock storage. The generator avoids what leads to them,
 * since the answers after them say nothing about Loam.
 */
public enum KnownFault {
  /** Avoided: a dataset with inverted indexes has the policy no-merge. */
  INVERTED_INDEX_MERGE(
      "both",
      "a node halts at the merge of a KEYWORD, FULLTEXT or NGRAM index after records were changed"
          + " or deleted (Cannot call hasNext() on a cursor in the state CLOSED); if the halt comes"
          + " between the files of a component, the node does not start again (HYR0087)",
      "a dataset that may have such an index has the merge policy no-merge, and no COMPACT"),

  /** Avoided: such a join has a hint only where the type says that the key is there. */
  OUTER_JOIN_HINT_ON_UNKNOWN_KEY(
      "both",
      "LEFT OUTER JOIN with the hint indexnl fails or loses rows if the outer key is null or"
          + " missing",
      "such a join has the hint only if the field is neither open nor optional"),

  /** Avoided: a dataset with such an index is flushed before a node is killed. */
  PRIMARY_INDEX_REDO(
      "stock",
      "the index of CREATE PRIMARY INDEX lacks entries after a crash, since they are logged as"
          + " those of the primary index",
      "a dataset with such an index is flushed before a node is killed"),

  /** Avoided: a dataset with a composite key has no R-tree. */
  RTREE_BESIDE_COMPOSITE_KEY(
      "both",
      "UPSERT fails with ArrayIndexOutOfBoundsException if the dataset has an R-tree and a primary"
          + " key of several fields; a later flush of the R-tree halts the node"
          + " (NullPointerException in TreeTupleSorter)",
      "only a dataset whose primary key is one field has an R-tree"),

  /** Expected: {@link #isExpected}. */
  REFUSED_LOAD(
      "stock",
      "a LOAD into a dataset that is not empty may be refused with an internal error (Low watermark"
          + " should always be increasing) in the place of HYR0034",
      "both errors count as the same"),

  /** Avoided: what may have been kept is deleted. */
  PART_OF_A_FAILED_BATCH(
      "both",
      "a batch that fails may have been written in part; which part depends on timing",
      "the keys of a failed batch are deleted before the next statement"),

  /**
   * Avoided: there is one client. A DELETE reads under {@code
   * PrimaryIndexInstantSearchOperationCallback}, which keeps no lock, and does not read again when
   * {@code LSMInsertDeleteOperatorNodePushable} has locked the key.
   */
  DELETE_BESIDE_A_WRITER(
      "both",
      "a DELETE reads a record before it locks it; if another client writes the record in between,"
          + " an index keeps the entry of what that client wrote, and queries by the index may show"
          + " the next record of this key twice",
      "statements run one after the other"),

  /**
   * Avoided with the fault before. The old value in the log is the mark of the delete, which has
   * the key only, and {@code RecoveryManager.undoUpsertOrDelete} makes a record of it. {@code
   * Joblet.performCleanup} does not tell the controller that a job has ended if its rollback fails.
   */
  ROLLBACK_AFTER_A_DELETE(
      "stock",
      "an INSERT or UPSERT that meets such an entry is refused with HYR0033; if the key was deleted"
          + " in memory before, its rollback leaves a part of a record, which fails later"
          + " statements (NullPointerException), and a statement whose own rollback fails never"
          + " ends",
      "statements run one after the other");

  private final String storages;
  private final String fault;
  private final String avoidance;

  KnownFault(String storages, String fault, String avoidance) {
    this.storages = storages;
    this.fault = fault;
    this.avoidance = avoidance;
  }

  /** {@code both}, or {@code stock}. */
  public String storages() {
    return storages;
  }

  /** What AsterixDB does. */
  public String fault() {
    return fault;
  }

  /** How it stays away from answers. */
  public String avoidance() {
    return avoidance;
  }

  /** Whether it is no difference that a statement is refused with one error and with another. */
  static boolean isExpected(Statement statement, Outcome one, Outcome other) {
    return statement.kind() == StatementKind.LOAD_REFUSED
        && one.isRefused()
        && other.isRefused()
        && (isWatermark(one) || isWatermark(other));
  }

  private static boolean isWatermark(Outcome outcome) {
    return outcome.message().contains("Low watermark should always be increasing");
  }
}
