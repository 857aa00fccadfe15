package org.loam.workbench.asterixdb.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import picocli.CommandLine;

/** What the command says, and with which exit code. */
class MigrateCommandTest {
  private static final String OLD = "http://localhost:1";
  private static final String FRESH = "http://localhost:2";

  @TempDir Path files;

  private final FakeCluster old = new FakeCluster();
  private final FakeCluster fresh = new FakeCluster();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int migrate(Path directory, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("--from=" + OLD, "--to=" + FRESH + "/", "--node=red", "--files=" + directory));
    arguments.addAll(List.of(more));
    return new CommandLine(new MigrateCommand(url -> url.equals(OLD) ? old : fresh))
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              err.append(e.getMessage());
              return e instanceof CommandException said ? said.exitCode() : ExitCode.INTERNAL;
            })
        .execute(arguments.toArray(String[]::new));
  }

  private static String record(int id) {
    return "{ \"id\": " + id + " }";
  }

  @Test
  void aDirectoryWithACommaIsRefusedBeforeAnythingIsRead() throws IOException {
    Path directory = Files.createDirectory(files.resolve("a,b"));
    assertThat(migrate(directory, "shop.orders")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("a,b, rule: no comma");
  }

  /** An address says little: a host has several names. */
  @Test
  void aClusterDoesNotMoveToItself() {
    old.name = "process 17 on red";
    fresh.name = old.name;
    old.dataset("shop.a", record(1));
    assertThat(migrate(files, "--drop", "shop.a")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("are the same cluster");
    assertThat(old.datasets).containsKey("shop.a");
    fresh.name = "process 18 on red";
    fresh.dataset("shop.a");
    assertThat(migrate(files, "shop.a")).isEqualTo(ExitCode.OK);
  }

  @Test
  void anEndHalfWaySaysWhatWasMovedAndTheNextRunGoesOn() {
    old.dataset("shop.a", record(1), record(2));
    old.dataset("shop.b", record(3));
    fresh.dataset("shop.a");
    String[] all = {"--json", "--drop", "shop.a", "shop.b"};
    assertThat(migrate(files, all)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("shop.b is not in the new cluster");
    assertThat(out.toString())
        .contains("\"dataset\" : \"shop.a\"", "\"way\" : \"COPIED\"", "\"dropped\" : true")
        .doesNotContain("shop.b");

    fresh.dataset("shop.b");
    out.getBuffer().setLength(0);
    assertThat(migrate(files, all)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("MOVED_BEFORE", "\"dataset\" : \"shop.b\"", "COPIED");
    assertThat(fresh.count("shop.a")).hasValue(2);
    assertThat(fresh.count("shop.b")).hasValue(1);
    assertThat(old.datasets).isEmpty();
  }
}
