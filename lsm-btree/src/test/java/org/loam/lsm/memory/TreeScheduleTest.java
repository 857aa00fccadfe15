package org.loam.lsm.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.lsm.memory.ComponentReader.Start;

/** Schedules of writers and readers of one component, whose nodes split, grow and shrink. */
@Tag("once")
@Explored
class TreeScheduleTest {
  private static final int SCHEDULES = 250;

  @ParameterizedTest
  @ValueSource(strings = {"ASCENDING", "DESCENDING", "COMPOSITE", "ZEROS", "RANDOM"})
  void readersBesideTheSplitOfARootLeaf(String name) {
    KeyShape shape = KeyShape.valueOf(name);
    List<byte[]> full = ComponentWorld.keys(shape, 0, Node.CAPACITY);
    List<byte[]> fresh = ComponentWorld.keys(shape, Node.CAPACITY, Node.CAPACITY + 4);
    readersBesideASplit(SCHEDULES, full, fresh, sorted(full));
  }

  @Test
  void readersBesideTheSplitOfALeafBelowARoot() {
    // Two full leaves; the first one splits in the middle.
    List<byte[]> full = evenNumbers(2 * Node.CAPACITY);
    List<byte[]> fresh = ComponentWorld.keys(KeyShape.ASCENDING, 21, 22);
    readersBesideASplit(2 * SCHEDULES, full, fresh, full);
  }

  /** Reads keys that move to the right half, and those beside them. */
  private static void readersBesideASplit(
      int schedules, List<byte[]> full, List<byte[]> fresh, List<byte[]> inOrder) {
    List<byte[]> right = inOrder.subList(Node.CAPACITY / 2, Node.CAPACITY);
    Schedules.explore(
        schedules,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(full, 8);
            sim.run(
                () -> world.write(fresh, 2),
                () -> get(world, List.of(right.get(4), right.get(24), fresh.get(0))),
                () -> {
                  scan(world, Start.CEILING, right.get(9));
                  scan(world, Start.LOWER, right.get(14));
                });
            checkAll(world);
          }
        });
  }

  private static List<byte[]> sorted(List<byte[]> keys) {
    return keys.stream().sorted(Arrays::compareUnsigned).toList();
  }

  /** Ascending keys, which leave full leaves behind. */
  private static List<byte[]> evenNumbers(int count) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(KeyShape.ASCENDING.key(2L * i));
    }
    return keys;
  }

  @Test
  void writersAndAReaderBesideTheSplitOfAnInnerRoot() {
    // As many full leaves as the root takes; some of the keys to read move with its right half.
    List<byte[]> full = evenNumbers(Node.CAPACITY * Node.CAPACITY);
    List<byte[]> low = oddNumbers(301);
    List<byte[]> high = oddNumbers(7001, 7003, 7005, 7007, 7009, 7011);
    List<byte[]> some = List.of(full.get(180), full.get(3000), full.get(3530), full.get(3843));
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(full, 1000);
            sim.run(() -> world.write(low, 1), () -> world.write(high, 6), () -> get(world, some));
            get(world, some);
            get(world, low);
            get(world, high);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"RANDOM", "COMPOSITE", "DESCENDING"})
  void writersBesideEachOther(String name) {
    KeyShape shape = KeyShape.valueOf(name);
    List<byte[]> old = ComponentWorld.keys(shape, 0, Node.CAPACITY - 4);
    List<byte[]> one = ComponentWorld.keys(shape, 100, 108);
    List<byte[]> other = ComponentWorld.keys(shape, 200, 208);
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(old, 8);
            sim.run(() -> world.write(one, 4), () -> world.write(other, 4));
            checkAll(world);
          }
        });
  }

  @Test
  void writersBesideTheSplitOfALeafBelowARoot() {
    List<byte[]> full = evenNumbers(2 * Node.CAPACITY);
    Schedules.explore(
        2 * SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(full, 8);
            sim.run(
                () -> world.write(oddNumbers(21, 101), 2),
                () -> world.write(oddNumbers(23, 103, 105, 25), 4));
            checkAll(world);
          }
        });
  }

  @Test
  void aSplitBetweenTwoLooksAtALeaf() {
    List<byte[]> full = evenNumbers(Node.CAPACITY);
    Schedules.explore(
        4 * SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(full, 8);
            List<byte[]> high = oddNumbers(101, 111, 103, 113, 105, 107);
            sim.run(() -> world.write(oddNumbers(21), 1), () -> world.write(high, 6));
            get(world, high);
          }
        });
  }

  private static List<byte[]> oddNumbers(int... numbers) {
    return Arrays.stream(numbers).mapToObj(KeyShape.ASCENDING::key).toList();
  }

  @Test
  void aKeyWithoutTheCommonPrefix() {
    List<byte[]> old = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      old.add(Fixture.bytes("customer:" + i));
    }
    List<byte[]> fresh =
        List.of(
            Fixture.bytes("customer"),
            Fixture.bytes("a"),
            Fixture.bytes("z"),
            Fixture.bytes("customer:5:1"));
    Schedules.explore(
        2 * SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(old, 10);
            sim.run(
                () -> world.write(fresh, 2),
                () -> get(world, fresh),
                () -> {
                  scan(world, Start.CEILING, Fixture.bytes("b"));
                  scan(world, Start.LOWER, Fixture.bytes("y"));
                });
            checkAll(world);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {10, Node.CAPACITY + 1})
  void aKeyThatDiffersInTheCommonPrefixOnlyIsAnother(int keys) {
    // Leaves without a low or a high bound leave out what all keys have in common.
    List<byte[]> old = evenNumbers(keys);
    List<byte[]> alike = List.of(old.get(keys / 8).clone(), old.get(keys - 1).clone());
    alike.forEach(key -> key[2] = '-');
    Schedules.explore(
        4 * SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(old, 8);
            sim.run(() -> world.write(List.of(Fixture.bytes("a")), 1), () -> get(world, alike));
            checkAll(world);
          }
        });
  }

  @Test
  void aKeyBesideTheFirstOneIsAnother() {
    // A root leaf leaves out what all keys have in common, which is all of its first key.
    List<byte[]> others = List.of(Fixture.bytes("b1"), Fixture.bytes("a2"), Fixture.bytes("a"));
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            sim.run(
                () -> world.write(List.of(Fixture.bytes("a1")), 1),
                () -> get(world, others),
                () -> scan(world, Start.CEILING, Fixture.bytes("b1")));
            checkAll(world);
          }
        });
  }

  @Test
  void writersWithoutTheCommonPrefixOfALeafThatSplits() {
    List<byte[]> old = ComponentWorld.keys(KeyShape.ASCENDING, 0, Node.CAPACITY - 1);
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(old, 8);
            List<byte[]> one = List.of(KeyShape.ASCENDING.key(98), Fixture.bytes("a"));
            List<byte[]> other = List.of(Fixture.bytes("us"), KeyShape.ASCENDING.key(99));
            sim.run(
                () -> world.write(one, 1),
                () -> world.write(other, 2),
                () -> get(world, List.of(one.get(0), other.get(0), other.get(1))));
            checkAll(world);
          }
        });
  }

  @Test
  void undoneWritesBesideReadersAndAWriter() {
    List<byte[]> old = ComponentWorld.keys(KeyShape.ASCENDING, 0, Node.CAPACITY - 3);
    byte[] changed = old.get(20);
    byte[] added = Fixture.bytes("user" + "0".repeat(18) + "20");
    // More than the leaf has room for.
    List<byte[]> fresh = ComponentWorld.keys(KeyShape.ASCENDING, Node.CAPACITY, Node.CAPACITY + 4);
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim, true)) {
            world.write(old, 8);
            sim.run(
                () -> {
                  for (byte[] key : List.of(changed, added, added)) {
                    world.undo(key, world.writeToUndo(key));
                  }
                },
                () -> world.write(fresh, 2),
                () -> {
                  get(world, List.of(changed, added));
                  scan(world, Start.CEILING, old.get(19));
                  scan(world, Start.LOWER, old.get(22));
                });
            checkAll(world);
          }
        });
  }

  @Test
  void aReaderBesideKeysThatAreTakenAway() {
    List<byte[]> old = evenNumbers(4);
    byte[] added = KeyShape.ASCENDING.key(3);
    Schedules.explore(
        4 * SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim, true)) {
            world.write(old, 4);
            sim.run(
                () -> {
                  world.undo(added, world.writeToUndo(added));
                  world.undo(added, world.writeToUndo(added));
                },
                () -> get(world, List.of(old.get(2), old.get(3), old.get(2))));
            checkAll(world);
          }
        });
  }

  private static void get(ComponentWorld world, List<byte[]> keys) {
    try (ComponentReader reader = new ComponentReader(world)) {
      keys.forEach(reader::get);
    }
  }

  private static void scan(ComponentWorld world, Start start, byte[] bound) {
    try (ComponentReader reader = new ComponentReader(world)) {
      reader.scan(start, bound);
    }
  }

  /** Each key is there once, found by searches and by walks. */
  private static void checkAll(ComponentWorld world) {
    get(world, List.copyOf(world.states().keySet()));
    scan(world, Start.FIRST, new byte[0]);
    scan(world, Start.LAST, new byte[0]);
  }
}
