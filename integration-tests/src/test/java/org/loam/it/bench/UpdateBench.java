package org.loam.it.bench;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.engine.Dataset;
import org.loam.engine.Engine;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * An update of a record of 1 KB in a PROCESS database that moves it in every index, in random key
 * order; all records stay in memory.
 */
public class UpdateBench extends HotPath {
  private static final int RECORDS = 20_000;

  /** Indexes of the dataset. */
  @Param({"0", "2"})
  public int indexes;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Values values = new Values(1000);
  private final byte[] key = Keys.newBuffer();
  private final byte[] value = new byte[values.lengthBytes()];
  private final BenchDirectory directory = new BenchDirectory();
  private Engine engine;
  private Dataset dataset;

  /** Loads the records. */
  @Setup
  public void open() {
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(1 << 30)
            .durability(Durability.PROCESS)
            .tunerMode(TunerMode.FROZEN)
            .build();
    engine = Engine.open(directory.path(), config);
    List<IndexDefinition> definitions =
        IntStream.range(0, indexes).mapToObj(UpdateBench::definition).toList();
    dataset = engine.datasets().create("records", "values with a version", definitions);
    for (long index = 0; index < RECORDS; index++) {
      write(index);
    }
  }

  /** An index on a number that the version of a record decides. */
  private static IndexDefinition definition(int index) {
    return IndexDefinition.of(
        "attribute-" + index,
        "attribute " + index,
        (record, keys) ->
            keys.next().add(Keys.identity(Values.version(record.bytes()) + 31L * index)));
  }

  /** Deletes them. */
  @TearDown
  public void close() {
    engine.close();
    directory.close();
  }

  /** One update. */
  @Benchmark
  public void update() {
    write(random.nextInt(RECORDS));
  }

  private void write(long index) {
    long identity = Keys.identity(index);
    Keys.write(identity, key);
    values.write(identity, random.nextLong(), value);
    dataset.upsert(key, value);
  }
}
