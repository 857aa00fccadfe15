package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With small programs of the system in the place of nodes. */
class NodeProcessTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir Path directory;

  private ClusterFiles files;
  private NodeProcess node;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void prepare() {
    files = new ClusterFiles(directory);
    files.prepare(ClusterSettings.DEFAULT);
    node = new NodeProcess(Node.NC1, files);
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  /** A shell that ignores signals or not, waits for ever, and has this argument. */
  private Process shell(String script, String argument) throws IOException {
    Process process = new ProcessBuilder("sh", "-c", script + "; cat", "sh", argument).start();
    started.add(process);
    Files.writeString(files.processId(Node.NC1), process.pid() + "\n");
    return process;
  }

  private String mark(Path of) {
    return "-Dloam.asterixdb.node=" + of.resolve("nc1");
  }

  @Test
  void aProcessWithTheMarkOfTheNodeIsTheNode() throws IOException {
    Process process = shell("true", mark(directory));
    assertThat(node.handle()).contains(process.toHandle());
    assertThat(node.residentBytes()).hasValueSatisfying(bytes -> assertThat(bytes).isPositive());
  }

  @Test
  void noFileOrAnUnreadableOneIsNoProcess() throws IOException {
    assertThat(node.isRunning()).isFalse();
    assertThat(node.recordedId()).isEmpty();
    Files.writeString(files.processId(Node.NC1), "12x");
    assertThat(node.isRunning()).isFalse();
    assertThat(node.residentBytes()).isEmpty();
  }

  @Test
  void aProcessThatHasEndedIsRecognised() throws IOException, InterruptedException {
    Process process = shell("true", mark(directory));
    process.destroyForcibly().waitFor();
    assertThat(node.isRunning()).isFalse();
    assertThat(node.recordedId()).contains(process.pid());
  }

  @Test
  void anotherProgramWithTheSameIdentifierIsNotTheNodeAndLeftAlone()
      throws IOException, InterruptedException {
    for (String argument : List.of("other", mark(directory.resolve("other")))) {
      Process process = shell("true", argument);
      assertThat(node.isRunning()).isFalse();
      node.kill();
      assertThat(node.stop(LIMIT)).isTrue();
      assertThat(process.isAlive()).isTrue();
      assertThat(files.processId(Node.NC1)).doesNotExist();
    }
  }

  @Test
  void aProcessWhoseParentDoesNotNoticeItsEndHasEnded() throws Exception {
    // The shell becomes a program that never asks for its child.
    Process parent =
        new ProcessBuilder(
                "sh", "-c", "sh -c 'echo $$; read x' sh " + mark(directory) + " & exec sleep 1000")
            .start();
    started.add(parent);
    String id = parent.inputReader().readLine();
    Files.writeString(files.processId(Node.NC1), id);
    // Standard input of a background process is empty, so it ends at once.
    ProcessHandle child = ProcessHandle.of(Long.parseLong(id)).orElseThrow();
    while (child.info().arguments().isPresent()) {
      Thread.onSpinWait();
    }
    assertThat(child.isAlive()).isTrue();
    assertThat(node.isRunning()).isFalse();
    node.kill();
    assertThat(node.stop(LIMIT)).isTrue();
  }

  @Test
  void aProcessThatBecomesAnotherProgramStillRuns() throws IOException {
    Path again = Files.writeString(directory.resolve("again"), "exec sh \"$0\" \"$1\"\n");
    Process process = new ProcessBuilder("sh", again.toString(), mark(directory)).start();
    started.add(process);
    Files.writeString(files.processId(Node.NC1), process.pid() + "\n");
    for (int look = 0; look < 2000; look++) {
      assertThat(node.isRunning()).as("look %d", look).isTrue();
    }
  }

  @Test
  void aProcessThatDoesNotEndWhenAskedIsEndedByForce() throws IOException, InterruptedException {
    Process process = shell("trap '' TERM; echo ready", mark(directory));
    assertThat(process.inputReader().readLine()).isEqualTo("ready");
    assertThat(node.stop(Duration.ofMillis(1))).isFalse();
    requireKilled(process);
    assertThat(files.processId(Node.NC1)).doesNotExist();
  }

  private static void requireKilled(Process process) throws InterruptedException {
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("ended").isTrue();
    assertThat(process.exitValue()).isEqualTo(128 + 9);
  }

  @Test
  void whyLoamDidNotStartIsFoundInWhatTheNodeSaid() throws IOException {
    Files.writeString(files.output(Node.NC1), "Exception: something\n");
    assertThat(node.startFault()).isEmpty();
    Files.writeString(
        files.log(Node.NC1),
        """
        12:00 ERROR Exiting NCDriver due to exception
        java.lang.Exception: failed
        \tat a.b.C
        Caused by: org.loam.asterix.runtime.StartException: [nc] loam.memory: too much
        Caused by: java.lang.IllegalArgumentException: [nc] loam.memory: too much
        """);
    assertThat(node.startFault()).contains("[nc] loam.memory: too much");
  }

  @Test
  void aKilledNodeIsGoneAndItsFileStays() throws IOException, InterruptedException {
    Process process = shell("true", mark(directory));
    node.kill();
    requireKilled(process);
    assertThat(node.isRunning()).isFalse();
    assertThat(node.recordedId()).contains(process.pid());
  }

  @Test
  void aNodeIsStartedDetachedAndSaysWhyItFailed() throws Exception {
    Files.writeString(files.log(Node.NC1), "of the last start\n");
    // There is no such class on this class path.
    node.start(ClusterSettings.DEFAULT, directory.toString());
    Optional<ProcessHandle> process = node.handle();
    assertThat(process).isPresent();
    process.get().onExit().get();
    assertThat(node.isRunning()).isFalse();
    assertThat(node.lastLines(10))
        .first()
        .asString()
        .contains("Could not find or load main class org.apache.hyracks.control.nc.NCDriver");
    assertThat(node.lastLines(10)).doesNotContain("of the last start");
    assertThat(files.logs().resolve("nc-nc1.log.old")).hasContent("of the last start");
  }

  /** A node has the charset of the system, in which the name of a directory may be. */
  @Test
  void whatANodeSaidMayBeInAnotherCharset() throws IOException {
    Files.writeString(
        files.output(Node.NC1),
        "org.loam.asterix.runtime.StartException: /café is full\n",
        StandardCharsets.ISO_8859_1);
    assertThat(node.startFault()).contains("/caf\ufffd is full");
  }

  @Test
  void lastLinesAreMessagesAndCauses() throws IOException {
    Files.writeString(
        files.output(Node.NC1),
        "one\ntwo\nFault: x\n\tat a.B.c(B.java:1)\nCaused by: y\n\t... 3 more\n");
    assertThat(node.lastLines(3)).containsExactly("two", "Fault: x", "Caused by: y");
    Files.writeString(files.log(Node.NC1), "logged\n");
    assertThat(node.lastLines(1)).containsExactly("Caused by: y", "logged");
  }
}
