package org.loam.asterix.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
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
      Tree tree = node.openTree("a/b", true, () -> {});
      tree.put(KEY, KEY);
      tree.flush();
      node.closeTree(tree);
    }
    try (LoamNode node = open()) {
      Tree tree = node.openTree("a/b", false, () -> {});
      assertThat(tree.get(KEY)).isEqualTo(KEY);
      node.closeTree(tree);
      assertThat(node.openTree("a/b", true, () -> {}).get(KEY)).isNull();
    }
  }

  @Test
  void treesOfIndexesThatAreGoneAreDropped() {
    String path = "p/" + "x".repeat(300);
    try (LoamNode node = open()) {
      node.openTree("a", true, () -> {});
      node.openTree(path, true, () -> {}).put(KEY, KEY);
      node.retain(List.of(path));
      assertThat(node.statistics().trees()).hasSize(1);
      assertThat(node.openTree(path, false, () -> {}).get(KEY)).isEqualTo(KEY);
    }
  }

  @Test
  void treesAreMergedAsTheirIndexesSayWheneverTheyAreMade() {
    MergeOptions options = new MergeOptions(4, 2, 8);
    try (LoamNode node = open()) {
      node.setMergeOptions("a", options);
      Tree tree = node.openTree("a", true, () -> {});
      assertThat(merges(node, "a")).isEqualTo(options);
      node.recreate(tree);
      assertThat(merges(node, "a")).isEqualTo(options);
      node.openTree("b", true, () -> {});
      assertThat(merges(node, "b")).isNull();
      node.setMergeOptions("b", options);
      assertThat(merges(node, "b")).isEqualTo(options);
      node.dropTree("b");
      node.openTree("b", true, () -> {});
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
