package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.lsm.memory.Fixture.KEEP_NONE;
import static org.loam.lsm.memory.Fixture.bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;

/** Searches of single nodes, and how well the heads of a tree's leaves tell its keys apart. */
class NodeTest {
  private static final int SEARCHED_SHAPES = 60;

  private final Fixture fixture = new Fixture(4096, 4096);
  private final long nodes = Mem.allocate((1L + Node.CAPACITY) * Node.BYTES, Node.BYTES);

  @AfterEach
  void free() {
    Mem.free(nodes);
    fixture.close();
  }

  /** Keys whose heads are equal in long and short runs, at the start, inside and at the end. */
  private enum Runs {
    /** All of one head, which is the lowest. */
    LOWEST,
    /** All of one head, which is the highest there is. */
    HIGHEST,
    /** A few heads, each of many keys. */
    FEW,
    /** Most heads are of one key, some of two or three. */
    PAIRS;

    byte[] key(SplittableRandom random) {
      byte[] key = new byte[4 + random.nextInt(12)];
      random.nextBytes(key);
      int head =
          switch (this) {
            case LOWEST -> 0;
            case HIGHEST -> -1;
            case FEW -> 0x7f808000 + random.nextInt(4) * 0x40;
            case PAIRS -> random.nextInt(60) * 0x04040404;
          };
      for (int i = 0; i < 4; i++) {
        key[i] = (byte) (head >>> (24 - 8 * i));
      }
      return key;
    }
  }

  @ParameterizedTest
  @EnumSource
  void searchesFindKeysAmongEqualHeads(Runs runs) {
    for (int seed = 0; seed < SEARCHED_SHAPES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int count = seed == 0 ? Node.CAPACITY : 1 + random.nextInt(Node.CAPACITY);
      checkSearches("seed " + seed, sorted(runs, random, count), sorted(runs, random, 100));
    }
  }

  @ParameterizedTest
  @EnumSource
  void searchesFindKeysOfEachShape(KeyShape shape) {
    for (int seed = 0; seed < SEARCHED_SHAPES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
      TreeSet<byte[]> others = new TreeSet<>(Arrays::compareUnsigned);
      int count = seed == 0 ? Node.CAPACITY : 1 + random.nextInt(Node.CAPACITY);
      for (int i = 0; i < 10_000 && keys.size() < count; i++) {
        keys.add(shape.key(random.nextInt(1000)));
        others.add(shape.key(random.nextInt(1000)));
      }
      checkSearches("seed " + seed, List.copyOf(keys), List.copyOf(others));
    }
  }

  private static List<byte[]> sorted(Runs runs, SplittableRandom random, int count) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    while (keys.size() < count) {
      keys.add(runs.key(random));
    }
    return List.copyOf(keys);
  }

  private void checkSearches(String what, List<byte[]> keys, List<byte[]> others) {
    long leaf = nodes;
    fill(leaf, 0, keys.stream().mapToLong(this::record).toArray());
    long[] children = new long[keys.size()];
    for (int i = 0; i < children.length; i++) {
      children[i] = nodes + (1L + i) * Node.BYTES;
      Node.initialise(children[i], 0, 0, Node.ref(leaf, i), 0);
    }
    checkLeaf(what, leaf, keys, keys);
    checkLeaf(what, leaf, keys, others);
    fill(leaf, 1, children);
    checkInner(what, leaf, keys, keys);
    checkInner(what, leaf, keys, others);
  }

  private long record(byte[] key) {
    return fixture.component.prepare(EntryKind.PUT, key, new byte[0]);
  }

  private static void fill(long node, int level, long[] refs) {
    Node.initialise(node, level, 0, 0, 0);
    for (int i = 0; i < refs.length; i++) {
      long record = level == 0 ? refs[i] : Node.low(refs[i]);
      Node.insert(node, i, Node.headOf(record, 0), refs[i]);
    }
  }

  private void checkLeaf(String what, long node, List<byte[]> keys, List<byte[]> wanted) {
    for (byte[] key : wanted) {
      int expected = indexOf(keys, key);
      assertThat(Node.searchLeaf(node, Node.version(node), fixture.offHeap(key), key.length))
          .as(what)
          .isEqualTo(expected);
    }
  }

  private void checkInner(String what, long node, List<byte[]> keys, List<byte[]> wanted) {
    for (byte[] key : wanted) {
      int found = indexOf(keys, key);
      int below = Math.max(0, found >= 0 ? found - 1 : -2 - found);
      long at = fixture.offHeap(key);
      long version = Node.version(node);
      assertThat(Node.searchInner(node, version, at, key.length, false))
          .as(what)
          .isEqualTo(found >= 0 ? found : below);
      assertThat(Node.searchInner(node, version, at, key.length, true)).as(what).isEqualTo(below);
    }
  }

  private static int indexOf(List<byte[]> keys, byte[] key) {
    return Arrays.binarySearch(keys.toArray(byte[][]::new), key, Arrays::compareUnsigned);
  }

  /** The digits that the keys of a leaf have in common are not in its heads. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void digitsOfLongKeysAreToldApart(boolean isAscending) {
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      put(isAscending ? KeyShape.ASCENDING.key(i) : KeyShape.DESCENDING.key(i));
    }
    List<Long> leaves = leaves();
    assertThat(leaves).hasSizeGreaterThan(count / Node.CAPACITY);
    long alike = leaves.stream().filter(Node::hasEqualHeads).count();
    // The first and the last, which keys may go on from, and those whose keys differ in five
    // digits.
    assertThat(alike).isLessThanOrEqualTo(4);
  }

  @Test
  void keysOfARootLeafAreToldApartBehindWhatTheyHaveInCommon() {
    for (int i = 0; i < Node.CAPACITY; i++) {
      put(bytes(String.format("customer:0000:%04d", i * 37 % 1000)));
    }
    assertThat(leaves()).hasSize(1).noneMatch(Node::hasEqualHeads);
    put(bytes("customer"));
    put(bytes("zero"));
    IntStream.range(0, 1000).forEach(i -> put(bytes(String.format("a:%010d", i))));
    assertThat(fixture.component.keyCount()).isEqualTo(1000L + Node.CAPACITY + 2);
    assertThat(leaves().stream().filter(Node::hasEqualHeads).count()).isLessThanOrEqualTo(4);
  }

  private void put(byte[] key) {
    fixture.put(key, new byte[0], 1, KEEP_NONE);
  }

  private List<Long> leaves() {
    List<Long> leaves = new ArrayList<>();
    addLeaves(fixture.component.tree().root(), leaves);
    return leaves;
  }

  private static void addLeaves(long node, List<Long> leaves) {
    if (Node.level(node) == 0) {
      leaves.add(node);
      return;
    }
    for (int i = 0; i < Node.count(node); i++) {
      addLeaves(Node.ref(node, i), leaves);
    }
  }
}
