package org.loam.workbench.inspect;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.RealEnv;
import org.loam.log.recover.LogDump;
import org.loam.log.recover.LogDump.Expected;
import org.loam.log.recover.LogDump.Frame;
import org.loam.log.recover.LogDump.Segment;
import org.loam.lsm.manifest.ManifestDump;
import org.loam.lsm.manifest.ManifestDump.State;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.database.DatabaseOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam inspect log}: segments, frames, and where the log ends. */
@Command(
    name = "log",
    description = {
      "Shows the segments of the log and their frames. It marks the segments that a"
          + " recovery would read, and where the recovery would end."
    },
    footer = {
      "  loam inspect log",
      "  loam inspect log --directory /srv/orders --frames --limit 1000",
      "  loam inspect log --json | jq .segments"
    })
final class InspectLogCommand implements Callable<Integer> {
  @Mixin private DatabaseOptions database = new DatabaseOptions();
  @Mixin private DumpOptions report = new DumpOptions();

  @Option(names = "--frames", description = "Also list the frames.")
  private boolean frames;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "List at most this number of frames. Default: ${DEFAULT-VALUE}.")
  private long limit = 100;

  @Override
  public Integer call() {
    report.requireLimit(limit);
    StorageEnv env = RealEnv.create();
    ManifestDump manifest = Inspected.manifest(env, database.directory());
    requireLog(manifest.state());
    LogDump log = LogDump.read(env.files(), directory(), expected(manifest), frames ? limit : 0);
    LogDump dump = log.withDamage(manifest.damage());
    return report.print(dump, dump.damage(), out -> print(dump, out));
  }

  private void requireLog(@Nullable State state) {
    if (state != null && state.identity().lacksLog()) {
      throw CommandException.usage(
          "the database in "
              + database.directory()
              + " has no log: it lies below that of a host, such as AsterixDB");
    }
    if (!Files.isDirectory(directory())) {
      throw CommandException.environment(
          "there is no directory "
              + directory()
              + " for the log; if log.directory is set, name the file with it by --config");
    }
  }

  private Path directory() {
    String elsewhere = database.config().log().directory();
    return elsewhere == null ? database.directory().resolve("log") : Path.of(elsewhere);
  }

  /** A damaged manifest may lack edits that moved the beginning of the log. */
  private static Expected expected(ManifestDump manifest) {
    State state = manifest.state();
    return state == null || !manifest.damage().isEmpty()
        ? Expected.NOTHING
        : new Expected(
            Long.parseUnsignedLong(state.identity().databaseId(), 16),
            state.log().truncationLsn(),
            state.log().maxComponentLsn() + 1);
  }

  private static void print(LogDump dump, PrintWriter out) {
    out.printf(Locale.ROOT, "%s: %,d segments%n", dump.directory(), dump.segments().size());
    if (dump.endLsn() >= 0) {
      out.printf(
          Locale.ROOT,
          "needed from LSN %d to LSN %d; %s%n",
          dump.fromLsn(),
          dump.endLsn(),
          dump.end());
    } else if (dump.fromLsn() >= 0) {
      out.printf(Locale.ROOT, "needed from LSN %d; %s%n", dump.fromLsn(), dump.end());
    } else {
      out.println(dump.end());
    }
    dump.segments().forEach(segment -> print(segment, out));
    dump.unfinished().forEach(name -> out.println(name + ": its creation was interrupted"));
    dump.frames().forEach(frame -> print(frame, out));
  }

  private static void print(Segment segment, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s: %s, sequence %d, LSN %d to %d, %,d bytes, %,d frames up to LSN %d%s%n",
        segment.file(),
        segment.use(),
        segment.sequence(),
        segment.baseLsn(),
        segment.baseLsn() + segment.sizeBytes(),
        segment.sizeBytes(),
        segment.frames(),
        segment.framesEndLsn(),
        segment.closedAtLsn() == null
            ? ""
            : ", ended by a recovery at LSN " + segment.closedAtLsn());
  }

  private static void print(Frame frame, PrintWriter out) {
    String operations =
        frame.operations().entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%,d on tree %d", e.getValue(), e.getKey()))
            .collect(Collectors.joining(", "));
    String what = frame.text().isEmpty() ? operations : frame.text();
    out.printf(
        Locale.ROOT,
        "LSN %d: %s, %,d bytes, %s offset %,d%s%n",
        frame.lsn(),
        frame.type(),
        frame.payloadBytes(),
        frame.segment(),
        frame.offset(),
        what.isEmpty() ? "" : ": " + what);
  }
}
