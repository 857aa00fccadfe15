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
}
