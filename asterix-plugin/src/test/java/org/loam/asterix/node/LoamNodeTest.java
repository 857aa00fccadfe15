package org.loam.asterix.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode.OpenIndex;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.FencedException;
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
      node.trees().retain(List.of(path));
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
      Tree cleared = node.trees().recreate(tree);
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
    requireRefused(
        "belongs to another database", "name a directory of this database", "one", "four");
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
      node.trees().setMergeOptions("a", options);
      Tree tree = node.openTree("a", directory, true, () -> {});
      assertThat(merges(node, "a")).isEqualTo(options);
      node.trees().recreate(tree);
      assertThat(merges(node, "a")).isEqualTo(options);
      node.openTree("b", directory, true, () -> {});
      assertThat(merges(node, "b")).isNull();
      node.trees().setMergeOptions("b", options);
      assertThat(merges(node, "b")).isEqualTo(options);
      node.trees().drop("b");
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
    String name = TreeNames.of(path);
    assertThat(name.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(255);
    assertThat(name).isNotEqualTo(TreeNames.of("q/" + "ü".repeat(300)));
    assertThat(TreeNames.of("short/path")).isEqualTo("short/path");
  }

  /** The end of the path that stays in the name would begin in the middle of a character. */
  @Test
  void aLongPathIsNotCutWithinACharacter() {
    String path = "p/" + "ü".repeat(200) + "😀" + "x".repeat(59);
    try (LoamNode node = open()) {
      Tree tree = node.openTree(path, directory, true, () -> {});
      tree.put(KEY, KEY);
      tree.flush();
    }
    try (LoamNode node = open()) {
      node.trees().retain(List.of(path));
      assertThat(node.openTree(path, directory, false, () -> {}).get(KEY)).isEqualTo(KEY);
    }
  }

  @Test
  void anIndexWhoseTreeCannotBeMadeIsNotOpen() throws Exception {
    try (LoamNode node = open()) {
      Counted refused = new Counted();
      Counted index = new Counted();
      assertThatThrownBy(() -> node.openTree("", directory, true, refused))
          .isInstanceOf(IllegalArgumentException.class);
      node.openTree("a", directory, true, index);
      node.makeRoomForRedo(64L << 20, 1);
      assertThat(index.redone).containsExactly(1L);
      assertThat(refused.redone).isEmpty();
    }
  }

  @Test
  void aTreeThatMakesMemoryShortIsToBeFlushedAndMemoryIsFullUntilThen() {
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

  /** AsterixDB flushes them together, so the engine chooses them together. */
  @Test
  void indexesOfAPartitionAreToBeFlushedTogether() {
    try (LoamNode node = open()) {
      List<String> partition =
          Stream.of("ds", "a", "b", "c", "d", "e", "f").map(name -> "p/ds/0/" + name).toList();
      List<Tree> trees = new ArrayList<>();
      partition.forEach(path -> trees.add(node.openTree(path, directory, true, () -> {})));
      Tree other = node.openTree("p/other/0/other", directory, true, () -> {});
      other.put(KEY, KEY);
      for (int i = 0; node.flushChoices().isEmpty(); i++) {
        trees.get(i % trees.size()).put(new byte[] {(byte) (i >> 8), (byte) i}, new byte[10_000]);
      }
      assertThat(node.flushChoices())
          .extracting(choice -> choice.chosen().tree())
          .containsExactlyInAnyOrderElementsOf(partition);
    }
  }

  @Test
  void whatMayWriteLargeRecordsIsNotKeptOutOnceItHasBegun() throws Exception {
    try (LoamNode node = open()) {
      Tree tree = node.openTree("a", directory, true, () -> {});
      for (int i = 0; !node.isFull(); i++) {
        tree.put(new byte[] {(byte) i}, new byte[3 << 20]);
      }
      boolean[] waited = new boolean[1];
      node.writeLarge(
          2 << 20,
          () -> {
            waited[0] = true;
          },
          () -> assertThat(node.isFull()).isFalse());
      assertThat(waited[0]).isFalse();
      assertThat(node.isFull()).isTrue();
      node.writeLarge(1000, () -> {}, () -> assertThat(node.isFull()).isTrue());
    }
  }

  /** Counts requests, and flushes for a recovery. */
  private static final class Counted implements OpenIndex {
    final CountDownLatch requested = new CountDownLatch(1);
    final List<Long> redone = new ArrayList<>();

    @Override
    public void requestFlush() {
      requested.countDown();
    }

    @Override
    public void flushRedone(long lsn) {
      redone.add(lsn);
    }
  }

  @Test
  void aRecoveryFlushesByItselfWhatTheEngineWants() throws Exception {
    try (LoamNode node = open()) {
      Counted index = new Counted();
      Tree tree = node.openTree("a", directory, true, index);
      node.beginRedo();
      node.flushRedone(1);
      assertThat(index.redone).isEmpty();
      for (int i = 0; index.redone.isEmpty(); i++) {
        tree.put(new byte[] {(byte) (i >> 8), (byte) i}, new byte[1000]);
        node.flushRedone(2);
      }
      assertThat(index.redone).containsExactly(2L);
      assertThat(index.requested.getCount()).isEqualTo(1);
      // It was not flushed, so that the engine asks once more.
      node.endRedo();
      for (int i = 0; index.requested.getCount() > 0; i++) {
        tree.put(new byte[] {(byte) (i >> 8), (byte) i}, new byte[1000]);
      }
      node.flushRedone(3);
      assertThat(index.redone).hasSize(1);
    }
  }

  // ---- Flush requests that fail.

  private static void writeUntilItFlushes(LoamNode node, Tree tree) {
    byte[] value = new byte[10_000];
    for (int i = 0; i < 1_000_000 && node.statistics().work().flushes() == 0; i++) {
      tree.put(new byte[] {(byte) (i >> 8), (byte) i}, value);
    }
  }

  @Test
  void aFlushRequestThatFailsIsMadeAgain() {
    try (LoamNode node = open()) {
      AtomicInteger requests = new AtomicInteger();
      AtomicReference<Tree> tree = new AtomicReference<>();
      OpenIndex index =
          () -> {
            if (requests.incrementAndGet() < FlushRequests.MAX_FAILURES / 2) {
              throw new IOException("planned");
            }
            tree.get().flush();
          };
      tree.set(node.openTree("a", directory, true, index));
      writeUntilItFlushes(node, tree.get());
      assertThat(requests).hasValueGreaterThanOrEqualTo(FlushRequests.MAX_FAILURES / 2);
      assertThat(node.statistics().work().flushes()).isPositive();
    }
  }

  @Test
  void anIndexThatIsClosedIsAskedForNoMore() throws Exception {
    try (LoamNode node = open()) {
      CountDownLatch asked = new CountDownLatch(1);
      Tree bad =
          node.openTree(
              "bad",
              directory,
              true,
              () -> {
                asked.countDown();
                throw new IOException("planned");
              });
      // Until it is asked for: it has nearly all of the write memory.
      for (int i = 0; asked.getCount() > 0; i++) {
        bad.put(new byte[] {(byte) (i >> 8), (byte) i}, new byte[10_000]);
      }
      node.closeTree(bad);
      node.trees().drop("bad");
      AtomicReference<Tree> tree = new AtomicReference<>();
      tree.set(node.openTree("a", directory, true, () -> tree.get().flush()));
      writeUntilItFlushes(node, tree.get());
      assertThat(node.statistics().work().flushes()).isPositive();
    }
  }

  /** Fails all requests; returns what the node was told. */
  private Throwable requireGivenUp(OpenIndex index) {
    AtomicReference<Throwable> told = new AtomicReference<>();
    LoamNode.Host host =
        new LoamNode.Host() {
          @Override
          public long endLsn() {
            return 1;
          }

          @Override
          public void fenced(Throwable cause) {
            assertThat(told.getAndSet(cause)).isNull();
          }
        };
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    try (LoamNode node = new LoamNode(directory, config, host)) {
      Tree tree = node.openTree("a", directory, true, index);
      FencedException e =
          catchThrowableOfType(FencedException.class, () -> writeUntilItFlushes(node, tree));
      assertThat(e).hasCause(told.get());
      assertThat(tree.get(new byte[] {0, 0})).isNotNull();
    }
    return requireNonNull(told.get());
  }

  @Test
  void requestsThatFailAgainAndAgainFenceTheEngineAndTheNodeIsTold() {
    AtomicInteger requests = new AtomicInteger();
    Throwable told =
        requireGivenUp(
            () -> {
              requests.incrementAndGet();
              throw new IOException("planned");
            });
    assertThat(told).hasMessage("cannot have a flushed").cause().hasMessage("planned");
    assertThat(requests).hasValue(FlushRequests.MAX_FAILURES);
  }

  @Test
  void anErrorFencesTheEngineAtOnce() {
    AtomicInteger requests = new AtomicInteger();
    Throwable told =
        requireGivenUp(
            () -> {
              requests.incrementAndGet();
              throw new OutOfMemoryError("planned");
            });
    assertThat(told).hasMessage("planned");
    assertThat(requests).hasValue(1);
  }
}
