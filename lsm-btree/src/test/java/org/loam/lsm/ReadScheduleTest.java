package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/**
 * Schedules of reads beside a tree whose versions change: components are frozen, flushed, merged
 * and dropped, and their memory and files go while others look at them.
 */
@Tag("once")
@Explored
class ReadScheduleTest {
  private static final int SCHEDULES = 200;

  @Test
  void readsBesideAFlush() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            sim.run(() -> world.write("b", "c", "b"), world::flush, () -> read(world));
            world.checkAll();
          }
        });
  }

  @Test
  void readsBesideFlushesOfRangesThatAreDividedAndJoined() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.divide();
            sim.run(
                () -> world.write("b", "c", "a", "-d"),
                () -> {
                  world.flush();
                  world.flushRanges();
                  world.flushRanges();
                },
                () -> read(world));
            world.checkAll();
          }
        });
  }

  @Test
  void readsBesideMergesInMemory() {
    Schedules.explore(
        2 * SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.settle();
            world.write("a", "b", "c", "d");
            world.settle();
            sim.run(
                () -> {
                  world.write("b", "c", "-a", "d");
                  world.settle();
                },
                world::mergeInMemory,
                () -> read(world));
            world.mergeInMemory();
            world.checkAll();
          }
        });
  }

  @Test
  void readsBesideMergesInMemoryOfRunsThatAreFlushed() {
    Schedules.explore(
        2 * SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.settle();
            world.write("a", "b", "c", "d");
            world.settle();
            world.mergeInMemory();
            world.write("b", "-d", "a");
            world.settle();
            sim.run(
                () -> {
                  world.flushFirstRun();
                  world.flushFirstRun();
                },
                world::mergeInMemory,
                () -> read(world));
            world.checkAll();
          }
        });
  }

  /** Each reader sees in the merged index, and in those that it is made of, what it saw before. */
  @Test
  void readsBesideAMergeOfIndexesOfAPipeline() {
    Schedules.explore(
        2 * SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.settle();
            world.write("a", "b", "c");
            world.settle();
            sim.run(
                () -> {
                  world.write("b", "c", "-a");
                  world.settle();
                },
                () -> world.mergePipeline(false),
                () -> read(world));
            world.mergePipeline(false);
            world.checkAll();
          }
        });
  }

  @Test
  void aPipelineIsFlushedBesideAMergeOfItsIndexes() {
    flushBesideMerge(false);
  }

  @Test
  void aPipelineIsFlushedBesideACopyOfIt() {
    flushBesideMerge(true);
  }

  private static void flushBesideMerge(boolean copiesData) {
    Schedules.explore(
        2 * SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.settle();
            world.write("a", "b", "c");
            world.settle();
            world.write("b");
            sim.run(world::flush, () -> world.mergePipeline(copiesData));
            world.checkAll();
          }
        });
  }

  /** A merge in memory shows its result and a drop takes the version, each without the other. */
  @Test
  void memoryOfATreeThatIsDroppedBesideAMergeInMemoryIsReleasedOnce() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.settle();
            world.write("a", "b");
            world.settle();
            world.write("b");
            sim.run(world::drop, world::mergeInMemory, world::settle);
          }
        });
  }

  /** The flush gives the memory back when it meets the mark, and puts nothing in its place. */
  @Test
  void aDropThatFailsBesideAFlushLosesNothing() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            sim.run(world::flush, world::dropInVain);
            world.checkAll();
            world.flush();
            world.checkAll();
          }
        });
  }

  @Test
  void aTreeOfThreeKeysHasThreeRanges() {
    Schedules.explore(
        1,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.divide();
            world.write("a", "b", "c");
            world.flush();
            assertThat(world.ranges()).isEqualTo(4);
          }
        });
  }

  @Test
  void readsOfAKeyThatIsWrittenAndFlushed() {
    Schedules.explore(
        2 * SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            sim.run(
                () -> {
                  world.write("c");
                  world.flush();
                },
                () -> readPublished(world));
          }
        });
  }

  private static void readPublished(ReadWorld world) {
    try (TreeReader reader = new TreeReader(world)) {
      for (int i = 0; i < 8; i++) {
        reader.getPublished("c");
      }
    }
  }

  @Test
  void readsBesideAMerge() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.flush();
            sim.run(world::compact, () -> read(world), () -> world.write("d"));
            world.checkAll();
          }
        });
  }

  @Test
  void readsBesideFlushesAndMergesOfWhatIsWritten() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            sim.run(
                () -> world.write("a", "d", "a"),
                () -> {
                  world.flush();
                  world.compact();
                  world.flush();
                },
                () -> read(world));
            world.checkAll();
          }
        });
  }

  @Test
  void scansOfATreeThatIsDropped() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            sim.run(world::drop, world::flush, () -> scan(world));
          }
        });
  }

  @Test
  void memoryOfATreeThatIsDroppedBesideAFreezeIsReleasedOnce() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.flush();
            world.prepareInVain();
            sim.run(world::drop, world::freezeOnly);
          }
        });
  }

  /** The keys at which memory is divided are read before it is given back. */
  @Test
  void memoryOfATreeThatIsDroppedBesideItsDivisionIsReleasedOnce() {
    Schedules.explore(
        10 * SCHEDULES,
        sim -> {
          try (ReadWorld world = new ReadWorld(sim)) {
            world.divide();
            world.write("b", "c", "a");
            sim.run(world::drop, world::freezeOnly);
          }
        });
  }

  private static void read(ReadWorld world) {
    try (TreeReader reader = new TreeReader(world)) {
      reader.getPublished("a");
      long readLsn = world.reads().register();
      reader.getAt(readLsn, "b");
      reader.scanAt(readLsn, true);
      reader.scanAt(readLsn, false);
      reader.getAt(readLsn, "c");
      world.reads().release(readLsn);
      reader.getPublished("d");
    }
  }

  private static void scan(ReadWorld world) {
    try (TreeReader reader = new TreeReader(world)) {
      long readLsn = world.reads().register();
      reader.scanBesideDrop(readLsn);
      world.reads().release(readLsn);
    }
  }
}
