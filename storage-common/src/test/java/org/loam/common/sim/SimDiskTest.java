package org.loam.common.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.Mem;

/** The tools that tests use behind the engine's back. */
class SimDiskTest {
  private static final Path FILE = Path.of("/data/f");

  @TempDir Path real;

  @Test
  void damageIsDoneDurably() {
    try (Simulation sim = Simulation.seeded(1)) {
      SimDisk disk = sim.disk();
      disk.put(FILE, new byte[10_000]);
      disk.flip(FILE, 5_000, 0x81);
      disk.overwrite(FILE, 9_998, (byte) 1, (byte) 2, (byte) 3);
      disk.put(Path.of("/data/g"), new byte[] {1, 2, 3});
      disk.truncate(Path.of("/data/g"), 1);
      disk.put(Path.of("/data/h"), new byte[0]);
      disk.remove(Path.of("/data/h"));
      sim.crash(CrashKind.POWER_LOSS);
      byte[] expected = Arrays.copyOf(new byte[10_000], 10_001);
      expected[5_000] = (byte) 0x81;
      expected[9_998] = 1;
      expected[9_999] = 2;
      expected[10_000] = 3;
      assertThat(disk.read(FILE)).isEqualTo(expected);
      assertThat(disk.read(Path.of("/data/g"))).containsExactly(1);
      assertThat(disk.files()).containsExactly(FILE, Path.of("/data/g"));
      assertThatThrownBy(() -> disk.read(Path.of("/data/h")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("/data/h");
    }
  }

  @Test
  void copiesAreIndependentAndKeepWhatIsUnforced() {
    long memory = Mem.allocate(4096, 4096);
    Mem.fill(memory, 4096, (byte) 2);
    int lost = 0;
    try (Simulation sim = Simulation.seeded(1)) {
      sim.disk().put(FILE, new byte[4096]);
      StorageFile file = sim.env().files().open(FILE, Mode.WRITE);
      file.write(0, memory, 4096);
      for (long seed = 0; seed < 100; seed++) {
        SimDisk copy = sim.disk().copy();
        try (Simulation other = Simulation.over(copy, seed)) {
          assertThat(copy.read(FILE)).containsOnly(2);
          assertThat(copy.usedBytes()).isEqualTo(4096);
          other.crash(CrashKind.POWER_LOSS);
          lost += copy.read(FILE)[0] == 0 ? 1 : 0;
          copy.flip(FILE, 7, 0xff);
        }
      }
      assertThat(sim.disk().read(FILE)).containsOnly(2);
    } finally {
      Mem.free(memory);
    }
    assertThat(lost).isBetween(10, 90);
  }

  @Test
  void filesMoveToARealDirectoryAndBack() throws Exception {
    try (Simulation sim = Simulation.seeded(1)) {
      byte[] bytes = new byte[5_000];
      Arrays.fill(bytes, (byte) 7);
      sim.disk().put(FILE, bytes);
      sim.disk().put(Path.of("/data/sub/g"), new byte[] {1});
      sim.disk().exportTo(real, sim.directory());
      assertThat(Files.readAllBytes(real.resolve("f"))).isEqualTo(bytes);
      sim.disk().importFrom(real, Path.of("/copy"));
      assertThat(sim.disk().read(Path.of("/copy/f"))).isEqualTo(bytes);
      assertThat(sim.disk().read(Path.of("/copy/sub/g"))).containsExactly(1);
      sim.crash(CrashKind.POWER_LOSS);
      assertThat(sim.env().files().list(Path.of("/copy"))).containsExactly("f", "sub");
    }
  }
}
