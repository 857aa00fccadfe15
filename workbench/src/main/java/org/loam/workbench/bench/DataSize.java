package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/**
 * A database of the benchmark.
 *
 * @param records loaded
 * @param valueBytes of each
 * @param memoryBytes given to the engine
 */
public record DataSize(
    @JsonProperty("records") long records,
    @JsonProperty("valueBytes") int valueBytes,
    @JsonProperty("memoryBytes") long memoryBytes) {
  public DataSize {
    require(records >= 1_000, "records", records, "at least 1000");
    require(records <= 1L << 31, "records", records, "at most 2^31");
    require(
        valueBytes >= Values.HEADER_BYTES && valueBytes <= 1 << 20,
        "valueBytes",
        valueBytes,
        Values.HEADER_BYTES + " to 1048576");
    require(memoryBytes >= 64L << 20, "memoryBytes", memoryBytes, "at least 67108864 (64 MiB)");
  }

  /** Bytes of a key and a value. */
  public int recordBytes() {
    return Keys.LENGTH_BYTES + valueBytes;
  }

  /** Bytes of all keys and values. */
  public long dataBytes() {
    return records * recordBytes();
  }

  private static void require(boolean holds, String name, long value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(name + " = " + value + ", rule: " + rule);
    }
  }
}
