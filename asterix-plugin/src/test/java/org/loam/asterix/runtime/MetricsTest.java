package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.asterix.node.NodeReport;
import org.loam.common.config.EngineConfig;

/** What a node reports, as JSON and as Prometheus reads it. */
class MetricsTest {
  private static final String SAMPLE =
      "(loam_[a-z_]+)(\\{[a-z]+=\"([^\"\\\\\n]|\\\\[\\\\\"n])*\"})? -?[0-9.E-]+";

  @TempDir Path directory;

  private NodeReport report(String... trees) {
    EngineConfig config = EngineConfig.builder().memoryTotalBytes(64L << 20).build();
    try (LoamNode node = new LoamNode(directory.resolve("loam"), config, () -> 1L)) {
      for (String tree : trees) {
        node.openTree(tree, directory, true, () -> {}).put(new byte[] {1}, new byte[] {2});
      }
      return node.report();
    }
  }

  @Test
  void everyLineIsOneThatPrometheusReads() {
    String odd = "storage/partition_0/a\"b/c\\d\n/0/c\\d\n";
    String text = Metrics.text(report(odd));
    assertThat(text).endsWith("\n");
    Set<String> declared = new HashSet<>();
    for (String line : text.split("\n")) {
      if (line.startsWith("# TYPE ")) {
        assertThat(line).matches("# TYPE loam_[a-z_]+ (gauge|counter)");
        assertThat(declared.add(line.split(" ")[2])).as(line).isTrue();
      } else if (!line.startsWith("# HELP ")) {
        assertThat(line).matches(SAMPLE);
        assertThat(declared).contains(line.split("[{ ]")[0]);
      }
    }
    assertThat(text)
        .contains("loam_dataset_memory_bytes{dataset=\"a\\\"b.c\\\\d\\n\"} ")
        .containsPattern("loam_write_memory_live_bytes [1-9]")
        .contains("loam_write_memory_leaving_bytes 0\n")
        .contains("loam_ghost_hits_total{access=\"query\"} 0\n")
        .contains("loam_memory_total_bytes " + (64L << 20) + "\n")
        .contains("loam_disk_full{directory=\"" + directory.resolve("loam") + "\"} 0\n");
  }

  @Test
  void aNameWithTheMarkOfDataversesIsNotThatOfAnotherDataset() {
    assertThat(datasets("storage/partition_0/a/^b/^c/0/^c", "storage/partition_0/a/^b/c/0/c"))
        .containsExactly("a.b.^c", "a.b.c");
  }

  /** A path has the name of the dataset twice, and a tree has one of at most 255 bytes. */
  @Test
  void aDatasetWithALongNameIsOne() {
    String name = "注文".repeat(20);
    assertThat(
            datasets(
                "storage/partition_0/a/^b/" + name + "/0/" + name,
                "storage/partition_1/a/^b/" + name + "/0/byWord" + "0".repeat(200)))
        .containsExactly("a.b." + name);
  }

  private List<String> datasets(String... trees) {
    return LoamServlet.json(report(trees)).path("datasets").findValuesAsText("name");
  }

  @Test
  void bytesAreSummedUpByDataset() {
    ObjectNode json =
        LoamServlet.json(
            report(
                "storage/partition_0/a/^b/lines/0/lines",
                "storage/partition_1/a/^b/lines/0/byWord",
                "storage/partition_1/a/lines/0/lines"));
    assertThat(json.path("datasets").findValuesAsText("name"))
        .containsExactly("a.b.lines", "a.lines");
    assertThat(json.path("datasets").findValuesAsText("trees")).containsExactly("2", "1");
    assertThat(json.path("datasets").path(0).path("memoryBytes").longValue()).isPositive();
    assertThat(json.path("trees")).hasSize(3);
    assertThat(json.path("health").path("fence").isNull()).isTrue();
    assertThat(json.path("health").path("disks").path(0).path("freeBytes").longValue())
        .isPositive();
  }
}
