package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;

/** Real processes: AsterixDB itself, and nodes that cannot start. */
class AsterixClusterTest {
  private static final Path ROOT = Path.of("..");

  @TempDir Path directory;

  private Path home;
  private ClusterSettings settings;

  @BeforeEach
  void choosePorts() {
    home = directory.resolve("cluster");
    settings = FreePorts.settings(Storage.STOCK);
  }

  @AfterEach
  void leaveNoProcessBehind() throws InterruptedException {
    for (Node node : Node.values()) {
      new NodeProcess(node, new ClusterFiles(home)).kill();
    }
  }

  @Test
  @Tag("soak")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aClusterKeepsItsRecordsWhenANodeIsKilled() throws InterruptedException {
    AsterixCluster cluster = new AsterixCluster(home, new Artifacts(ROOT));
    assertThat(cluster.status().state()).isEqualTo("STOPPED");
    assertThat(cluster.start(settings)).containsExactlyInAnyOrder(Node.values());
    assertThat(cluster.start(settings)).isEmpty();
    assertThat(cluster.status().isActive()).isTrue();
    assertThat(cluster.status().nodes())
        .allSatisfy(
            node -> {
              assertThat(node.state()).isEqualTo("ACTIVE");
              assertThat(node.processId()).isNotNull();
              assertThat(node.residentBytes()).isBetween(100L << 20, 1L << 30);
            });
    assertThatThrownBy(() -> cluster.start(ClusterSettings.DEFAULT))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("port " + settings.port());

    assertThat(
            cluster.rows(
                """
                CREATE DATAVERSE shop;
                USE shop; -- for all that follow; and no more
                CREATE TYPE OrderType AS { id: bigint };
                CREATE DATASET orders(OrderType) PRIMARY KEY id;
                CREATE INDEX city ON orders(address.city: string?);
                """))
        .isEmpty();
    // Enough that each node has some.
    StringBuilder records = new StringBuilder();
    for (int id = 0; id < 100; id++) {
      records.append(id == 0 ? "" : ",").append(record(id, id % 10 == 0 ? "Oslo; Bergen" : "Rome"));
    }
    cluster.run("USE shop; UPSERT INTO orders ([" + records + "]);", row -> {});
    requireRecords(cluster);

    cluster.kill(Node.NC2);
    assertThat(cluster.status().isActive()).isFalse();
    assertThat(cluster.status().nodes().get(2).state()).isEqualTo("DEAD");
    assertThat(cluster.start(settings)).containsExactly(Node.NC2);
    requireRecords(cluster);

    assertThatThrownBy(() -> cluster.rows("USE shop;\nSELECT VALUE 1;\n\nSELECT * FROM nothing;"))
        .isInstanceOfSatisfying(
            StatementException.class,
            e -> {
              assertThat(e.code()).isEqualTo("ASX1077");
              assertThat(e.line()).isEqualTo(4);
              assertThat(e).hasMessageContaining("nothing").hasMessageContaining("in line 4");
            });

    assertThat(cluster.stop()).isEmpty();
    assertThat(cluster.isRunning()).isFalse();
    assertThat(cluster.status().state()).isEqualTo("STOPPED");
  }

  private static String record(int id, String city) {
    return "{\"id\":" + id + ",\"address\":{\"city\":\"" + city + "\"}}";
  }

  private static void requireRecords(AsterixCluster cluster) throws InterruptedException {
    List<JsonNode> rows =
        cluster.rows(
            """
            USE shop;
            SELECT VALUE o FROM orders o WHERE o.address.city = "Oslo; Bergen" ORDER BY o.id;
            SELECT VALUE COUNT(*) FROM orders;
            """);
    assertThat(rows).hasSize(11);
    assertThat(Json.line(rows.get(1))).isEqualTo(record(10, "Oslo; Bergen"));
    assertThat(rows.get(10).intValue()).isEqualTo(100);
  }

  /** A clone whose class path was resolved before, as it seems. */
  private Path resolvedClone(Path jar) throws IOException {
    Path root = directory.resolve("root");
    Path state = Files.createDirectories(root.resolve("workbench/target/asterixdb"));
    Files.createDirectories(pom(root).getParent());
    Files.writeString(pom(root), "<project/>");
    Files.copy(pom(root), state.resolve("pom.xml"));
    Files.writeString(state.resolve("classpath"), jar + "\n");
    return root;
  }

  private static Path pom(Path root) {
    return root.resolve("asterix-plugin/cluster/pom.xml");
  }

  @Test
  void whatWasStartedIsStoppedAgainIfANodeFails() throws IOException, InterruptedException {
    // It is there, but has no class.
    AsterixCluster cluster = new AsterixCluster(home, new Artifacts(resolvedClone(directory)));
    assertThatThrownBy(() -> cluster.start(settings))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("has ended")
        .hasMessageContaining(home.toString());
    assertThat(cluster.isRunning()).isFalse();
    for (Node node : EnumSet.allOf(Node.class)) {
      assertThat(new ClusterFiles(home).processId(node)).doesNotExist();
    }
  }

  @Test
  void theClassPathIsKeptUntilThePomChangesOrAJarIsGone() throws IOException {
    Path jar = Files.createFile(directory.resolve("a.jar"));
    Path root = resolvedClone(jar);
    Artifacts artifacts = new Artifacts(root);
    assertThat(artifacts.classPath()).isEqualTo(jar.toString());
    Files.delete(jar);
    // Maven cannot do anything with this pom.
    requireFailureWithLog(artifacts, root);
    Files.createFile(jar);
    requireFailureWithLog(artifacts, root);
    Files.copy(pom(root), root.resolve("workbench/target/asterixdb/pom.xml"));
    assertThat(artifacts.classPath()).isEqualTo(jar.toString());
    Files.writeString(pom(root), "<project></project>");
    requireFailureWithLog(artifacts, root);
  }

  private static void requireFailureWithLog(Artifacts artifacts, Path root) {
    Path log = root.resolve("workbench/target/asterixdb/resolve.log");
    assertThatThrownBy(artifacts::classPath)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(log.toString());
    assertThat(log).isNotEmptyFile();
  }

  @Test
  void withoutAPomThereIsNothingToFetch() {
    assertThatThrownBy(new Artifacts(directory)::classPath)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("pom.xml")
        .hasMessageContaining("clone of Loam");
  }
}
