package org.loam.common.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/** Injected faults and full disks. */
class FaultTest {
  private static final int PAGE = 4096;

  private long memory;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(16 * PAGE, PAGE);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfCallFailsOnceAndTheNextTimeWorks(IoKind kind) {
    try (Simulation sim = Simulation.seeded(1)) {
      Path path = sim.directory().resolve("f");
      StorageFile file = sim.env().files().open(path, Mode.CREATE_BUFFERED);
      file.write(0, memory, PAGE);
      sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(kind));
      Runnable call = () -> call(kind, sim.env().files(), file, sim.directory());
      long before = sim.counters().calls(kind);
      assertThatThrownBy(call::run)
          .isInstanceOf(StorageIoException.class)
          .hasMessageContaining("simulated I/O error");
      assertThatCode(call::run).doesNotThrowAnyException();
      assertThat(sim.counters().calls(kind) - before).isEqualTo(2);
      assertThat(sim.faults().planned()).isEqualTo(1);
      assertThat(sim.faults().fired()).isEqualTo(1);
      assertThat(sim.faults().callsFailed()).isEqualTo(1);
    }
  }

  private void call(IoKind kind, StorageFiles files, StorageFile file, Path directory) {
    switch (kind) {
      case OPEN -> files.open(directory.resolve("f"), Mode.READ);
      case CREATE -> files.open(directory.resolve("g"), Mode.CREATE);
      case READ -> file.read(0, memory, PAGE);
      case WRITE -> file.write(0, memory, PAGE);
      case FORCE -> file.force();
      case TRUNCATE -> file.truncate(0);
      case MAP -> file.map(0, PAGE);
      case LIST -> files.list(directory);
      case MAKE_DIRECTORY -> files.createDirectories(directory.resolve("d"));
      case RENAME -> files.rename(directory.resolve("f"), directory.resolve("h"));
      case LINK -> {
        // A refusal is an answer.
        if (!files.link(directory.resolve("f"), directory.resolve("l"))) {
          throw new StorageIoException("no link: simulated I/O error");
        }
      }
      case DELETE -> files.delete(directory.resolve("f"));
      case FORCE_DIRECTORY -> files.forceDirectory(directory);
      case LOCK -> files.lock(directory.resolve("LOCK"));
      default -> throw new AssertionError(kind);
    }
  }

  @Test
  void nthCallStickyFaultsAndPathsAreChosen() {
    try (Simulation sim = Simulation.seeded(1)) {
      Path path = sim.directory().resolve("wal");
      StorageFile wal = sim.env().files().open(path, Mode.CREATE);
      StorageFile data = sim.env().files().open(sim.directory().resolve("data"), Mode.CREATE);
      sim.faults()
          .add(
              Fault.of(FaultEffect.IO_ERROR)
                  .on(IoKind.WRITE)
                  .onPath(p -> p.endsWith("wal"))
                  .nth(3)
                  .asSticky());
      for (int i = 0; i < 5; i++) {
        data.write(0, memory, PAGE);
        if (i < 2) {
          wal.write(0, memory, PAGE);
        } else {
          assertThatThrownBy(() -> wal.write(0, memory, PAGE))
              .isInstanceOf(StorageIoException.class)
              .hasMessageContaining("wal");
        }
      }
      assertThat(sim.faults().callsFailed()).isEqualTo(3);
      assertThat(sim.faults().fired()).isEqualTo(1);
      sim.faults().clear();
      wal.write(0, memory, PAGE);
    }
  }

  @Test
  void faultsAtRandomComeAtAboutTheirRate() {
    try (Simulation sim = Simulation.seeded(1)) {
      StorageFile file = sim.env().files().open(sim.directory().resolve("f"), Mode.CREATE);
      sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.WRITE).oneIn(10));
      int failed = 0;
      for (int i = 0; i < 1_000; i++) {
        try {
          file.write(0, memory, 8);
        } catch (StorageIoException e) {
          failed++;
        }
      }
      assertThat(failed).isBetween(50, 200);
      assertThat(sim.faults().callsFailed()).isEqualTo(failed);
    }
  }

  @Test
  void faultThatNeverMeetsItsCallIsCountedAsNotFired() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.faults().add(Fault.of(FaultEffect.SHORT_WRITE));
      sim.faults().add(Fault.of(FaultEffect.IO_ERROR).nth(2));
      sim.env().files().list(sim.directory());
      assertThat(sim.faults().planned()).isEqualTo(2);
      assertThat(sim.faults().fired()).isZero();
      assertThat(sim.counters().calls(FaultEffect.SHORT_WRITE)).isZero();
      assertThat(sim.counters().calls(FaultEffect.IO_ERROR)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SHORT_WRITE", "DISK_FULL"})
  void cutOffWritesLeaveAPart(FaultEffect effect) {
    Set<Long> sizes = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        StorageFile file = sim.env().files().open(sim.directory().resolve("f"), Mode.CREATE);
        sim.faults().add(Fault.of(effect).on(IoKind.WRITE));
        assertThatThrownBy(() -> file.write(0, memory, 4 * PAGE))
            .isInstanceOf(
                effect == FaultEffect.DISK_FULL
                    ? DiskFullException.class
                    : StorageIoException.class);
        sizes.add(file.sizeBytes());
        assertThat(file.sizeBytes()).isBetween(0L, 4L * PAGE);
      }
    }
    assertThat(sizes).hasSizeGreaterThan(10);
  }

  @Test
  void fullDiskRefusesUntilThereIsRoomAgain() {
    try (Simulation sim = Simulation.seeded(1)) {
      Path ballast = sim.directory().resolve("ballast");
      sim.disk().capacityBytes(10 * PAGE);
      StorageFiles files = sim.env().files();
      StorageFile held = files.open(ballast, Mode.CREATE);
      held.write(0, memory, 6 * PAGE);
      StorageFile file = files.open(sim.directory().resolve("f"), Mode.CREATE);
      assertThat(files.usableBytes(ballast)).isEqualTo(4 * PAGE);
      assertThatThrownBy(() -> file.write(100, memory, 8 * PAGE))
          .isInstanceOfSatisfying(
              DiskFullException.class,
              e -> {
                assertThat(e.neededBytes()).isEqualTo(4 * PAGE + 100);
                assertThat(e.freeBytes()).isZero();
              });
      assertThat(file.sizeBytes()).isEqualTo(4 * PAGE);
      file.write(0, memory, 4 * PAGE);
      // Deleted, but open: the space is not free yet.
      files.delete(ballast);
      assertThat(files.usableBytes(ballast)).isZero();
      held.close();
      assertThat(files.usableBytes(ballast)).isEqualTo(6 * PAGE);
      file.write(100, memory, 8 * PAGE);
      assertThatThrownBy(() -> file.write(9 * PAGE, memory, 2 * PAGE))
          .isInstanceOf(DiskFullException.class);
      sim.disk().capacityBytes(20 * PAGE);
      file.write(9 * PAGE, memory, 2 * PAGE);
      file.truncate(PAGE);
      assertThat(sim.disk().usedBytes()).isEqualTo(PAGE);
    }
  }

  @Test
  void failedForceLeavesOldOrNewBytesThatTheNextForceDoesNotSave() {
    int lostThoughShown = 0;
    int shownOld = 0;
    int saved = 0;
    for (long seed = 0; seed < 200; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("f");
        StorageFile file = sim.env().files().open(path, Mode.CREATE);
        writeByte(file, 1);
        file.force();
        sim.env().files().forceDirectory(sim.directory());
        writeByte(file, 2);
        sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.FORCE));
        assertThatThrownBy(file::force).isInstanceOf(StorageIoException.class);
        file.force();
        byte shown = sim.disk().read(path)[0];
        sim.crash(CrashKind.POWER_LOSS);
        byte kept = sim.disk().read(path)[0];
        lostThoughShown += shown == 2 && kept == 1 ? 1 : 0;
        shownOld += shown == 1 ? 1 : 0;
        saved += kept == 2 ? 1 : 0;
        assertThat(shown == 1 && kept == 2).as("seed %d", seed).isFalse();
      }
    }
    assertThat(lostThoughShown).isGreaterThan(20);
    assertThat(shownOld).isGreaterThan(20);
    assertThat(saved).isGreaterThan(20);
  }

  @Test
  void bytesWrittenAfterAFailedForceAreSavedByTheNext() {
    for (long seed = 0; seed < 50; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("f");
        StorageFile file = sim.env().files().open(path, Mode.CREATE);
        writeByte(file, 1);
        file.force();
        sim.env().files().forceDirectory(sim.directory());
        sim.faults().add(Fault.of(FaultEffect.DISK_FULL).on(IoKind.FORCE));
        assertThatThrownBy(file::force).isInstanceOf(DiskFullException.class);
        writeByte(file, 3);
        file.force();
        sim.crash(CrashKind.POWER_LOSS);
        assertThat(sim.disk().read(path)).as("seed %d", seed).containsOnly(3);
      }
    }
  }

  private void writeByte(StorageFile file, int value) {
    Mem.fill(memory, PAGE, (byte) value);
    file.write(0, memory, PAGE);
  }
}
