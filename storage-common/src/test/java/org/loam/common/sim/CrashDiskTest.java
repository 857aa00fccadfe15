package org.loam.common.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFile.Mapping;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.Mem;

/** What a crash leaves on the simulated disk. */
class CrashDiskTest {
  private static final int PAGE = 4096;
  private static final int SEEDS = 300;

  private long memory;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(16 * PAGE, PAGE);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  private enum Fate {
    OLD,
    BETWEEN,
    NEW,
    TORN
  }

  @Test
  void forcedBytesSurviveAndUnforcedOnesMeetEveryFate() {
    Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
    int mixedFiles = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("f");
        StorageFile file = forcedFile(sim, path, 8, 1);
        fillPages(file, 0, 4, 2);
        fillPages(file, 0, 4, 3);
        sim.crash(CrashKind.POWER_LOSS);
        byte[] bytes = sim.disk().read(path);
        assertThat(bytes).as("seed %d", seed).hasSize(8 * PAGE);
        assertThat(isAll(Arrays.copyOfRange(bytes, 4 * PAGE, 8 * PAGE), 1)).isTrue();
        Set<Fate> here = new HashSet<>();
        for (int page = 0; page < 4; page++) {
          Fate fate = fateOf(Arrays.copyOfRange(bytes, page * PAGE, (page + 1) * PAGE));
          here.add(fate);
          fates.merge(fate, 1, Integer::sum);
        }
        mixedFiles += here.size() > 1 ? 1 : 0;
      }
    }
    for (Fate fate : Fate.values()) {
      assertThat(fates.getOrDefault(fate, 0)).as("pages %s", fate).isGreaterThan(SEEDS / 20);
    }
    assertThat(mixedFiles).isGreaterThan(SEEDS / 4);
  }

  private static Fate fateOf(byte[] page) {
    Set<Byte> seen = new HashSet<>();
    for (int sector = 0; sector < PAGE; sector += 512) {
      byte[] bytes = Arrays.copyOfRange(page, sector, sector + 512);
      assertThat(isAll(bytes, bytes[0])).as("a sector is never torn").isTrue();
      seen.add(bytes[0]);
    }
    return seen.size() > 1 ? Fate.TORN : Fate.values()[page[0] - 1];
  }

  @Test
  void sizeAndBytesAreLostApart() {
    int shorter = 0;
    int longButEmpty = 0;
    int whole = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("f");
        StorageFile file = forcedFile(sim, path, 1, 1);
        fillPages(file, 1, 3, 2);
        sim.crash(CrashKind.POWER_LOSS);
        byte[] bytes = sim.disk().read(path);
        assertThat(bytes.length).isIn(PAGE, 2 * PAGE, 3 * PAGE);
        assertThat(isAll(Arrays.copyOf(bytes, PAGE), 1)).isTrue();
        boolean allThere = bytes.length == 3 * PAGE;
        byte[] tail = Arrays.copyOfRange(bytes, PAGE, bytes.length);
        shorter += allThere ? 0 : 1;
        longButEmpty += allThere && contains(tail, 0) ? 1 : 0;
        whole += allThere && !contains(tail, 0) ? 1 : 0;
      }
    }
    assertThat(shorter).isGreaterThan(SEEDS / 10);
    assertThat(longButEmpty).isGreaterThan(SEEDS / 10);
    assertThat(whole).isGreaterThan(SEEDS / 10);
  }

  @Test
  void processDeathKeepsWhatWasWrittenButPowerLossAfterItMayNot() {
    int lost = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("f");
        StorageFile file = forcedFile(sim, path, 1, 1);
        fillPages(file, 0, 1, 3);
        sim.crash(CrashKind.PROCESS_DEATH);
        assertThat(isAll(sim.disk().read(path), 3)).as("seed %d", seed).isTrue();
        StorageFile again = sim.env().files().open(path, Mode.WRITE);
        again.read(0, memory, PAGE);
        assertThat(Mem.getByte(memory)).isEqualTo((byte) 3);
        sim.crash(CrashKind.POWER_LOSS);
        lost += contains(sim.disk().read(path), 1) ? 1 : 0;
      }
    }
    assertThat(lost).isBetween(SEEDS / 10, SEEDS * 9 / 10);
  }

  @Test
  void whatAPowerLossLeftIsDurable() {
    for (long seed = 0; seed < 50; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("f");
        fillPages(forcedFile(sim, path, 4, 1), 0, 8, 2);
        sim.crash(CrashKind.POWER_LOSS);
        byte[] first = sim.disk().read(path);
        sim.crash(CrashKind.POWER_LOSS);
        assertThat(sim.disk().read(path)).as("seed %d", seed).isEqualTo(first);
      }
    }
  }

  @Test
  void truncatedBytesNeverShowAgainThoughTheTruncationMayBeLost() {
    Set<Integer> sizes = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("f");
        StorageFile file = forcedFile(sim, path, 3, 1);
        file.truncate(5_000);
        fillPages(file, 3, 4, 2);
        assertThat(isAll(Arrays.copyOfRange(sim.disk().read(path), 5_000, 3 * PAGE), 0)).isTrue();
        file.force();
        file.truncate(100);
        sim.crash(CrashKind.POWER_LOSS);
        byte[] bytes = sim.disk().read(path);
        sizes.add(bytes.length);
        assertThat(bytes.length).isIn(100, 4 * PAGE);
        assertThat(isAll(Arrays.copyOf(bytes, 100), 1)).isTrue();
      }
    }
    assertThat(sizes).hasSize(2);
  }

  @Test
  void namesAreLostOrKeptUntilTheDirectoryIsForced() {
    Set<String> outcomes = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path directory = sim.directory();
        forcedFile(sim, directory.resolve("old"), 1, 1);
        forcedFile(sim, directory.resolve("gone"), 1, 4);
        StorageFiles files = sim.env().files();
        forcedFileWithoutName(sim, directory.resolve("tmp"), 2);
        files.rename(directory.resolve("tmp"), directory.resolve("old"));
        files.delete(directory.resolve("gone"));
        sim.crash(CrashKind.POWER_LOSS);
        files = sim.env().files();
        // Atomic: whatever is there is one file or the other, whole.
        byte[] bytes = sim.disk().read(directory.resolve("old"));
        assertThat(isAll(bytes, bytes[0])).as("seed %d", seed).isTrue();
        boolean renamed = bytes[0] == 2;
        boolean tmp = files.exists(directory.resolve("tmp"));
        assertThat(renamed && tmp).as("two names, seed %d", seed).isFalse();
        outcomes.add(
            (renamed ? "renamed" : tmp ? "created" : "nothing")
                + (files.exists(directory.resolve("gone")) ? ", undeleted" : ", deleted"));
      }
    }
    assertThat(outcomes)
        .containsExactlyInAnyOrder(
            "renamed, undeleted",
            "renamed, deleted",
            "created, undeleted",
            "created, deleted",
            "nothing, undeleted",
            "nothing, deleted");
  }

  /** A second name is one entry more: it comes by itself, and takes no space. */
  @Test
  void aLinkIsLostOrKeptUntilItsDirectoryIsForced() {
    int lost = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path file = sim.directory().resolve("f");
        Path link = sim.directory().resolve("d/g");
        forcedFile(sim, file, 3, 1);
        StorageFiles files = sim.env().files();
        files.createDirectories(link.getParent());
        files.forceDirectory(sim.directory());
        assertThat(files.link(file, link)).isTrue();
        if (seed % 2 == 0) {
          files.forceDirectory(link.getParent());
        }
        sim.crash(CrashKind.POWER_LOSS);
        assertThat(isAll(sim.disk().read(file), 1)).as("seed %d", seed).isTrue();
        assertThat(sim.disk().usedBytes()).isEqualTo(3 * PAGE);
        boolean kept = sim.env().files().exists(link);
        assertThat(kept || seed % 2 == 1).as("seed %d", seed).isTrue();
        lost += kept ? 0 : 1;
        sim.disk().remove(file);
        assertThat(sim.disk().usedBytes()).isEqualTo(kept ? 3 * PAGE : 0);
      }
    }
    assertThat(lost).isBetween(SEEDS / 10, SEEDS / 2);
  }

  @Test
  void forcedNamesStay() {
    for (long seed = 0; seed < 50; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path directory = sim.directory();
        forcedFile(sim, directory.resolve("gone"), 1, 1);
        StorageFiles files = sim.env().files();
        forcedFileWithoutName(sim, directory.resolve("tmp"), 2);
        files.rename(directory.resolve("tmp"), directory.resolve("final"));
        files.delete(directory.resolve("gone"));
        files.forceDirectory(directory);
        sim.crash(CrashKind.POWER_LOSS);
        assertThat(sim.env().files().list(directory)).as("seed %d", seed).containsExactly("final");
        assertThat(isAll(sim.disk().read(directory.resolve("final")), 2)).isTrue();
        assertThat(sim.counters().entriesLost()).isZero();
      }
    }
  }

  @Test
  void newDirectoryIsLostWithAllThatIsInItUnlessItsParentWasForced() {
    int lost = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path sub = sim.directory().resolve("a/b");
        sim.env().files().createDirectories(sub);
        forcedFile(sim, sub.resolve("f"), 1, 1);
        sim.env().files().forceDirectory(sim.directory());
        sim.crash(CrashKind.POWER_LOSS);
        assertThat(sim.env().files().exists(sub.getParent())).isTrue();
        boolean there = sim.env().files().exists(sub);
        assertThat(sim.env().files().exists(sub.resolve("f"))).isEqualTo(there);
        lost += there ? 0 : 1;
      }
    }
    assertThat(lost).isBetween(SEEDS / 10, SEEDS * 9 / 10);
  }

  @ParameterizedTest
  @EnumSource
  void mappedBytesSurviveProcessDeathAndWithAForcePowerLoss(CrashKind kind) {
    int lost = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("log");
        StorageFile file = forcedFile(sim, path, Mode.CREATE_BUFFERED, 3, 1);
        Mapping mapping = file.map(PAGE, 2 * PAGE);
        assertThat(Mem.getByte(mapping.address())).isEqualTo((byte) 1);
        Mem.fill(mapping.address(), PAGE, (byte) 2);
        file.force();
        Mem.fill(mapping.address() + PAGE, PAGE, (byte) 2);
        file.read(2 * PAGE, memory, PAGE);
        assertThat(Mem.getByte(memory)).isEqualTo((byte) 2);
        sim.crash(kind);
        byte[] bytes = sim.disk().read(path);
        assertThat(isAll(Arrays.copyOf(bytes, PAGE), 1)).isTrue();
        assertThat(isAll(Arrays.copyOfRange(bytes, PAGE, 2 * PAGE), 2)).isTrue();
        lost += contains(Arrays.copyOfRange(bytes, 2 * PAGE, 3 * PAGE), 1) ? 1 : 0;
      }
    }
    if (kind == CrashKind.PROCESS_DEATH) {
      assertThat(lost).isZero();
    } else {
      assertThat(lost).isBetween(SEEDS / 10, SEEDS * 9 / 10);
    }
  }

  @Test
  void writesShowInMappingsAndClosedMappingsLeaveTheirBytes() {
    try (Simulation sim = Simulation.seeded(1)) {
      Path path = sim.directory().resolve("log");
      StorageFile file = forcedFile(sim, path, Mode.CREATE_BUFFERED, 2, 1);
      Mapping mapping = file.map(100, PAGE);
      fillPages(file, 0, 1, 2);
      assertThat(Mem.getByte(mapping.address())).isEqualTo((byte) 2);
      assertThat(Mem.getByte(mapping.address() + PAGE - 1)).isEqualTo((byte) 1);
      Mem.putByte(mapping.address() + PAGE - 1, (byte) 9);
      mapping.close();
      mapping.close();
      assertThat(sim.disk().read(path)[100 + PAGE - 1]).isEqualTo((byte) 9);
    }
  }

  @Test
  void crashInTheMiddleOfAWriteLeavesAPart() {
    Set<String> outcomes = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Path path = sim.directory().resolve("f");
        StorageFile file = forcedFile(sim, path, 4, 1);
        sim.crashAtCall(1, CrashKind.PROCESS_DEATH);
        Mem.fill(memory, 4 * PAGE, (byte) 2);
        sim.run(() -> file.write(0, memory, 4 * PAGE));
        byte[] bytes = sim.disk().read(path);
        outcomes.add(contains(bytes, 1) + " " + contains(bytes, 2));
      }
    }
    assertThat(outcomes).contains("true false", "true true");
  }

  /** A file whose bytes and name are durable. */
  private StorageFile forcedFile(Simulation sim, Path path, int pages, int value) {
    return forcedFile(sim, path, Mode.CREATE, pages, value);
  }

  private StorageFile forcedFile(Simulation sim, Path path, Mode mode, int pages, int value) {
    StorageFile file = sim.env().files().open(path, mode);
    fillPages(file, 0, pages, value);
    file.force();
    sim.env().files().forceDirectory(path.getParent());
    return file;
  }

  private void forcedFileWithoutName(Simulation sim, Path path, int value) {
    try (StorageFile file = sim.env().files().open(path, Mode.CREATE)) {
      fillPages(file, 0, 1, value);
      file.force();
    }
  }

  private void fillPages(StorageFile file, int from, int to, int value) {
    Mem.fill(memory, PAGE, (byte) value);
    for (int page = from; page < to; page++) {
      file.write((long) page * PAGE, memory, PAGE);
    }
  }

  private static boolean isAll(byte[] bytes, int value) {
    byte[] expected = new byte[bytes.length];
    Arrays.fill(expected, (byte) value);
    return Arrays.equals(bytes, expected);
  }

  private static boolean contains(byte[] bytes, int value) {
    for (byte b : bytes) {
      if (b == value) {
        return true;
      }
    }
    return false;
  }
}
