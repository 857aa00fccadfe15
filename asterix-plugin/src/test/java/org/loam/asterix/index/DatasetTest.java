package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a dataset's indexes; each has a dataset of its own, which is empty when it begins. */
abstract class DatasetTest {
  TestDataset dataset;

  @BeforeEach
  void openDataset() throws HyracksDataException {
    dataset = new TestDataset();
  }

  @AfterEach
  void closeDataset() {
    dataset.close();
  }

  /** A transaction that writes. */
  Transaction begin() {
    return new Transaction(dataset);
  }

  /** A search of the primary index. */
  Search search() {
    return new Search(dataset.primary());
  }

  /**
   * A search of the primary index that asks for key 2 just before another transaction writes it,
   * and waits until that one has rolled back.
   *
   * @param meanwhile happens as well when the search has asked
   */
  Search searchBeforeWrite(Search.Others meanwhile) {
    Transaction writer = begin();
    Search search = search();
    return search
        .during(
            "proceed 2",
            () -> {
              meanwhile.act();
              writer.upsert(2, "x");
              search.locked(2);
            })
        .during("reconcile 2", writer::rollBack);
  }
}
