package org.loam.workbench.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.StorageIoException;
import org.loam.dashboard.source.AttachedEngine;
import org.loam.engine.Engine;
import org.loam.engine.report.CheckpointReport;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam checkpoint}: a backup of a database, open or not. */
@Command(
    name = "checkpoint",
    description = {
      "Makes a database in another directory with the state of this one at one moment: a backup"
          + " that opens by itself. SSTables are hard links where the file system allows it, and"
          + " copies elsewhere, as on another device; the log is copied.",
      "",
      "If another process of this user has the database open, its engine makes the checkpoint,"
          + " asked by JMX, and goes on meanwhile. Otherwise this command opens the database"
          + " itself."
    },
    footer = {
      "  loam checkpoint --directory /srv/orders --to /backup/orders-friday",
      "  loam checkpoint --to /backup/orders-friday --json | jq .copiedBytes",
      "  loam verify --directory /backup/orders-friday"
    })
public final class CheckpointCommand implements Callable<Integer> {
  private static final double MIB = 1 << 20;
  private static final double SECOND_NANOS = 1e9;

  @Mixin private ReportOptions options = new ReportOptions();
  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--to",
      paramLabel = "<path>",
      required = true,
      description = "Directory of the new database; it does not exist, or is empty.")
  private Path target = Path.of("");

  @Override
  public Integer call() {
    database.requireDatabase();
    Path absolute = target.toAbsolutePath().normalize();
    CheckpointReport report = running(absolute);
    if (report == null) {
      try (Engine engine = database.open()) {
        report = engine.checkpoint(absolute);
      } catch (StorageIoException e) {
        throw CommandException.environment(String.valueOf(e.getMessage()), e);
      }
    } else {
      noteIfNotSeen(absolute);
    }
    CheckpointReport made = report;
    options.print(made, () -> text(made));
    return ExitCode.OK;
  }

  /** By the engine of another process; null if none has the database open. */
  private @Nullable CheckpointReport running(Path absolute) {
    try (AttachedEngine engine = database.attached()) {
      return engine == null ? null : Json.read(engine.checkpoint(absolute), CheckpointReport.class);
    } catch (UncheckedIOException e) {
      throw CommandException.failed(
          "the checkpoint was made in "
              + absolute
              + ", but the process that has "
              + database.directory()
              + " open runs another version of Loam, and its report cannot be read");
    } catch (IllegalStateException e) {
      throw CommandException.failed(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw CommandException.environment(String.valueOf(e.getMessage()), e);
    }
  }

  /** The other process may be in a container, or on another side of a mount. */
  private void noteIfNotSeen(Path absolute) {
    boolean isSeen;
    try {
      isSeen = Engine.exists(absolute);
    } catch (StorageIoException e) {
      isSeen = false;
    }
    if (!isSeen) {
      Progress.say(
          "note: the checkpoint is in "
              + absolute
              + " as that process sees it which has "
              + database.directory()
              + " open; this one sees none there");
    }
  }

  private static String text(CheckpointReport report) {
    return String.format(
        Locale.ROOT,
        "checkpoint in %s: %,d tables linked (%.1f MiB), %,d copied (%.1f MiB), %.1f MiB of log,"
            + " %.2f s%n",
        report.directory(),
        report.linkedTables(),
        report.linkedBytes() / MIB,
        report.copiedTables(),
        report.copiedBytes() / MIB,
        report.logBytes() / MIB,
        report.nanos() / SECOND_NANOS);
  }
}
