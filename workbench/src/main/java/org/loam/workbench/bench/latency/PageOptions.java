package org.loam.workbench.bench.latency;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.SourceCommit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The page with charts that a command may write, and what the page says of the command. */
public final class PageOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--html",
      paramLabel = "<file>",
      description = "Also write a page with charts; it needs no network and no other file.")
  private @Nullable Path html;

  /**
   * Refuses a file that cannot be written, before anything is measured.
   *
   * @throws CommandException if its directory does not exist or it is a directory
   */
  public void requireWritable() {
    if (html == null) {
      return;
    }
    Path parent = html.toAbsolutePath().getParent();
    if (Files.isDirectory(html) || parent == null || !Files.isWritable(parent)) {
      throw CommandException.environment(
          "cannot write --html = " + html + ", rule: a file in a directory that exists");
    }
  }

  /**
   * Writes the page if there should be one.
   *
   * @param report as of {@link LatencyPage#write}
   */
  public void write(Object report) {
    if (html != null) {
      LatencyPage.write(html, report);
    }
  }

  /** This command, these sources, now. */
  public LatencyReport.Origin origin() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return new LatencyReport.Origin(
        "loam " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs()),
        SourceCommit.find(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
