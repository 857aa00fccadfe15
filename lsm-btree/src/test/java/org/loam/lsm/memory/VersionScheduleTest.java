package org.loam.lsm.memory;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.ComponentReader.Start;

/** Schedules of readers at LSNs beside a writer that drops the versions that none of them needs. */
@Tag("once")
@Explored
class VersionScheduleTest {
  private static final int SCHEDULES = 1000;
  private static final byte[] HOT = Fixture.bytes("hot");
  private static final byte[] COLD = Fixture.bytes("cold");
  private static final List<byte[]> KEYS = List.of(HOT, COLD, Fixture.bytes("other"));

  private interface World {
    void run(Simulation sim, ComponentWorld world);
  }

  /** Explores what happens to a component of a few keys, written in one batch. */
  private static void explore(World then) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(KEYS, 3);
            then.run(sim, world);
          }
        });
  }

  @Test
  void everyReaderSeesWhatItsReadLsnDetermines() {
    explore(
        (sim, world) ->
            sim.run(
                () -> world.write(List.of(HOT, COLD, HOT, HOT, COLD, HOT), 1),
                () -> readRegistered(world, false),
                () -> readPublished(world)));
  }

  @Test
  void anOldReaderDoesNotHideThatOthersComeTooLate() {
    explore(
        (sim, world) -> {
          long old = world.reads.register();
          sim.run(() -> world.write(List.of(HOT, HOT, HOT, HOT), 1), () -> readPublished(world));
          try (ComponentReader reader = new ComponentReader(world)) {
            reader.getAt(old, HOT);
            reader.scanAt(old, Start.LAST, HOT);
          }
          world.reads.release(old);
        });
  }

  @Test
  void aReadLsnThatIsRegisteredAgainOutlivesTheFirst() {
    explore(
        (sim, world) ->
            sim.run(
                () -> world.write(List.of(HOT, HOT, HOT, HOT), 1),
                () -> readRegistered(world, true),
                () -> readRegistered(world, false)));
  }

  @Test
  void aKeyThatABatchWritesTwiceHasOneVersion() {
    explore(
        (sim, world) ->
            sim.run(
                () -> world.write(List.of(HOT, COLD, HOT, COLD, HOT, COLD), 3),
                () -> readRegistered(world, false),
                () -> readPublished(world)));
  }

  private static void readRegistered(ComponentWorld world, boolean again) {
    try (ComponentReader reader = new ComponentReader(world)) {
      for (int i = 0; i < 2; i++) {
        long readLsn = world.reads.register();
        reader.getAt(readLsn, HOT);
        if (again) {
          world.reads.registerAgain(readLsn);
          world.reads.release(readLsn);
        }
        reader.scanAt(readLsn, i == 0 ? Start.FIRST : Start.LAST, HOT);
        reader.getAt(readLsn, HOT);
        world.reads.release(readLsn);
      }
    }
  }

  private static void readPublished(ComponentWorld world) {
    try (ComponentReader reader = new ComponentReader(world)) {
      for (int i = 0; i < 3; i++) {
        reader.getPublished(HOT);
        reader.getPublished(COLD);
      }
    }
  }
}
