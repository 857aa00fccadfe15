package org.loam.asterix.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.EngineConfig;
import org.loam.engine.MergeOptions;
import org.loam.engine.Tree;

/** The engine of a node, without AsterixDB. */
class LoamNodeTest {
  private static final byte[] KEY = {1};

  @TempDir Path directory;

  private LoamNode open() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    return new LoamNode(directory, config, () -> 1L);
  }

  @Test
  void aTreeIsThereAgainUnlessItsIndexIsNew() {
    try (LoamNode node = open()) {
      Tree tree = node.openTree("a/b", directory, true, () -> {});
      tree.put(KEY, KEY);
      tree.flush();
      node.closeTree(tree);
    }
    try (LoamNode node = open()) {
      Tree tree = node.openTree("a/b", directory, false, () -> {});
      assertThat(tree.get(KEY)).isEqualTo(KEY);
      node.closeTree(tree);
      assertThat(node.openTree("a/b", directory, true, () -> {}).get(KEY)).isNull();
    }
  }

  @Test
  void treesOfIndexesThatAreGoneAreDropped() {
    String path = "p/" + "x".repeat(300);
    try (LoamNode node = open()) {
      node.openTree("a", directory, true, () -> {});
      node.openTree(path, directory, true, () -> {}).put(KEY, KEY);
      node.retain(List.of(path));
      assertThat(node.statistics().trees()).hasSize(1);
      assertThat(node.openTree(path, directory, false, () -> {}).get(KEY)).isEqualTo(KEY);
    }
  }

  private LoamNode open(String... devices) {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    List<Path> directories =
        Stream.of(devices).map(device -> directory.resolve(device).resolve("loam")).toList();
    return new LoamNode(directories, config, () -> 1L);
  }

  private List<String> tablesOn(String device) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve(device))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(f -> f.endsWith(".sst"))
          .toList();
    }
  }

  @Test
  void aTreeIsOnTheDeviceOfItsIndex() throws IOException {
    try (LoamNode node = open("one", "two", "three")) {
      Tree tree = node.openTree("a", directory.resolve("x/../two"), true, () -> {});
      tree.put(KEY, KEY);
      tree.flush();
      assertThat(tablesOn("two")).hasSize(1);
      Tree cleared = node.recreate(tree);
      assertThat(cleared.get(KEY)).isNull();
      cleared.put(KEY, KEY);
      cleared.flush();
      Tree first = node.openTree("b", directory.resolve("one"), true, () -> {});
      first.put(KEY, KEY);
      first.flush();
      Tree elsewhere = node.openTree("c", directory.resolve("four"), true, () -> {});
      assertThat(List.of(cleared.directory(), first.directory(), elsewhere.directory()))
          .containsExactly(1, 0, 0);
    }
    assertThat(tablesOn("one")).hasSize(1);
    assertThat(tablesOn("two")).hasSize(1);
    assertThat(tablesOn("three")).isEmpty();
    // The first is that of the engine; the others may come in any order.
    try (LoamNode node = open("one", "three", "two")) {
      Tree tree = node.openTree("a", directory.resolve("two"), false, () -> {});
      assertThat(tree.get(KEY)).isEqualTo(KEY);
      assertThat(node.openTree("d", directory.resolve("three"), true, () -> {}).directory())
          .isEqualTo(2);
      assertThat(node.openTree("a", directory.resolve("two"), true, () -> {}).directory())
          .isEqualTo(1);
    }
  }

  @Test
  void aDeviceThatIsMissingOrAnothersStopsTheNode() {
    try (LoamNode node = open("one", "two")) {
      node.openTree("a", directory.resolve("two"), true, () -> {});
    }
    open("three", "four").close();
    requireRefused("data directory 1 of the database in", "is missing", "one");
    requireRefused("where these trees live: a", "is its device mounted?", "one", "five");
    requireRefused("belongs to database", "name a directory of this database", "one", "four");
    open("one", "two").close();
  }

  private void requireRefused(String message, String remedy, String... devices) {
    assertThatThrownBy(() -> open(devices))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(message, remedy);
  }

  @Test
  void treesAreMergedAsTheirIndexesSayWheneverTheyAreMade() {
    MergeOptions options = new MergeOptions(4, 2, 8);
    try (LoamNode node = open()) {
      node.setMergeOptions("a", options);
      Tree tree = node.openTree("a", directory, true, () -> {});
      assertThat(merges(node, "a")).isEqualTo(options);
      node.recreate(tree);
      assertThat(merges(node, "a")).isEqualTo(options);
      node.openTree("b", directory, true, () -> {});
      assertThat(merges(node, "b")).isNull();
      node.setMergeOptions("b", options);
      assertThat(merges(node, "b")).isEqualTo(options);
      node.dropTree("b");
      node.openTree("b", directory, true, () -> {});
      assertThat(merges(node, "b")).isNull();
    }
  }

  private static @Nullable MergeOptions merges(LoamNode node, String tree) {
    return node.statistics().trees().stream()
        .filter(found -> found.name().equals(tree))
        .findFirst()
        .orElseThrow()
        .merges();
  }

  @Test
  void aLongPathHasAShortNameOfItsOwn() {
    String path = "p/" + "ü".repeat(300);
    String name = LoamNode.treeName(path);
    assertThat(name.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(255);
    assertThat(name).isNotEqualTo(LoamNode.treeName("q/" + "ü".repeat(300)));
    assertThat(LoamNode.treeName("short/path")).isEqualTo("short/path");
  }

  @Test
  void whoMakesMemoryShortIsToldToFlushAndMemoryIsFullUntilThen() {
    try (LoamNode node = open()) {
      boolean[] flushed = new boolean[1];
      Tree[] trees = new Tree[1];
      trees[0] =
          node.openTree(
              "a",
              directory,
              true,
              () -> {
                trees[0].flush();
                flushed[0] = true;
              });
      assertThat(node.isFull()).isFalse();
      byte[] value = new byte[10_000];
      for (int i = 0; i < 10_000; i++) {
        trees[0].put(new byte[] {(byte) (i >> 8), (byte) i}, value);
      }
      assertThat(flushed[0]).isTrue();
      assertThat(node.statistics().work().flushes()).isPositive();
    }
  }
}
