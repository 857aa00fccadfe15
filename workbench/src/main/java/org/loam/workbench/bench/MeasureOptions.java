package org.loam.workbench.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.ByteSize;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.console.WorkOptions;
import picocli.CommandLine.Option;

/**
 * What measurements of engines ask of a user: how much data, for how long, and how often. Each
 * command has defaults of its own, which its description tells.
 */
public class MeasureOptions extends WorkOptions {
  private static final int MOST = 1000;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      description = "Number of rounds, of which the median counts. Default: see above.")
  private @Nullable Integer rounds;

  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      description = "Seconds of each phase. Default: see above.")
  private @Nullable Integer seconds;

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

  @Option(
      names = "--memory",
      paramLabel = "<size>",
      converter = ByteSize.class,
      description = "Memory of each engine, such as 512MiB. Default: see above.")
  private @Nullable Long memoryBytes;

  /** The number of rounds. */
  public final int rounds(int usual) {
    return requirePositive("--rounds", rounds == null ? usual : rounds);
  }

  /** Seconds of a phase, from 1 to a limit; null if the command decides. */
  public final @Nullable Integer seconds(int most) {
    return seconds == null ? null : requireIn("--seconds", seconds, 1, most);
  }

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
                memoryBytes == null ? usual.memoryBytes() : memoryBytes));
  }

  /** A directory with room for the largest of the data sets. */
  public final WorkDirectory workDirectory(String name, List<DataSize> sizes) {
    WorkDirectory work = workDirectory(name, false);
    long largest = sizes.stream().mapToLong(DataSize::dataBytes).max().orElseThrow();
    try {
      // Old and new components side by side, logs, and what overwriting adds before it is merged.
      work.requireFreeBytes(4 * largest + (2L << 30));
    } catch (RuntimeException e) {
      work.close();
      throw e;
    }
    return work;
  }

  /** The notes, with a warning if there was one round only. */
  public static List<String> notes(List<String> notes, int rounds) {
    List<String> all = new ArrayList<>(notes);
    if (rounds == 1) {
      all.add("one round only: differences of 15 % and less mean nothing");
    }
    return all;
  }

  /** Refuses a number that is not from 1 to 1000. */
  public final int requirePositive(String option, int value) {
    return requireIn(option, value, 1, MOST);
  }

  /** What a parser makes of an option; its refusal is told as the option's. */
  public final <T> T parsed(Supplier<T> parse) {
    try {
      return parse.get();
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }
}
