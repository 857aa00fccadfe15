package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The command line as a user meets it: a process with two streams and an exit code. */
class LoamTest {
  private static final String NL = System.lineSeparator();

  @TempDir Path directory;

  static LoamProcess.Result inProcess(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Loam.execute(new PrintWriter(out), new PrintWriter(err), false, arguments);
    return new LoamProcess.Result(exitCode, out.toString(), err.toString());
  }

  @Test
  void helpNamesCommandsExitCodesAndExamples() {
    LoamProcess.Result result = inProcess("--help");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("demo", "bench", "create", "drop", "ingest", "get", "query", "scan", "delete")
        .contains("stats", "asterixdb")
        .contains("Exit codes:")
        .contains("loam bench kv --quick --peers loam,rocksdb");
  }

  @Test
  void anErrorIsOneLineAndAnExitCode() {
    LoamProcess.Result usage = inProcess("bench", "kv", "--peers", "leveldb");
    assertThat(usage.exitCode()).isEqualTo(2);
    assertThat(usage.out()).isEmpty();
    assertThat(usage.err().lines()).hasSize(1);
    LoamProcess.Result machine = inProcess("demo", "--directory", "/proc/loam");
    assertThat(machine.exitCode()).isEqualTo(3);
    assertThat(machine.err().lines()).hasSize(1);
    assertThat(machine.err()).startsWith("loam: ").contains("--directory");
  }

  static Stream<CommandLine> commands() {
    return withSubcommands(new CommandLine(Loam.class));
  }

  private static Stream<CommandLine> withSubcommands(CommandLine command) {
    return Stream.concat(
        Stream.of(command),
        command.getSubcommands().values().stream().flatMap(LoamTest::withSubcommands));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelpWithExamplesOfItsOwn(CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    List<String> arguments = new ArrayList<>(List.of((name + " --help").split(" ")));
    arguments.remove("loam");
    LoamProcess.Result help = inProcess(arguments.toArray(String[]::new));
    assertThat(help.exitCode()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out().split("Examples:", -1)).as("headings").hasSize(2);
    assertThat(help.out()).contains("Exit codes:", "Examples:" + NL + "  " + name);
  }

  @Test
  void commandsOnADatabaseSayHowToNameIt() {
    for (String command :
        List.of("create", "drop", "ingest", "get", "query", "scan", "delete", "stats")) {
      assertThat(inProcess(command, "--help").out())
          .contains("--directory", "LOAM_DIRECTORY", "--memory", "--config");
    }
  }

  @Test
  void theVersionNamesTheJava() {
    LoamProcess.Result result = inProcess("--version");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).startsWith("loam ").contains("Java ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bench kv --workloads ycsb-x|unknown workload 'ycsb-x'; choose from load",
        "bench kv --peers leveldb|unknown peer 'leveldb'; choose from loam",
        "bench kv --threads 0|--threads = 0, rule: 1 to 1000",
        "bench kv --threads many|'many' is not an int",
        "bench kv --data huge|unknown data set 'huge'",
        "bench kv --memory 1KiB|memoryBytes = 1024, rule: at least",
        "bench kv --memory lots|'lots' is no size",
        "bench kv --records 10|records = 10, rule: at least 1000",
        "bench kv --value-bytes 1|valueBytes = 1, rule: 16 to",
        "bench kv --durability maybe|maybe",
        "bench kv --rounds 0|--rounds = 0",
        "bench kv --set write.control=WAIT|write.control: 'WAIT', must be one of STOP, PACE",
        "bench latency --set write.contrl=PACE|write.contrl: no such setting",
        "bench latency --set l0.stop|l0.stop",
        "bench kv --set memory.total=1GiB|--set memory.total counts for Loam alone; use --memory",
        "bench kv extra|extra",
        "bench latency --load -1|--load = -1.0, rule: at least 0 and at most 2",
        "bench latency --load 2.5|--load = 2.5, rule: at least 0 and at most 2",
        "bench latency --load NaN|--load = NaN, rule: at least 0 and at most 2",
        "bench latency --offered 0|--offered = 0, rule: 1 to 100000000",
        "bench latency --offered all|'all' is not an int",
        "bench latency --minutes 0|--minutes = 0, rule: 1 to 1440",
        "bench latency --seconds 0|--seconds = 0.0, rule: 0.1 to 86400",
        "bench latency --peers inline-btree --splits 5|--splits = [5], rule: no inline-btree",
        "bench latency --splits 0|--splits = 0, rule: 1 to 90",
        "bench latency --memory 64MiB --splits 25,80|--splits = 80, with which Loam does not open;"
            + " choose another split or more --memory: write.initialBytes is 53687091, must be"
            + " at most 47MiB, which leaves",
        "bench latency --splits 50,5 --set write.scheme=LEVELS --set write.activeBytes=10MiB|"
            + "--splits = 5, with which Loam does not open; choose another split or more --memory:"
            + " write.activeBytes: 10MiB, must be at most a quarter of write.initialBytes",
        "bench latency --peers leveldb|unknown peer 'leveldb'; choose from loam",
        "bench latency --workload scan-100|unknown workload 'scan-100'; choose from overwrite",
        "bench latency --hotspot 80|hotspot '80', rule: percent of operations",
        "bench latency --hotspot 0-20|hotspot 0-20, rule: both from 1 to 100",
        "bench latency --indexes 17|--indexes = 17, rule: 0 to 16",
        "bench latency --peers loam,rocksdb --indexes 1|--indexes = 1, rule: 0 with peers other",
        "bench latency --arrivals poisson|unknown arrivals 'poisson'; choose from constant",
        "bench latency --trees 0|--trees = 0, rule: 1 to 1000",
        "bench latency --trees 3 --records 2999|--trees = 3, rule: at least 1000 of the --records",
        "bench latency --zipf 1|--zipf = 1.0, rule: above 0 and below 1",
        "bench latency --zipf 0|--zipf = 0.0, rule: above 0 and below 1",
        "bench latency --zipf much|'much' is not a double",
        "bench latency --rounds 0|--rounds = 0, rule: 1 to 1000",
        "figure stability-9 --rounds 0|--rounds = 0, rule: 1 to 1000",
        "bench latency --threads 0|--threads = 0, rule: 1 to 1000",
        "bench latency --records 10|records = 10, rule: at least 1000",
        "bench latency --value-bytes 1|valueBytes = 1, rule: 16 to",
        "bench latency --memory 1KiB|memoryBytes = 1024, rule: at least",
        "bench latency --durability maybe|maybe",
        "bench latency --shift 0|--shift = 0, rule: 1 to 1000",
        "bench latency --shift 5 --workload read-heavy|--shift: needs another workload than ycsb-b",
        "bench latency --testing l0.elastic=maybe|l0.elastic: 'maybe', must be true or false",
        "bench latency --testing page.size=8KiB|--testing page.size, rule: a live setting",
        "bench latency --testing l0.elastik=true|l0.elastik",
        "bench latency extra|extra",
        "bench trees --trees 0|--trees = 0, rule: 1 to 10000",
        "bench trees --rounds 0|--rounds = 0, rule: 1 to 1000",
        "bench trees --memory 1KiB|--memory = 1024, rule: at least 67108864 (64 MiB)",
        "bench trees --peers inline-btree|--peers = inline-btree, rule: an engine with a log",
        "bench trees --set write.control=WAIT|write.control: 'WAIT', must be one of STOP, PACE",
        "bench trees --seconds 1|--seconds",
        "bench splits --workloads sync|--workloads sync: has no split of its own; use bench kv",
        "bench splits --percents 0|--percents = 0, rule: 1 to 90",
        "bench splits --memory 64MiB --percents 25,80|--percents = 80, with which Loam does not",
        "bench splits --set tuner.policy=GUESS|tuner.policy: 'GUESS', must be one of PAPER, CURVE",
        "bench splits --threads 0|--threads = 0, rule: 1 to 1000",
        "bench tuner --threads 0|--threads = 0, rule: 1 to 1000",
        "bench tuner --rounds 0|--rounds = 0, rule: 1 to 1000",
        "bench tuner --peers loam|--peers",
        "bench|There are: kv, latency, trees, splits, tuner, secondary, tpcc, asterixdb",
        "bench asterixdb --records 1050|--records = 1050, rule: a multiple of 100",
        "bench asterixdb --memory 1MiB|--memory = 1048576, rule: at least",
        "bench asterixdb --rounds 65|--rounds = 65, rule: 1 to 64",
        "bench asterixdb --set tuner.mood=GOOD|did you mean tuner.mode?",
        "bench asterixdb --set memory.total=1GiB|use --memory",
        "bench asterixdb --set write.initialBytes=1|--set write.initialBytes: 1, must be",
        "bench secondary --indexes 0,17|--indexes = 17, rule: 0 to 16",
        "bench secondary --indexes 0,-1|--indexes = -1, rule: 0 to 16",
        "bench secondary --indexes all|'all' is not an int",
        "bench secondary --threads 0|--threads = 0, rule: 1 to 1000",
        "bench secondary --rounds 1001|--rounds = 1001, rule: 1 to 1000",
        "bench secondary --seconds 0|--seconds = 0.0, rule: 0.1 to 1000",
        "bench secondary --data huge|unknown data set 'huge'; choose from main, cached",
        "bench secondary --memory 1KiB|memoryBytes = 1024, rule: at least",
        "bench secondary --records 10|records = 10, rule: at least 1000",
        "bench secondary --value-bytes 1|valueBytes = 1, rule: 16 to",
        "bench secondary extra|extra",
        "bench tpcc --warehouses 0|warehouses = 0, rule: 1 to 10000",
        "bench tpcc --part 0|part = 0.0, rule: above 0, at most 1",
        "bench tpcc --part 1.1|part = 1.1, rule: above 0, at most 1",
        "bench tpcc --mix writes|unknown mix 'writes'; choose from standard, read-mostly",
        "bench tpcc --threads 0|--threads = 0, rule: 1 to 1000",
        "bench tpcc --rounds 0|--rounds = 0, rule: 1 to 1000",
        "bench tpcc --seconds 0|--seconds = 0.0, rule: 0.1 to 86400",
        "bench tpcc --memory 1KiB|--memory = 1024, rule: at least 67108864 (64 MiB)",
        "bench tpcc --splits 25,91|--splits = 91, rule: 1 to 90",
        "bench tpcc --memory 64MiB --splits 25,90|--splits = 90, with which Loam does not open",
        "bench tpcc --peers inline-btree|--peers = inline-btree, rule: an engine with a log",
        "bench tpcc --peers leveldb|unknown peer 'leveldb'; choose from loam",
        "bench tpcc --records 1000|--records",
        "demo --kills -1|--kills = -1, rule: 0 to 1000",
        "demo --records 1|--records = 1, rule: at least 1000",
        "demo --source moon|moon",
        "demo --unknown|--unknown",
        "asterixdb --stop --status|mutually exclusive",
        "asterixdb --port 0|--port = 0, rule: 1024 to 65531",
        "asterixdb --port 65532|--port = 65532, rule: 1024 to 65531",
        "asterixdb --memory 1MiB|--memory = 1048576, rule: at least",
        "asterixdb --storage paper|paper",
        "asterixdb suite --settings {\"tuner\":{\"mode\":\"GUESS\"}}|--settings: tuner.mode: ",
        "asterixdb suite --alternate tuner.mode|--alternate = tuner.mode, rule: <name>=<value>",
        "asterixdb suite --alternate tuner.mode=GUESS|--alternate: tuner.mode: ",
        "asterixdb suite --alternate page.size=4KiB|--alternate: page.size: fixed",
        "nothing|nothing",
        "quer|'quer', did you mean 'query'?",
        "bench latncy|did you mean 'latency'?",
        "verify --memry 64MiB|did you mean '--memory'?",
        "''|a command is missing",
      })
  void aWrongCommandLineIsOneLineThatPointsToHelp(String line, String message) {
    LoamProcess.Result result = inProcess(line.isEmpty() ? new String[0] : line.split(" "));
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err()).startsWith("loam").contains(message).contains("--help'");
  }

  private static LoamProcess.Result with(String[] end, String... beginning) {
    return inProcess(Stream.concat(Stream.of(beginning), Stream.of(end)).toArray(String[]::new));
  }

  @Test
  void anArgumentThatBeginsWithAnAtSignIsNoFile() throws IOException {
    String key = "@" + Files.writeString(directory.resolve("k"), "7");
    String database = directory.resolve("db").toString();
    Path records = directory.resolve("records.jsonl");
    Files.writeString(records, "{\"id\":7}\n{\"id\":\"" + key + "\"}\n");
    String[] end = {"--dataset", "d", "--directory", database, "--memory", "64MiB"};
    assertThat(with(end, "ingest", records.toString(), "--key", "id").exitCode()).isZero();
    assertThat(with(end, "delete", key).out()).isEqualTo("1 deleted, 0 not there" + NL);
    assertThat(with(end, "get", "7").out()).isEqualTo("{\"id\":7}" + NL);
    LoamProcess.Result absent = with(end, "get", "@" + directory);
    assertThat(absent.exitCode()).as(absent.toString()).isEqualTo(1);
    assertThat(absent.err().lines()).hasSize(1);
  }

  private LoamProcess.Result create(String option, String value) {
    String database = directory.resolve("db").toString();
    return inProcess(
        "create", "--dataset", "d", "--key", "id", "--directory", database, option, value);
  }

  private void refused(LoamProcess.Result result, int exitCode, String... told) {
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(exitCode);
    assertThat(result.err().lines()).as(result.toString()).hasSize(1);
    assertThat(result.err()).startsWith("loam: ").contains(told);
  }

  @Test
  void aConfigurationThatCannotBeReadIsNamedWithTheReason() throws IOException {
    Path file = directory.resolve("settings.yaml");
    Files.writeString(file, "memory: {total: 64MiB");
    refused(create("--config", file.toString()), 2, file.toString(), "line 1", "expected ','");
    Files.writeString(file, "memory: {total: 1MiB}");
    refused(create("--config", file.toString()), 2, file.toString(), "memory.total: 1MiB, must");
    Files.write(file, new byte[] {(byte) 0xff, 0});
    refused(create("--config", file.toString()), 2, file.toString(), "not UTF-8");
    refused(create("--config", directory.toString()), 3, directory.toString(), "Is a directory");
  }

  @Test
  void whatCannotBeReachedIsTheSameToAllCommands() throws IOException {
    assertThat(create("--memory", "64MiB").exitCode()).isZero();
    String database = directory.resolve("db").toString();
    Path lock = directory.resolve("db").resolve("lock");
    Files.delete(lock);
    Files.createDirectory(lock);
    String checkpoint = "checkpoint --to " + directory.resolve("copy");
    for (String command : List.of("stats", "verify", "scan --dataset d", checkpoint)) {
      String[] line = (command + " --directory " + database).split(" ");
      refused(inProcess(line), 3, lock.toString(), "--directory");
    }
    Path history = Files.createDirectory(lock.resolveSibling("tuner-history"));
    refused(inProcess("tuner", "--directory", database), 3, history.toString(), "--directory");
  }

  @Test
  void moreMemoryThanThereIsIsRefused() throws IOException {
    String overcommit = Files.readString(Path.of("/proc/sys/vm/overcommit_memory"));
    assumeThat(overcommit.strip()).as("the system promises all memory").isNotEqualTo("1");
    refused(create("--memory", "4TiB"), 2, "memory.total is 4TiB", "does not get", "lower it");
    assertThat(directory.resolve("db")).doesNotExist();
    assertThat(create("--memory", "64MiB").exitCode()).isZero();
  }

  @Test
  void aSmallDemoLosesNothing() throws IOException {
    Path kept = directory.resolve("kept");
    LoamProcess.Result result =
        LoamProcess.run(
            "demo",
            "--source",
            "tpch",
            "--records",
            "4000",
            "--kills",
            "2",
            "--json",
            "--keep",
            "--directory",
            kept.toString());
    assertThat(result.exitCode()).as(result.toString()).isZero();
    JsonNode report = new ObjectMapper().readTree(result.out());
    assertThat(report.get("records").intValue()).isEqualTo(4000);
    assertThat(report.get("kills").intValue()).isEqualTo(2);
    assertThat(report.get("acknowledged").intValue()).isPositive();
    assertThat(report.get("lost").intValue()).isZero();
    assertThat(report.get("tornBatches").intValue()).isZero();
    assertThat(report.get("reads").get("wrong").intValue()).isZero();
    assertThat(report.get("reads").get("inReverse").intValue()).isPositive();
    assertThat(report.get("reads").get("byIndex").intValue()).isPositive();
    assertThat(report.get("dataset").textValue()).isEqualTo("ORDERS");
    assertThat(report.get("indexEntries").intValue()).isGreaterThan(4 * 4000);
    assertThat(report.get("indexEntriesPerSecond").intValue()).isPositive();
    assertThat(report.get("movedIndexEntries").intValue()).isPositive();
    assertThat(report.get("verify").get("findings").intValue()).isZero();
    assertThat(report.get("verify").get("records").intValue()).isPositive();
    assertThat(report.get("directory").textValue()).isEqualTo(kept.toString());
    assertThat(kept.resolve("database")).exists();
  }

  @Test
  void aSmallBenchmarkRunsInAChildProcess() throws IOException {
    Path work = directory.resolve("bench");
    LoamProcess.Result result =
        LoamProcess.run(
            "bench",
            "kv",
            "--data",
            "cached",
            "--records",
            "2000",
            "--memory",
            "64MiB",
            "--workloads",
            "load,sync",
            "--threads",
            "2",
            "--rounds",
            "1",
            "--seconds",
            "0.2",
            "--json",
            "--directory",
            work.toString());
    assertThat(result.exitCode()).as(result.toString()).isZero();
    JsonNode report = new ObjectMapper().readTree(result.out());
    assertThat(report.get("rows").findValuesAsText("workload")).containsExactly("load", "sync");
    assertThat(report.get("rows").findValuesAsText("engine")).containsOnly("loam");
    assertThat(report.get("rounds")).hasSize(1);
    assertThat(work).doesNotExist();
  }
}
