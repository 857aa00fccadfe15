package org.loam.workbench.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Option;

/** What measurements on records of one size ask of a user in addition: how many, and how long. */
public class RecordOptions extends MeasureOptions {
  @Option(
      names = "--records",
      paramLabel = "<n>",
      description = "Number of records to load. Default: see above.")
  private @Nullable Long records;

  @Option(
      names = "--value-bytes",
      paramLabel = "<n>",
      description = "Bytes of a value. Default: see above.")
  private @Nullable Integer valueBytes;

  /** What a number of records that was asked for is, as a share of the usual one. */
  public final double recordShare(DataSize usual) {
    return records == null ? 1 : (double) records / usual.records();
  }

  /** The data that were asked for. */
  public final DataSize sized(DataSize usual) {
    return parsed(
        () ->
            new DataSize(
                records == null ? usual.records() : records,
                valueBytes == null ? usual.valueBytes() : valueBytes,
                memoryOr(usual.memoryBytes())));
  }

  /** A directory with room for the largest of the data sets. */
  public final WorkDirectory workDirectory(String name, List<DataSize> sizes) {
    return workDirectory(name, sizes.stream().mapToLong(DataSize::dataBytes).max().orElseThrow());
  }
}
