package org.loam.workbench.bench.secondary;

import java.util.SplittableRandom;
import org.loam.engine.Dataset;
import org.loam.workbench.bench.Client;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/** Writes records: each of a share once, or any of the first ones over and over. */
final class WriteClient implements Client {
  /** Chooses the next record. */
  interface Choice {
    /**
     * The index of a record.
     *
     * @param writes records written so far
     */
    long next(long writes, SplittableRandom random);
  }

  private final Dataset dataset;
  private final Values values;
  private final Choice choice;
  private final SplittableRandom random;
  private final byte[] key = Keys.newBuffer();
  private final byte[] value;
  private boolean keeps;
  private long writes;

  WriteClient(Dataset dataset, Values values, Choice choice, SplittableRandom random) {
    this.dataset = dataset;
    this.values = values;
    this.choice = choice;
    this.random = random;
    this.value = new byte[values.lengthBytes()];
  }

  /** Writes of each record one version only: from the second time on no index entry moves. */
  WriteClient keeping() {
    keeps = true;
    return this;
  }

  @Override
  public void step() {
    long identity = Keys.identity(choice.next(writes, random));
    Keys.write(identity, key);
    values.write(identity, keeps ? 1 : random.nextLong(), value);
    dataset.upsert(key, value);
    writes++;
  }

  @Override
  public long writes() {
    return writes;
  }

  @Override
  public void close() {
    // Nothing is held between steps.
  }
}
