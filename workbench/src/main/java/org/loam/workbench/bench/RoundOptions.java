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
 * What measurements of engines ask of a user: how much memory, and how often. Each command has
 * defaults of its own, which its description tells.
 */
public class RoundOptions extends WorkOptions {
  private static final int MOST = 1000;
  private static final long LEAST_MEMORY = 64L << 20;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      description = "Number of rounds, of which the median counts. Default: see above.")
  private @Nullable Integer rounds;

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

  /** The memory that was asked for, in bounds or not. */
  final long memoryOr(long usual) {
    return memoryBytes == null ? usual : memoryBytes;
  }

  /** The memory that was asked for. */
  public final long memoryBytes(long usual) {
    long asked = memoryOr(usual);
    if (asked < LEAST_MEMORY) {
      throw usage("--memory = " + asked + ", rule: at least " + LEAST_MEMORY + " (64 MiB)");
    }
    return asked;
  }

  /** A directory with room for a database of so many bytes. */
  public final WorkDirectory workDirectory(String name, long dataBytes) {
    WorkDirectory work = workDirectory(name, false);
    try {
      // Old and new components side by side, logs, and what overwriting adds before it is merged.
      work.requireFreeBytes(4 * dataBytes + (2L << 30));
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
