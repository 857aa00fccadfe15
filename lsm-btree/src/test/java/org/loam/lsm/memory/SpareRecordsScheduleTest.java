package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.env.Waiter;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.ComponentReader.Start;

/** Schedules of readers and writers beside records whose room is taken by new ones. */
@Tag("once")
@Explored
class SpareRecordsScheduleTest {
  private static final int SCHEDULES = 1000;

  /** For one moment at which two threads must switch. */
  private static final int MANY_SCHEDULES = 10_000;

  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = 256;

  /** A record of so many bytes is a batch. */
  private static final int BATCH_BYTES = 40_000;

  /** Batches that wait at most. */
  private static final int MAX_WAITING = 8;

  private static final byte[] HOT = Fixture.bytes("hot");
  private static final byte[] COLD = Fixture.bytes("cold");
  private static final byte[] COLD_AS_LONG = Fixture.bytes("col");

  /** A read LSN that is below all versions. */
  private static final long BELOW = 10;

  private interface World {
    void run(Simulation sim, ComponentWorld world);
  }

  private interface ArenaWorld {
    void run(Epochs epochs, RecordArena arena);
  }

  private static void inArena(Simulation sim, ArenaWorld then) {
    try (PagePool pool = new PagePool(PAGES, PAGE_BYTES)) {
      Epochs epochs = new Epochs(sim.env().waiter(), 4);
      RecordArena arena = new RecordArena(pool.quota("test", PAGES), PAGE_BYTES, epochs);
      then.run(epochs, arena);
      arena.release();
    }
  }

  /** Explores what happens to a component whose next writes take the room of earlier ones. */
  private static void explore(int unlinked, World then) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ComponentWorld world = new ComponentWorld(sim)) {
            world.write(List.of(HOT, COLD), 2);
            world.write(Collections.nCopies(unlinked, HOT), 1);
            then.run(sim, world);
          }
        });
  }

  @Test
  void aReaderInsideKeepsWhatItLooksAt() {
    explore(
        3,
        (sim, world) ->
            sim.run(
                () -> world.write(List.of(HOT, HOT, HOT, HOT, HOT), 1),
                () -> readPublished(world),
                () -> readPublished(world)));
  }

  @Test
  void aScanAtItsLsnKeepsWhatItLooksAt() {
    explore(
        3,
        (sim, world) ->
            sim.run(() -> world.write(List.of(HOT, COLD, HOT, HOT, HOT), 1), () -> scan(world)));
  }

  /**
   * It looks at the LSN of each version on its way, but returns none. A version below the newest is
   * unlinked and fills a batch of records, and the next record takes it.
   *
   * @param keepsOldest whether another reader needs the oldest version
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReaderBelowAllVersionsGoesPastThem(boolean keepsOldest) {
    Schedules.explore(MANY_SCHEDULES, sim -> unlinkBesideAReader(sim, keepsOldest));
  }

  private static void unlinkBesideAReader(Simulation sim, boolean keepsOldest) {
    inArena(
        sim,
        (epochs, arena) -> {
          VersionRetention retention =
              (older, newer) -> keepsOldest && older <= BELOW + 1 && newer > BELOW + 1;
          long newest = 0;
          for (int i = 1; i <= 4; i++) {
            long older = newest;
            newest = arena.allocate(EntryKind.PUT, 8, BATCH_BYTES);
            MemoryRecord.setLsn(newest, BELOW + i);
            if (older != 0) {
              MemoryRecord.relink(newest, older);
            }
            if (i == 3 && keepsOldest) {
              // What is dropped first is the mark of what was dropped, where another version is
              // needed.
              VersionChain.unlinkNext(newest, retention, arena);
            }
          }
          long read = newest;
          long[] found = new long[1];
          sim.run(
              () -> {
                VersionChain.unlinkNext(read, retention, arena);
                arena.allocate(EntryKind.PUT, 8, BATCH_BYTES);
              },
              () -> {
                int slot = epochs.enter();
                found[0] = VersionChain.find(read, BELOW);
                epochs.exit(slot);
              });
          assertThat(found[0]).isEqualTo(VersionChain.NOT_VISIBLE);
        });
  }

  /** A write fills a batch of records with one that it replaces, and the next one takes that. */
  @Test
  void aVersionThatItsBatchReplacesIsSeenByNoReader() {
    Schedules.explore(MANY_SCHEDULES, SpareRecordsScheduleTest::replaceBesideAReader);
  }

  private static void replaceBesideAReader(Simulation sim) {
    try (PagePool pool = new PagePool(PAGES, PAGE_BYTES)) {
      Waiter waiter = sim.env().waiter();
      Epochs epochs = new Epochs(waiter, 4);
      MemoryComponent component =
          new MemoryComponent(pool.quota("test", PAGES), PAGE_BYTES, epochs, waiter);
      byte[] value = new byte[BATCH_BYTES];
      long[] records = new long[3];
      for (int i = 0; i < records.length; i++) {
        records[i] = component.prepare(EntryKind.PUT, i == 0 ? COLD : HOT, value);
      }
      assertThat(component.reserve(records.length)).isTrue();
      component.insert(records[0], 1, Fixture.KEEP_NONE);
      component.insert(records[1], 2, Fixture.KEEP_NONE);
      long key = Mem.allocate(HOT.length, 1);
      Mem.copyIn(HOT, 0, key, HOT.length);
      sim.run(
          () -> {
            component.insert(records[2], 2, Fixture.KEEP_NONE);
            component.prepare(EntryKind.PUT, COLD_AS_LONG, value);
          },
          () -> {
            int slot = epochs.enter();
            long found = component.find(key, HOT.length, 2);
            assertThat(found).isPositive();
            assertThat(MemoryRecord.lsn(found)).isEqualTo(2);
            epochs.exit(slot);
          });
      Mem.free(key);
      component.release();
    }
  }

  @Test
  void writersBesideEachOtherTakeOtherRecords() {
    explore(
        8,
        (sim, world) ->
            sim.run(
                () -> world.write(List.of(HOT, HOT, HOT), 1),
                () -> world.write(List.of(COLD, COLD, COLD), 1),
                () -> readPublished(world)));
  }

  private static void readPublished(ComponentWorld world) {
    try (ComponentReader reader = new ComponentReader(world)) {
      reader.getPublished(HOT);
      reader.getPublished(HOT);
      reader.getPublished(COLD);
    }
  }

  private static void scan(ComponentWorld world) {
    try (ComponentReader reader = new ComponentReader(world)) {
      for (int i = 0; i < 2; i++) {
        long readLsn = world.reads.register();
        reader.getAt(readLsn, HOT);
        reader.scanAt(readLsn, i == 0 ? Start.FIRST : Start.LAST, HOT);
        world.reads.release(readLsn);
      }
    }
  }

  /** Records of two sizes are added and taken: each of them is taken once, or is still there. */
  @Test
  void aRecordIsTakenOnce() {
    Schedules.explore(SCHEDULES, sim -> addBesideTakers(sim, 12, 40, 296));
  }

  /** Each of these is a batch of its own, and more than may wait are added. */
  @Test
  void aBatchThatWasTakenGetsOthers() {
    Schedules.explore(SCHEDULES, sim -> addBesideTakers(sim, 14, BATCH_BYTES, BATCH_BYTES + 1000));
  }

  /**
   * A reader is inside that has come to a record, while that is added: as the only one of a batch,
   * and when as many batches wait as may.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, MAX_WAITING})
  void aReaderInsideKeepsARecordThatWasAdded(int waiting) {
    Schedules.explore(MANY_SCHEDULES, sim -> addBesideAReader(sim, waiting));
  }

  private static void addBesideAReader(Simulation sim, int waiting) {
    inArena(
        sim,
        (epochs, arena) -> {
          SpareRecords spares = new SpareRecords(epochs);
          for (int i = 0; i < waiting; i++) {
            spares.add(arena.allocate(EntryKind.PUT, 8, BATCH_BYTES));
          }
          long record = arena.allocate(EntryKind.PUT, 8, BATCH_BYTES);
          List<Long> taken = new ArrayList<>();
          int slot = epochs.enter();
          sim.run(() -> spares.add(record), () -> take(spares, 1, taken, BATCH_BYTES, BATCH_BYTES));
          assertThat(taken).doesNotContain(record);
          epochs.exit(slot);
        });
  }

  /** It shares a word with these. */
  @Test
  void aRecordThatComesToBoundNodesKeepsItsLinkAndTheLengthOfItsKey() {
    Schedules.explore(SCHEDULES, SpareRecordsScheduleTest::boundBesideAReader);
  }

  private static void boundBesideAReader(Simulation sim) {
    inArena(
        sim,
        (epochs, arena) -> {
          long older = arena.allocate(EntryKind.PUT, 8, 40);
          long record = arena.allocate(EntryKind.PUT, 8, 40);
          MemoryRecord.relink(record, older);
          sim.run(
              () -> MemoryRecord.markBound(record),
              () -> {
                assertThat(MemoryRecord.keyLength(record)).isEqualTo(8);
                assertThat(MemoryRecord.link(record)).isEqualTo(older);
              });
          assertThat(MemoryRecord.isBound(record)).isTrue();
        });
  }

  /** Only one record is superseded at a time: it is taken before the next one is. */
  @Test
  void aRecordThatIsTakenIsNotSupersededAnyMore() {
    Schedules.explore(SCHEDULES, SpareRecordsScheduleTest::countBesideTakers);
  }

  private static void countBesideTakers(Simulation sim) {
    inArena(
        sim,
        (epochs, arena) -> {
          long first = arena.allocate(EntryKind.PUT, 8, BATCH_BYTES);
          long bytes = MemoryRecord.sizeBytes(first);
          sim.run(
              () -> {
                long record = first;
                for (int i = 0; i < 4; i++) {
                  arena.addSuperseded(bytes);
                  arena.recycle(record);
                  record = arena.allocate(EntryKind.PUT, 8, BATCH_BYTES);
                }
              },
              () -> {
                for (int i = 0; i < 3; i++) {
                  assertThat(arena.supersededBytes()).isLessThanOrEqualTo(bytes);
                }
              });
        });
  }

  private static void addBesideTakers(Simulation sim, int count, int valueBytes, int otherBytes) {
    inArena(
        sim,
        (epochs, arena) -> {
          Set<Long> added = new HashSet<>();
          for (int i = 0; i < count; i++) {
            added.add(arena.allocate(EntryKind.PUT, 8, i % 2 == 0 ? valueBytes : otherBytes));
          }
          SpareRecords spares = new SpareRecords(epochs);
          List<Long> taken = new ArrayList<>();
          sim.run(
              () -> added.forEach(spares::add),
              () -> take(spares, 4, taken, valueBytes, otherBytes),
              () -> take(spares, 4, taken, valueBytes, otherBytes));
          take(spares, count, taken, valueBytes, otherBytes);
          assertThat(taken).doesNotHaveDuplicates().isSubsetOf(added);
          assertThat(taken.size()).isGreaterThanOrEqualTo(Math.min(count, MAX_WAITING));
        });
  }

  private static void take(
      SpareRecords spares, int times, List<Long> taken, int valueBytes, int otherBytes) {
    for (int i = 0; i < times; i++) {
      for (int bytes : new int[] {valueBytes, otherBytes}) {
        long record = spares.take(8, bytes);
        if (record != 0) {
          assertThat(MemoryRecord.valueLength(record)).isEqualTo(bytes);
          taken.add(record);
        }
      }
    }
  }
}
