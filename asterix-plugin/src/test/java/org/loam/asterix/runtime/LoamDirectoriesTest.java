package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Tree;

/** A node that begins anew finds directories of an earlier cluster on its I/O devices. */
class LoamDirectoriesTest {
  @TempDir Path machine;

  private List<Path> directories = List.of();

  @BeforeEach
  void makeDevices() throws IOException {
    List<IODeviceHandle> devices = new ArrayList<>();
    for (String name : List.of("one", "two", "three")) {
      devices.add(new IODeviceHandle(Files.createDirectory(machine.resolve(name)).toFile(), "."));
    }
    directories = LoamDirectories.on(devices);
  }

  private LoamNode open(List<Path> wanted) {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    return new LoamNode(wanted, config, () -> 1L);
  }

  private Path device(int number) {
    return machine.resolve(List.of("one", "two", "three").get(number));
  }

  /** A node has an index on each of its devices. */
  private void fill(List<Path> wanted) {
    try (LoamNode node = open(wanted)) {
      for (int i = 0; i < wanted.size(); i++) {
        Tree tree = node.openTree("index" + i, device(i), true, () -> {});
        tree.put(new byte[] {1}, new byte[1000]);
        tree.flush();
      }
    }
  }

  private void requireNew() {
    try (LoamNode node = open(directories)) {
      assertThat(node.statistics().trees()).isEmpty();
    }
    fill(directories);
  }

  @Test
  void eachDeviceHasOne() {
    assertThat(directories)
        .containsExactly(
            device(0).resolve("loam"), device(1).resolve("loam"), device(2).resolve("loam"));
  }

  @Test
  void whereThereIsNothingThereIsNothingToDelete() throws Exception {
    LoamDirectories.empty(directories);
    assertThat(directories).noneMatch(Files::exists);
    requireNew();
  }

  @Test
  void anEarlierNodeLeavesNothing() throws Exception {
    fill(directories);
    LoamDirectories.empty(directories);
    requireNew();
  }

  /** Its first device is another one, so that the engine that those on the others had is gone. */
  @Test
  void whatIsOnOtherDevicesThanTheFirstIsDeletedToo() throws Exception {
    fill(directories);
    LoamDirectories.empty(directories.subList(0, 1));
    assertThatThrownBy(() -> open(directories)).isInstanceOf(IllegalArgumentException.class);
    LoamDirectories.empty(directories);
    requireNew();
  }

  @Test
  void nothingElseOnADeviceIsDeleted() throws Exception {
    Path other = Files.writeString(device(1).resolve("other"), "not Loam's");
    fill(directories);
    LoamDirectories.empty(directories);
    assertThat(other).hasContent("not Loam's");
  }

  /** Else the node would have its data on the device, and not where the operator wants it. */
  @Test
  void aLinkToAnotherPlaceStays() throws Exception {
    Path elsewhere = Files.createDirectory(machine.resolve("elsewhere"));
    Files.createSymbolicLink(directories.get(1), elsewhere);
    fill(directories);
    assertThat(elsewhere).isNotEmptyDirectory();
    LoamDirectories.empty(directories);
    assertThat(elsewhere).isEmptyDirectory();
    assertThat(directories.get(1)).isSymbolicLink();
    requireNew();
    assertThat(elsewhere).isNotEmptyDirectory();
  }
}
