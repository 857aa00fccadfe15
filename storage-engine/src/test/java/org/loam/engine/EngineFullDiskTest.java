package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.DiskFullException;
import org.loam.common.sim.Simulation;

/** A disk that has room for the writes, but not for what must become of them. */
@Tag("once")
class EngineFullDiskTest {
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofSeconds(60));
  private static final int ENOUGH = 4000;

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(1 << 20)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(4 << 20)
        .sstableBytes(64 << 10)
        .build();
  }

  private static WriteBatch batch(Tree tree, int i) {
    return new WriteBatch().put(tree, ("key" + i).getBytes(UTF_8), new byte[1000]);
  }

  private static int fill(Simulation sim, Engine engine, Tree tree, long freeBytes) {
    sim.disk().capacityBytes(sim.disk().usedBytes() + freeBytes);
    int written = 0;
    try {
      while (written < ENOUGH) {
        engine.write(batch(tree, written), IN_TIME);
        written++;
      }
    } catch (DiskFullException e) {
      assertThat(e.neededBytes()).isGreaterThan(e.freeBytes());
    }
    assertThat(written).isBetween(1, ENOUGH - 1);
    return written;
  }

  private static void fillAndRelieve(Simulation sim, long freeBytes) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
      Tree tree = engine.createTree("t");
      int written = fill(sim, engine, tree, freeBytes);
      assertThat(tree.get(("key" + (written - 1)).getBytes(UTF_8))).hasSize(1000);
      sim.disk().capacityBytes(Long.MAX_VALUE);
      for (int i = 0; i < ENOUGH; i++) {
        writeAtLast(sim, engine, batch(tree, written + i));
      }
      assertThat(engine.statistics().work().flushes()).isPositive();
    }
  }

  private static void writeAtLast(Simulation sim, Engine engine, WriteBatch batch) {
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        engine.write(batch, IN_TIME);
        return;
      } catch (DiskFullException e) {
        sim.env().waiter().pause(10_000_000);
      }
    }
    throw new AssertionError("the engine takes no writes although there is room");
  }

  @Test
  @Timeout(120)
  void writesAreRefusedAsSoonAsAFlushFindsNoRoomAndGoOnLater() {
    for (int seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        long freeBytes = (400 + 60L * seed) << 10;
        assertThat(sim.run(() -> fillAndRelieve(sim, freeBytes))).isTrue();
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  private static void stayFull(Simulation sim) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
      Tree tree = engine.createTree("t");
      assertThat(engine.health().isSound()).isTrue();
      int written = fill(sim, engine, tree, 1500 << 10);
      assertThat(engine.health().disks()).hasSize(1);
      EngineHealth.Disk disk = engine.health().disks().get(0);
      assertThat(disk.isFull()).isTrue();
      assertThat(disk.directory()).isEqualTo(sim.directory().toString());
      assertThat(disk.freeBytes()).isBetween(0L, 1500L << 10);
      assertThat(engine.health().flushFault()).contains("bytes needed");
      assertThat(engine.health().isSound()).isFalse();
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(() -> tree.delete(new byte[] {1})).isInstanceOf(DiskFullException.class);
        // The flush is tried again meanwhile.
        sim.env().waiter().pause(1_000_000_000);
      }
      sim.disk().capacityBytes(Long.MAX_VALUE);
      writeAtLast(sim, engine, batch(tree, written));
      engine.flush();
      assertThat(engine.health().flushFault()).isNull();
      // A merge that had found the disk full is tried again after a rest.
      for (int i = 0; i < 60 && !engine.health().isSound(); i++) {
        sim.env().waiter().pause(1_000_000_000);
      }
      assertThat(engine.health().isSound()).as("%s", engine.health()).isTrue();
    }
  }

  @Test
  void aFullDiskIsLoggedOnceAndItsEndOnce() {
    try (LoggedLines log = new LoggedLines();
        Simulation sim = Simulation.seeded(1)) {
      assertThat(sim.run(() -> stayFull(sim))).isTrue();
      assertThat(log.lines())
          .filteredOn(line -> line.startsWith("a flush found the disk full"))
          .hasSize(1);
      assertThat(log.lines())
          .filteredOn(line -> line.equals("a flush has succeeded again"))
          .hasSize(1);
      assertThat(log.lines()).filteredOn(line -> line.startsWith("no new log segment")).hasSize(1);
      // Of flushes, merges and the log.
      assertThat(log.lines()).hasSizeLessThan(7);
    }
  }
}
