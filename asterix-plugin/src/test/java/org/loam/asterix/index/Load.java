package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.asterix.common.ioopcallbacks.LSMIOOperationCallback;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentId;
import org.apache.hyracks.storage.common.IIndexBulkLoader;

/** A load of an index, as AsterixDB's operators make it, of tuples that a test names. */
final class Load {
  /** How many records {@link #addRecords} adds; their keys begin at 0. */
  static final int RECORDS = 1000;

  private static final String VALUE = "v".repeat(100);

  final IIndexBulkLoader loader;

  /** How entries get into the tree of an index. */
  enum Way {
    /** Past write memory. */
    SORTED,

    /** Through write memory. */
    MEMORY;

    /** Begins a load of the primary index, which goes this way. */
    Load begin(TestDataset dataset) throws HyracksDataException {
      return begin(dataset, true);
    }

    /**
     * Begins a load of the primary index, which goes this way.
     *
     * @param verifies whether a key that comes twice is a failure
     */
    Load begin(TestDataset dataset, boolean verifies) throws HyracksDataException {
      if (this == SORTED) {
        return new Load(dataset.primary(), verifies, true);
      }
      // It has the buffers that let a load go past write memory.
      Load other = new Load(dataset.secondary("meanwhile", 1));
      Load load = new Load(dataset.primary(), verifies, true);
      other.abort();
      return load;
    }

    /** How many loads go past write memory if one goes this way. */
    int sortedCount() {
      return this == SORTED ? 1 : 0;
    }
  }

  /** A load of an index that has to be empty; no key may come twice. */
  Load(LoamIndex index) throws HyracksDataException {
    this(index, true, true);
  }

  /**
   * @param verifies whether a key that comes twice is a failure
   * @param requiresEmpty whether the index has to be empty
   */
  Load(LoamIndex index, boolean verifies, boolean requiresEmpty) throws HyracksDataException {
    this(index, verifies, requiresEmpty, LSMComponentId.DEFAULT_COMPONENT_ID);
  }

  private Load(LoamIndex index, boolean verifies, boolean requiresEmpty, LSMComponentId id)
      throws HyracksDataException {
    Map<String, Object> parameters = Map.of(LSMIOOperationCallback.KEY_FLUSHED_COMPONENT_ID, id);
    loader = index.createBulkLoader(1, verifies, RECORDS, requiresEmpty, parameters);
  }

  /** A load that is part of LOAD, of an index beside the primary one. */
  static Load ofLoad(LoamIndex index) throws HyracksDataException {
    return new Load(index, false, false);
  }

  /** A load that is CREATE INDEX. */
  static Load ofCreateIndex(LoamIndex index) throws HyracksDataException {
    return new Load(index, false, false, LSMComponentId.EMPTY_INDEX_LAST_COMPONENT_ID);
  }

  /** How many loads of a dataset's node went past write memory. */
  static long sorted(TestDataset dataset) {
    return dataset.host.statistics().work().loads();
  }

  Load add(Object... fields) throws HyracksDataException {
    loader.add(AdmTuple.of(fields));
    return this;
  }

  Load addRecords() throws HyracksDataException {
    for (int key = 0; key < RECORDS; key++) {
      add(key, VALUE);
    }
    return this;
  }

  /** A dataset has the records, whether they are scanned or looked up, and nothing else. */
  static void requireRecords(TestDataset dataset) throws HyracksDataException {
    List<String> records = IntStream.range(0, RECORDS).mapToObj(key -> key + " " + VALUE).toList();
    assertThat(dataset.rows()).isEqualTo(records);
    Search search = new Search(dataset.primary());
    for (int key = 0; key < RECORDS; key++) {
      assertThat(search.key(key)).containsExactly(records.get(key));
    }
    assertThat(search.key(RECORDS)).isEmpty();
  }

  void end() throws HyracksDataException {
    loader.end();
  }

  void abort() throws HyracksDataException {
    loader.abort();
  }
}
