package org.loam.lsm.visibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.lsm.memory.VersionRetention;

/** Schedules of readers that come while versions are given up and others are published. */
@Tag("once")
@Explored
class RegistryScheduleTest {
  private static final int SCHEDULES = 1000;
  private static final int LAST_LSN = 4;

  /** An LSN and the next one, between which no reader may ever be. */
  private record Dropped(long olderLsn, long newerLsn) {}

  @Test
  void whatAWriterDropsNoReaderNeeds() {
    exploreDrops(reads -> reads);
  }

  @Test
  void whatAFlushDropsNoReaderNeeds() {
    exploreDrops(ReadRegistry::capture);
  }

  /**
   * Versions are dropped beside readers.
   *
   * @param retention what says of a registry which versions may be dropped
   */
  private static void exploreDrops(Function<ReadRegistry, VersionRetention> retention) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          AtomicLong published = new AtomicLong(1);
          ReadRegistry reads = new ReadRegistry(() -> published.get());
          List<Dropped> dropped = new ArrayList<>();
          List<Long> readers = new ArrayList<>();
          sim.run(
              () -> publishAndRead(published, reads, readers),
              () -> drop(retention.apply(reads), dropped),
              () -> read(reads, readers));
          check(reads, dropped, readers);
        });
  }

  /** Registers each read LSN as soon as it is one: none of them may be dropped. */
  private static void publishAndRead(AtomicLong published, ReadRegistry reads, List<Long> readers) {
    for (long lsn = 1; lsn <= LAST_LSN; lsn++) {
      published.set(lsn + 1);
      readers.add(reads.register());
    }
  }

  private static void drop(VersionRetention retention, List<Dropped> dropped) {
    for (long lsn = 1; lsn < LAST_LSN; lsn++) {
      if (!retention.needs(lsn, lsn + 1)) {
        dropped.add(new Dropped(lsn, lsn + 1));
      }
    }
  }

  /** Registers, some of it for a moment only. */
  private static void read(ReadRegistry reads, List<Long> readers) {
    reads.release(reads.register());
    long readLsn = reads.register();
    reads.registerAgain(readLsn);
    readers.add(readLsn);
    reads.release(readLsn);
  }

  private static void check(ReadRegistry reads, List<Dropped> dropped, List<Long> readers) {
    for (long readLsn : readers) {
      assertThat(dropped).as("read LSN %s", readLsn).noneMatch(d -> d.olderLsn == readLsn);
      reads.release(readLsn);
    }
    assertThat(reads.size()).isZero();
  }
}
