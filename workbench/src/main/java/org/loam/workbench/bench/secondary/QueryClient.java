package org.loam.workbench.bench.secondary;

import java.util.SplittableRandom;
import org.loam.engine.Dataset;
import org.loam.engine.IndexQuery;
import org.loam.engine.RecordCursor;
import org.loam.workbench.bench.Client;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.peer.Attributes;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/** Queries an index for a number of records from anywhere on. */
final class QueryClient implements Client {
  private final Dataset dataset;
  private final Values values;
  private final int index;
  private final int limit;
  private final SplittableRandom random;

  QueryClient(Dataset dataset, Values values, int index, int limit, SplittableRandom random) {
    this.dataset = dataset;
    this.values = values;
    this.index = index;
    this.limit = limit;
    this.random = random;
  }

  @Override
  public void step() {
    // From the lower half on there are always enough.
    long least = Long.MIN_VALUE + (random.nextLong() >>> 1);
    IndexQuery query = IndexQuery.all().from(Attributes.indexKey(least)).limit(limit);
    int count = 0;
    try (RecordCursor cursor = dataset.query(Attributes.indexName(index), query)) {
      while (cursor.next()) {
        least = check(cursor.key(), cursor.record(), least);
        count++;
      }
    }
    if (count != limit) {
      throw new WrongAnswerException("a query of " + limit + " records showed " + count);
    }
  }

  /** Returns the record's attribute. */
  private long check(byte[] key, byte[] record, long least) {
    if (!values.isRight(Keys.read(key, key.length), record, record.length)) {
      throw new WrongAnswerException("a query showed a record that was never written");
    }
    long attribute = Attributes.of(index, record);
    if (attribute < least) {
      throw new WrongAnswerException(
          "a query from " + least + " on showed attribute " + attribute + " behind it");
    }
    return attribute;
  }

  @Override
  public long writes() {
    return 0;
  }

  @Override
  public void close() {
    // Nothing is held between steps.
  }
}
