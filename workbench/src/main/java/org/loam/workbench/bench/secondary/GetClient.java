package org.loam.workbench.bench.secondary;

import java.util.SplittableRandom;
import org.loam.engine.Dataset;
import org.loam.workbench.bench.Client;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/** Reads records one by one, by their keys. */
final class GetClient implements Client {
  private final Dataset dataset;
  private final Values values;
  private final long records;
  private final int perStep;
  private final SplittableRandom random;
  private final byte[] key = Keys.newBuffer();
  private final byte[] value;

  /**
   * @param records there are, all equally likely
   * @param perStep records that one step reads
   */
  GetClient(Dataset dataset, Values values, long records, int perStep, SplittableRandom random) {
    this.dataset = dataset;
    this.values = values;
    this.records = records;
    this.perStep = perStep;
    this.random = random;
    this.value = new byte[values.lengthBytes()];
  }

  @Override
  public void step() {
    for (int i = 0; i < perStep; i++) {
      long index = random.nextLong(records);
      long identity = Keys.identity(index);
      Keys.write(identity, key);
      int length = dataset.get(key, value);
      if (!values.isRight(identity, value, length)) {
        throw new WrongAnswerException(
            "record " + index + " has " + length + " bytes that were never written");
      }
    }
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
