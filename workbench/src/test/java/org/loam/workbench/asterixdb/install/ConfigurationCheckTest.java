package org.loam.workbench.asterixdb.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What install says of a configuration, before a node is started with it. */
class ConfigurationCheckTest {
  private static final long MACHINE = 16L << 30;

  private static final String NODES =
      """
      [nc/red]
      iodevices=data/red
      [nc/blue]
      ncservice.port = 9091
      """;

  private static ConfigurationCheck check(String text) {
    return ConfigurationCheck.of(IniFile.of(text.lines().toList()), MACHINE);
  }

  @Test
  void whatInstallPrintsIsRight() {
    String printed = String.join("\n", InstallCommand.configuration(MACHINE));
    assertThat(printed)
        .contains("[nc]\n", "\ncommand=asterixncloam\n", "-Xmx4096m", "loam.memory=4096MiB");
    ConfigurationCheck check = check(NODES + printed);
    assertThat(check.problems()).isEmpty();
    assertThat(check.notes()).isEmpty();
  }

  /** What follows a heading of the operator's guide, as far as it is indented or in a table. */
  private static List<String> guide(String heading, String prefix) throws IOException {
    return Files.readAllLines(Path.of("../docs/ASTERIXDB.md")).stream()
        .dropWhile(line -> !line.equals(heading))
        .dropWhile(line -> !line.startsWith(prefix))
        .takeWhile(line -> line.isEmpty() || line.startsWith(prefix))
        .toList();
  }

  @Test
  void theConfigurationInTheGuideIsRight() throws IOException {
    List<String> lines = guide("## Several machines", "    ").stream().map(String::strip).toList();
    assertThat(lines).contains("[nc/red]", "[nc/blue]", "command=asterixncloam");
    ConfigurationCheck check = check(String.join("\n", lines));
    assertThat(check.problems()).isEmpty();
    assertThat(check.notes()).isEmpty();
  }

  @Test
  void theMemoryInTheGuideIsWhatInstallPrints() throws IOException {
    Pattern row = Pattern.compile("\\| (\\d+) GiB \\| (\\d+) GiB \\| (\\d+) GiB \\| .*");
    List<MatchResult> rows =
        guide("## Memory", "|").stream().flatMap(line -> row.matcher(line).results()).toList();
    assertThat(rows).hasSize(3);
    for (MatchResult machine : rows) {
      assertThat(InstallCommand.configuration(Long.parseLong(machine.group(1)) << 30))
          .contains(
              "jvm.args=-Xmx" + (Long.parseLong(machine.group(2)) << 10) + "m",
              "loam.memory=" + (Long.parseLong(machine.group(3)) << 10) + "MiB");
    }
  }

  @Test
  void theConfigurationOfAsterixDbsOwnSampleIsNot() {
    ConfigurationCheck check = check(NODES + "[nc]\naddress=127.0.0.1\ncommand=asterixnc\n");
    assertThat(check.problems())
        .containsExactly(
            "[nc] command=asterixnc: NCService would start nodes without Loam, and they would keep"
                + " their data in AsterixDB's own storage; write command=asterixncloam");
    assertThat(check.notes())
        .first()
        .asString()
        .contains("[nc/red], [nc/blue]", "60 %", "loam.memory");
  }

  @Test
  void aMissingCommandAndOneOfASingleNodeAreFound() {
    assertThat(check(NODES).problems())
        .singleElement()
        .asString()
        .startsWith("[nc] has no command: ");
    assertThat(check("").problems()).singleElement().asString().startsWith("[nc] has no command: ");
    assertThat(
            check(NODES + "command: asterixnc\n[nc]\n ; command=asterixnc\ncommand=asterixncloam\n")
                .problems())
        .singleElement()
        .asString()
        .startsWith("[nc/blue] command=asterixnc: ");
    assertThat(check("[nc/a]\ncommand=asterixncloam\n[nc/b]\ncommand=asterixncloam\n").problems())
        .isEmpty();
  }

  /** AsterixDB reads files in UTF-8, with the mark that some editors put before all else. */
  @Test
  void aFileIsReadAsAsterixDbReadsIt(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("cc.conf");
    Files.writeString(file, "\ufeff[nc]\ncommand=asterixncloam\n[nc/Zürich]\n");
    assertThat(IniFile.read(file))
        .isEqualTo(IniFile.of(List.of("[nc]", "command=asterixncloam", "[nc/Zürich]")));
    Files.writeString(file, "[nc]\n; Zürich\ncommand=x\n", StandardCharsets.ISO_8859_1);
    assertThat(IniFile.read(file)).isEqualTo(IniFile.of(List.of("[nc]", "command=x")));
  }

  @Test
  void anOptionThatIsThereTwiceIsFound() {
    assertThat(check("[nc]\ncommand=asterixnc\n[cc]\n[nc]\ncommand = asterixncloam\n").problems())
        .containsExactly("[nc] command is there twice, which AsterixDB refuses");
    assertThat(check("[nc]\ncommand=asterixncloam\n[cc]\n[nc]\nx=1\n[cc]\nx=1\n").problems())
        .isEmpty();
  }

  @Test
  void aNodeWithoutAServiceIsStartedByHand() {
    ConfigurationCheck check =
        check("[nc/red]\nncservice.port=-1\n[nc/blue]\nncservice.port=-1\ncommand=asterixnc\n");
    assertThat(check.problems()).isEmpty();
    assertThat(check.notes())
        .startsWith(
            "[nc/red] has no NCService: start it with bin/asterixncloam",
            "[nc/blue] has no NCService: start it with bin/asterixncloam");
  }

  @Test
  void anotherApplicationAndReplicationAreFound() {
    String right = "[nc]\ncommand=asterixncloam\n";
    assertThat(check(right + "app.class=org.loam.asterix.LoamNCApplication\n").problems())
        .isEmpty();
    assertThat(
            check(right + "[cc]\napp.class=org.apache.asterix.hyracks.bootstrap.CCApplication\n")
                .problems())
        .singleElement()
        .asString()
        .startsWith("[cc] app.class=org.apache.asterix.hyracks.bootstrap.CCApplication");
    assertThat(check(right + "[common]\nreplication.enabled=true\n").problems())
        .singleElement()
        .asString()
        .startsWith("[common] replication.enabled=true");
  }

  // ---- Memory.

  /** Nodes that are right except for their memory. */
  private static ConfigurationCheck memory(String red, String blue) {
    return check(
        "[nc/red]\n"
            + red
            + "\n[nc/blue]\n"
            + blue
            + "\n[nc]\ncommand=asterixncloam\njvm.args=-Xmx4g\n"
            + "storage.buffercache.size=64MB\nstorage.memorycomponent.globalbudget=64MB\n");
  }

  @Test
  void aNodeThatMayTakeMoreThanTheMachineHasIsAProblem() {
    ConfigurationCheck check = memory("loam.memory=13GiB", "address=10.0.0.2");
    assertThat(check.problems())
        .singleElement()
        .asString()
        .startsWith(
            "[nc/red] may take 17GiB of heap and Loam's memory, and this machine has 16GiB");
    assertThat(memory("loam.memory=12GiB", "address=10.0.0.2").problems()).isEmpty();
  }

  @Test
  void nodesOfOneMachineAreSummedUp() {
    assertThat(memory("loam.memory=8GiB", "").notes())
        .singleElement()
        .asString()
        .startsWith("all nodes together may take 20GiB");
    assertThat(memory("address=a\nloam.memory=8GiB", "address=a").notes())
        .singleElement()
        .asString()
        .startsWith("the nodes with address a may take 20GiB");
    assertThat(memory("address=a\nloam.memory=8GiB", "address=b").notes()).isEmpty();
    assertThat(memory("loam.memory=4GiB", "").notes()).isEmpty();
  }

  @Test
  void optionsOfLoamThatNodesRefuseAreProblems() {
    assertThat(memory("loam.memmory=1GiB", "loam.metadata=perhaps").problems())
        .containsExactly(
            "[nc/red] loam.memmory: no such option; did you mean 'loam.memory'?",
            "[nc/blue] loam.metadata: perhaps, must be true or false");
    assertThat(memory("", "[common]\nloam.memory=1GiB\n[cc]\nloam.settings={}").problems())
        .containsExactly(
            "[common] loam.memory: an option of nodes; move it to [nc], or to [nc/NAME] of one",
            "[cc] loam.settings: an option of nodes; move it to [nc], or to [nc/NAME] of one");
    assertThat(memory("loam.memory=lots", "").problems())
        .singleElement()
        .asString()
        .startsWith("[nc/red] loam.*: ");
    assertThat(memory("loam.memory=1GiB", "loam.settings={l0: {stopp: 3}}").problems())
        .singleElement()
        .asString()
        .startsWith("[nc/blue] loam.*: ")
        .contains("l0.stop?");
    assertThat(memory("loam.memory=1GiB\nloam.settings={memory: {total: 1GiB}}", "").problems())
        .containsExactly(
            "[nc/red] loam.*: loam.settings has memory.total, and there is loam.memory");
  }

  /** Which settings go together depends on the defaults of those that are not there. */
  @Test
  void settingsAreThoseOfANode() {
    String target = "loam.settings={write: {targetBytes: 64MiB}}";
    assertThat(memory("loam.memory=1GiB\n" + target, "").problems()).isEmpty();
    assertThat(memory("loam.memory=1GiB\nloam.settings={l0: {minMerge: 13}}", "").problems())
        .containsExactly("[nc/red] loam.*: l0.stop: 12, must be above l0.minMerge, 13");
  }

  @Test
  void memoryThatDoesNotSufficeForTheSettingsIsAProblem() {
    assertThat(memory("loam.memory=64MiB", "loam.memory=64MiB").problems()).isEmpty();
    assertThat(memory("loam.memory=64MiB\nloam.settings={write: {bulkLoads: 64}}", "").problems())
        .singleElement()
        .asString()
        .startsWith("[nc/red] loam.*: ");
  }

  @Test
  void partsOfStockStorageWithoutASizeAreNoted() {
    ConfigurationCheck check =
        check("[nc/red]\ncommand=asterixncloam\njvm.args=-Xmx4g\nstorage.buffercache.size=1MB\n");
    assertThat(check.problems()).isEmpty();
    assertThat(check.notes())
        .singleElement()
        .asString()
        .startsWith("[nc/red] has no storage.memorycomponent.globalbudget: ")
        .contains(" takes 1GiB of the heap");
  }

  @Test
  void theReportSaysWhatToDo() {
    List<Distribution.Installed> files =
        List.of(new Distribution.Installed("bin/asterixncloam", Distribution.Change.PRESENT));
    List<String> lines = InstallCommand.configuration(MACHINE);
    assertThat(new InstallReport("/opt/a", files, lines, null, null).text())
        .contains("bin/asterixncloam        already there", "    command=asterixncloam")
        .contains("bin/asterixccloam instead of asterixcc", "Java 17");
    InstallReport wrong = new InstallReport("/opt/a", files, lines, "cc.conf", check(NODES));
    assertThat(wrong.isRight()).isFalse();
    assertThat(wrong.text())
        .contains(
            "    command=asterixncloam", "cc.conf: not right", "problem: [nc] has no command");
    InstallReport right =
        new InstallReport("/opt/a", files, lines, "cc.conf", check(String.join("\n", lines)));
    assertThat(right.isRight()).isTrue();
    assertThat(right.text()).contains("cc.conf: right").doesNotContain("The configuration needs");
  }
}
