package org.loam.workbench.database;

import java.util.List;
import java.util.Locale;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.FlushChoice.Chosen;
import org.loam.engine.report.FlushChoice.Compared;

/** What an engine chose to flush and why, for people: one line for each choice. */
final class FlushText {
  private static final double MIB = 1 << 20;

  private FlushText() {}

  /** All lines, the latest choice last. */
  static String of(List<FlushChoice> choices) {
    StringBuilder text = new StringBuilder();
    choices.forEach(choice -> text.append(line(choice)).append(System.lineSeparator()));
    return text.isEmpty() ? "flushed  nothing" + System.lineSeparator() : text.toString();
  }

  private static String line(FlushChoice choice) {
    Chosen chosen = choice.chosen();
    Compared compared = choice.compared();
    return String.format(
        Locale.ROOT,
        "flushed  %.1f s ago: %s, %s, %.1f MiB, %.1f superseded, %s by %s: %.1f %% of memory,"
            + " %.1f %% of writes, %.1f MiB of the tree superseded, %.1f MiB of log,"
            + " %.1f MiB leaving",
        choice.ageNanos() / 1e9,
        chosen.tree(),
        chosen.range() == 0
            ? "all " + chosen.ranges() + " ranges"
            : "range " + chosen.range() + " of " + chosen.ranges(),
        chosen.bytes() / MIB,
        chosen.supersededBytes() / MIB,
        choice.cause(),
        choice.rule(),
        100 * compared.memoryShare(),
        100 * compared.writeShare(),
        compared.supersededBytes() / MIB,
        (compared.endLsn() - chosen.minLsn()) / MIB,
        compared.leavingBytes() / MIB);
  }
}
