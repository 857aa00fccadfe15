package org.loam.workbench.database;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.loam.engine.EngineStatistics;

/** What an engine holds and has done as a whole, for people: one line for each part of it. */
public final class EngineText {
  private static final double MIB = 1 << 20;

  private final EngineStatistics engine;
  private final StringBuilder text = new StringBuilder();

  private EngineText(EngineStatistics engine) {
    this.engine = engine;
  }

  /** All lines. */
  public static String of(EngineStatistics engine) {
    EngineText text = new EngineText(engine);
    text.memory();
    text.log();
    text.rest();
    return text.text.toString();
  }

  /** All lines but that of the log, which an engine below a host does not have. */
  public static String ofHosted(EngineStatistics engine) {
    EngineText text = new EngineText(engine);
    text.memory();
    text.rest();
    return text.text.toString();
  }

  /**
   * A line for each thing that keeps the engine from its work; empty if nothing does.
   *
   * @param health as the engine of another process says it
   */
  public static String faults(JsonNode health) {
    StringJoiner lines = new StringJoiner("");
    for (String fault : List.of("fence", "logFault", "flushFault", "mergeFault")) {
      if (health.hasNonNull(fault)) {
        lines.add(fault(fault.replace("Fault", ""), health.path(fault).asText()));
      }
    }
    for (JsonNode disk : health.path("disks")) {
      if (disk.hasNonNull("fault")) {
        lines.add(fault("disk", disk.path("fault").asText()));
      }
      if (disk.path("isFull").booleanValue()) {
        lines.add(
            fault(
                "disk",
                disk.path("directory").asText()
                    + " is full, writes are refused: "
                    + disk.path("freeBytes").asText()
                    + " bytes free"));
      }
    }
    return lines.toString();
  }

  private static String fault(String what, String message) {
    return "fault    " + what + ": " + message + System.lineSeparator();
  }

  private void memory() {
    EngineStatistics.Memory memory = engine.memory();
    line(
        "memory   %.1f of %.1f MiB: write %.1f of %.1f, live %.1f, leaving %.1f,"
            + " cache %.1f of %.1f, fixed %.1f",
        memory.usedBytes() / MIB,
        memory.totalBytes() / MIB,
        memory.writeUsedBytes() / MIB,
        memory.writeTargetBytes() / MIB,
        memory.writeUse().liveBytes() / MIB,
        memory.writeUse().leavingBytes() / MIB,
        memory.cacheUsedBytes() / MIB,
        memory.cacheTargetBytes() / MIB,
        memory.fixedBytes() / MIB);
  }

  private void log() {
    line(
        "log      %.1f MiB to replay, %.1f MiB written",
        engine.log().lengthBytes() / MIB, engine.log().writtenBytes() / MIB);
  }

  private void rest() {
    line(
        "work     %d flushes, %.1f MiB; %d merges, %.1f MiB",
        engine.work().flushes(),
        engine.work().flushedBytes() / MIB,
        engine.work().merges(),
        engine.work().mergedBytes() / MIB);
    line(
        "cache    %d hits, %d misses",
        sum(engine.cache().hits().values()), sum(engine.cache().misses().values()));
    line("stalls   %s", stalls());
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }

  private static long sum(Iterable<Long> counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  private String stalls() {
    StringJoiner causes = new StringJoiner("; ").setEmptyValue("none");
    engine
        .stalls()
        .totals()
        .forEach(
            (cause, totals) -> {
              if (totals.count() > 0) {
                causes.add(
                    String.format(
                        Locale.ROOT,
                        "%s %d times, %.1f s, longest %.1f s",
                        cause,
                        totals.count(),
                        totals.nanos() / 1e9,
                        totals.longestNanos() / 1e9));
              }
            });
    return causes.toString();
  }
}
