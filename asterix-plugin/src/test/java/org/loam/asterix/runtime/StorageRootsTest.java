package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.api.util.IoUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageFiles;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Tree;

/** A node does not take indexes for dropped whose descriptions it cannot see. */
class StorageRootsTest {
  private static final String ONE = "storage/partition_0/d/one/0/one";
  private static final String TWO = "storage/partition_1/d/two/0/two";

  @TempDir Path machine;

  private final List<IODeviceHandle> devices = new ArrayList<>();
  private Path first;
  private Path second;

  @BeforeEach
  void makeDevices() throws IOException {
    first = Files.createDirectory(machine.resolve("first"));
    second = Files.createDirectory(machine.resolve("second"));
    devices.add(new IODeviceHandle(first.toFile(), "."));
    devices.add(new IODeviceHandle(second.toFile(), "."));
  }

  private static void describe(Path device, String index) throws IOException {
    Path directory = Files.createDirectories(device.resolve(index));
    Files.writeString(directory.resolve(".metadata"), "{}");
    Files.writeString(directory.resolve(".idx_checkpoint_1"), "{}");
  }

  private LoamNode open() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    return new LoamNode(LoamDirectories.on(devices), config, () -> 1L);
  }

  /** An index on each device. */
  private void fill() throws IOException {
    describe(first, ONE);
    describe(second, TWO);
    try (LoamNode node = open()) {
      for (Tree tree :
          List.of(
              node.openTree(ONE, first, true, () -> {}),
              node.openTree(TWO, second, true, () -> {}))) {
        tree.put(new byte[] {1}, new byte[1000]);
        tree.flush();
      }
    }
  }

  /** As a node starts. */
  private List<String> start() {
    StorageRoots roots = StorageRoots.on(devices);
    List<String> indexes = roots.indexes();
    try (LoamNode node = open()) {
      roots.requireThoseOf(node.trees());
      node.trees().retain(indexes);
      return node.statistics().trees().stream().map(tree -> tree.name()).toList();
    }
  }

  private void requireRefused(String message) {
    assertThatThrownBy(this::start)
        .isInstanceOf(StartException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void allIndexesAreFound() throws IOException {
    fill();
    Files.writeString(first.resolve("storage/partition_0/other"), "no directory");
    assertThat(start()).containsExactly(ONE, TWO);
  }

  /** As a link to a disk that is not mounted, or a directory without rights. */
  @Test
  void aDirectoryThatCannotBeListedIsRefused() throws IOException {
    fill();
    Path partition = second.resolve("storage/partition_1");
    Path away = Files.move(partition, machine.resolve("away"));
    Files.createSymbolicLink(partition, away.resolve("gone"));
    assertThat(IoUtil.getMatchingFiles(second, (parent, name) -> name.equals(".metadata")))
        .as("what AsterixDB finds")
        .isEmpty();
    requireRefused("cannot list " + partition + ": ");
    Files.delete(partition);
    Files.createSymbolicLink(partition, away);
    assertThat(start()).containsExactly(ONE, TWO);
  }

  @Test
  void aFaultOfTheSystemIsRefused() {
    try (Simulation sim = Simulation.seeded(1)) {
      StorageFiles files = sim.env().files();
      Path root = sim.directory().resolve("storage");
      Path partition = root.resolve("partition_0");
      files.createDirectories(partition);
      StorageRoots roots = new StorageRoots(files, List.of(root));
      assertThat(roots.indexes()).isEmpty();
      sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.LIST).onPath(partition::equals));
      assertThatThrownBy(roots::indexes)
          .isInstanceOf(StartException.class)
          .hasMessageContaining(partition.toString());
    }
  }

  /** AsterixDB makes one that is missing, so that the next start finds an empty one. */
  @Test
  void aRootWithoutPartitionsIsRefusedWhereLoamHasData() throws IOException {
    fill();
    Path root = second.resolve("storage");
    Path away = Files.move(root, machine.resolve("away"));
    requireRefused(root + " is missing or has no partition");
    Files.createDirectories(root.resolve("lost+found"));
    requireRefused(root + " is missing or has no partition");
    Files.delete(root.resolve("lost+found"));
    Files.delete(root);
    Files.move(away, root);
    assertThat(start()).containsExactly(ONE, TWO);
  }

  // ---- What is no mistake.

  @Test
  void aFirstStartHasNothing() throws IOException {
    assertThat(start()).isEmpty();
    Files.createDirectory(first.resolve("storage"));
    assertThat(start()).isEmpty();
  }

  @Test
  void aTreeWithoutDataNeedsNoRoot() {
    try (LoamNode node = open()) {
      node.openTree(ONE, first, true, () -> {});
    }
    assertThat(start()).isEmpty();
  }

  /** The node was killed between the deletion of the descriptions and the drops of the trees. */
  @Test
  void datasetsThatAreDroppedGo() throws IOException {
    fill();
    Files.delete(first.resolve(ONE).resolve(".metadata"));
    Files.delete(second.resolve(TWO).resolve(".metadata"));
    assertThat(start()).isEmpty();
  }
}
