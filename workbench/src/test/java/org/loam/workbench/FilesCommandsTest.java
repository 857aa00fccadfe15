package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.real.RealEnv;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;

/**
 * What {@code verify} and {@code inspect} print. Compared with the files beside this class in the
 * test resources; {@code -Drewrite=true} writes those instead.
 */
class FilesCommandsTest {
  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(256L << 20)
          .flushThreads(1)
          .mergesWhenQuiet(false)
          .build();

  private static final int PAGE_BYTES = CONFIG.memory().pageBytes();

  @TempDir Path directory;

  private Path data;

  /** What a user sees of one command. */
  private record Result(int exitCode, String out, String err) {}

  private Result run(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of(line.split(" ")));
    if (!line.contains("sstable") && !line.equals("inspect")) {
      arguments.addAll(List.of("--directory", data.toString()));
    }
    int exitCode =
        Loam.execute(
            new PrintWriter(out), new PrintWriter(err), false, arguments.toArray(new String[0]));
    return new Result(exitCode, out.toString(), err.toString());
  }

  @BeforeEach
  void fill() {
    data = directory.resolve("db");
    try (Engine engine = Engine.open(data, CONFIG)) {
      JsonDataset orders =
          JsonDataset.create(
              engine,
              "orders",
              List.of("id"),
              List.of(JsonIndex.of("by_article", "lines[].article")));
      for (int i = 1; i < 4; i++) {
        String json =
            "{\"id\":" + i + ",\"lines\":[{\"article\":\"nail\"},{\"article\":\"a" + i + "\"}]}";
        orders.upsert(json.getBytes(UTF_8));
      }
      Tree plain = engine.createTree("plain");
      plain.put("key1".getBytes(UTF_8), new byte[20_000]);
      plain.put("key2".getBytes(UTF_8), "v".getBytes(UTF_8));
      plain.delete("key3".getBytes(UTF_8));
    }
  }

  /**
   * Without what differs from run to run: places, random numbers and checksums, and how many
   * segments were prepared ahead before the engine was closed.
   */
  private String normal(String out) {
    return out.replace(data.toString(), "DB")
        .replaceAll("(database|salt) [0-9a-f]+", "$1 #")
        .replaceAll("(checksum|stored|the bytes) [0-9a-f]{5,8}", "$1 #")
        .replaceAll("log: [0-9]+ segments", "log: # segments")
        .replaceAll("log-[0-9]+\\.seg(: free,|\\.new: its creation).*\n", "");
  }

  private void golden(String name, Result result, int exitCode) throws IOException {
    String found = normal(result.out());
    if (Boolean.getBoolean("rewrite")) {
      Files.writeString(Path.of("src/test/resources/org/loam/workbench", name), found);
      return;
    }
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isEqualTo(exitCode);
    try (InputStream in = FilesCommandsTest.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("no resource " + name);
      }
      assertThat(found).isEqualTo(new String(in.readAllBytes(), UTF_8));
    }
  }

  private Path table(int id) {
    return data.resolve("data").resolve(String.format(Locale.ROOT, "%08d.sst", id));
  }

  private static void flip(Path file, long offset) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      channel.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 1)}), offset);
    }
  }

  // ---- verify

  @Test
  void verifyOfASoundDatabase() throws IOException {
    golden("verify.txt", run("verify"), 0);
  }

  @Test
  void verifyOfADamagedDatabase() throws IOException {
    for (int id = 1; id <= 3; id++) {
      flip(table(id), 100);
    }
    golden("verify-damaged.txt", run("verify"), 1);
  }

  @Test
  void verifyOfADatabaseWhoseManifestHasNoName() throws IOException {
    Files.delete(data.resolve("current"));
    Result result = run("verify");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("no file named current although there is").contains("backup");
  }

  @Test
  void verifyAsJson() throws IOException {
    JsonNode report = new ObjectMapper().readTree(run("verify --json").out());
    assertThat(report.path("findingCount").asLong(-1)).isZero();
    assertThat(report.path("datasets").path(0).path("records").asLong()).isEqualTo(3);
    assertThat(report.path("datasets").path(0).path("indexes").path(0).path("entries").asLong())
        .isEqualTo(6);
    flip(table(1), 100);
    Result result = run("verify --json");
    assertThat(result.exitCode()).isEqualTo(1);
    JsonNode damaged = new ObjectMapper().readTree(result.out());
    assertThat(damaged.path("findings").path(0).path("place").asText()).contains(".sst");
    assertThat(damaged.path("findings").path(0).path("remedy").asText()).contains("restore");
  }

  // ---- inspect

  @Test
  void inspectManifest() throws IOException {
    golden("inspect-manifest.txt", run("inspect manifest --edits"), 0);
    Path manifest;
    try (Stream<Path> files = Files.list(data)) {
      manifest = files.filter(f -> f.toString().contains("manifest-")).findAny().orElseThrow();
    }
    flip(manifest, 4096 + 30);
    golden("inspect-manifest-damaged.txt", run("inspect manifest"), 1);
    Files.delete(data.resolve("current"));
    assertThat(run("inspect manifest").out())
        .contains("damaged: " + data.resolve("current") + " is missing; restore it from a backup");
  }

  @Test
  void inspectSSTable() throws IOException {
    for (int id = 1; id <= 3; id++) {
      String name = "inspect-sstable-" + id + ".txt";
      golden(name, run("inspect sstable " + table(id) + " --pages --entries"), 0);
    }
    assertThat(run("inspect sstable " + table(1) + " --entries --limit 1").out().lines())
        .hasSize(run("inspect sstable " + table(1)).out().split("\n").length + 1);
    flip(table(3), PAGE_BYTES + 50L);
    golden("inspect-sstable-damaged.txt", run("inspect sstable " + table(3)), 1);
    Files.writeString(table(3), "nothing");
    golden("inspect-sstable-none.txt", run("inspect sstable " + table(3)), 1);
  }

  @Test
  void inspectLog() throws IOException {
    golden("inspect-log.txt", run("inspect log --frames"), 0);
    assertThat(run("inspect log --frames --limit 2").out().lines().filter(l -> l.startsWith("LSN")))
        .hasSize(2);
    for (Path segment : segments()) {
      flip(segment, 40);
      flip(segment, Files.size(segment) - 4096 + 40);
    }
    assertThat(run("inspect log").exitCode()).isEqualTo(1);
    assertThat(run("inspect log").out())
        .contains("it cannot be told where it ends")
        .contains("damaged: log segment ", "restore the file from a backup");
  }

  /** A log that is elsewhere, or of a host, is no damage. */
  @Test
  void inspectLogOfADatabaseWithoutOne() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("log"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(data.resolve("log"));
    Result elsewhere = run("inspect log");
    assertThat(elsewhere.exitCode()).isEqualTo(3);
    assertThat(elsewhere.out()).isEmpty();
    assertThat(elsewhere.err())
        .contains(data.resolve("log").toString(), "log.directory", "--config");

    data = Files.createDirectory(directory.resolve("hosted"));
    DatabaseIdentity identity = new DatabaseIdentity(1, PAGE_BYTES, DatabaseIdentity.HOST_LOG);
    try (Manifest manifest = Manifest.create(RealEnv.create(), data, identity)) {
      manifest.start();
      manifest.commit(ManifestEdit.of(new ManifestEdit.Truncate(77)));
    }
    Result hosted = run("inspect log");
    assertThat(hosted.exitCode()).isEqualTo(2);
    assertThat(hosted.out()).isEmpty();
    assertThat(hosted.err()).contains(data.toString(), "has no log", "host");
    Result below = run("inspect manifest");
    assertThat(below.exitCode()).isZero();
    assertThat(below.out()).contains("log: none", "host").doesNotContain(" 77");
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("log"))) {
      return files.filter(f -> f.toString().endsWith(".seg")).toList();
    }
  }

  @Test
  void inspectAsJson() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode manifest = mapper.readTree(run("inspect manifest --json").out());
    assertThat(manifest.path("state").path("trees").path(2).path("name").asText())
        .isEqualTo("plain");
    JsonNode table = mapper.readTree(run("inspect sstable --json --pages " + table(1)).out());
    assertThat(table.path("footer").path("pageCount").asInt())
        .isEqualTo(table.path("pageList").size());
    assertThat(table.path("footer").fieldNames())
        .toIterable()
        .containsExactly(
            "fileId",
            "salt",
            "checksum",
            "pageBytes",
            "pageCount",
            "entries",
            "antiMatter",
            "keys",
            "minKey",
            "maxKey",
            "longestKeyBytes",
            "minLsn",
            "maxLsn",
            "keepsLsns",
            "severalVersions",
            "leafPages",
            "overflowPages",
            "filterPages",
            "filterProbes",
            "filterBitsPerKey",
            "indexLevels",
            "rootPage");
    assertThat(manifest.path("state").fieldNames())
        .toIterable()
        .containsExactly(
            "databaseId",
            "pageBytes",
            "featureBits",
            "directoriesId",
            "nextTreeId",
            "nextFileId",
            "nextDirectory",
            "truncationLsn",
            "maxComponentLsn",
            "sealed",
            "dropped",
            "trees");
    assertThat(manifest.path("state").path("trees").path(0).path("components").path(0).fieldNames())
        .toIterable()
        .containsExactly(
            "file",
            "level",
            "group",
            "sizeBytes",
            "entries",
            "antiMatter",
            "minKey",
            "maxKey",
            "minLsn",
            "maxLsn");
    JsonNode log = mapper.readTree(run("inspect log --json --frames").out());
    assertThat(log.path("frames").path(0).path("lsn").asLong()).isPositive();
  }

  // ---- Refusals.

  @Test
  void whatIsNotThereIsOneLineWithTheRemedy() throws IOException {
    data = directory.resolve("none");
    for (String line : List.of("verify", "inspect manifest", "inspect log")) {
      Result result = run(line);
      assertThat(result.exitCode()).as(line).isEqualTo(3);
      assertThat(result.out()).isEmpty();
      assertThat(result.err().lines()).hasSize(1);
      assertThat(result.err()).contains("--directory");
      assertThat(data).doesNotExist();
    }
    data = Files.writeString(directory.resolve("file"), "no database");
    assertThat(run("inspect manifest").exitCode()).isEqualTo(3);
    assertThat(run("inspect log").exitCode()).isEqualTo(3);
    Result table = run("inspect sstable " + directory.resolve("x.sst"));
    assertThat(table.exitCode()).isEqualTo(2);
    assertThat(table.err()).contains("x.sst is not there; 'loam inspect manifest' lists");
    Result other = run("inspect sstable " + directory);
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.err()).contains(" is a directory; 'loam inspect manifest' lists");
    assertThat(run("inspect sstable x --limit -1").err()).contains("--limit = -1, rule: 0 or more");
    assertThat(run("inspect").err()).contains("manifest, sstable or log");
  }
}
