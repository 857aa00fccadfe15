package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.error.DiskFullException;
import org.loam.common.mem.Mem;

/** A real disk without room: a tmpfs of one megabyte, which only root may mount. */
class DiskFullTest {
  private static final int DISK_BYTES = 1 << 20;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "CREATE_BUFFERED"})
  void fullDiskIsToldWithNeededAndFreeBytesAndWritesGoOnOnceThereIsRoom(Mode mode)
      throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "loam", directory.toString()),
        "mounting a tmpfs needs root");
    long memory = Mem.allocate(DISK_BYTES, 4096);
    RealFiles files = new RealFiles();
    Path other = directory.resolve("other");
    try (StorageFile ballast = files.open(other, mode);
        StorageFile file = files.open(directory.resolve("f"), mode)) {
      ballast.write(0, memory, DISK_BYTES / 2);
      assertThatThrownBy(() -> file.write(0, memory, DISK_BYTES))
          .isInstanceOfSatisfying(
              DiskFullException.class,
              e -> {
                assertThat(e.neededBytes()).isPositive();
                assertThat(e.freeBytes()).isGreaterThanOrEqualTo(0).isLessThan(e.neededBytes());
              })
          .hasMessageContaining("bytes needed")
          .hasMessageContaining("free");
      ballast.truncate(0);
      file.write(0, memory, DISK_BYTES / 2);
    } finally {
      Mem.free(memory);
      run("umount", directory.toString());
    }
  }

  @Test
  void theKernelsWordsAreUnderstood() {
    IOException quota = new IOException("Disk quota exceeded");
    assertThat(IoFaults.onBytes(IoFaults.WRITE, directory.resolve("f"), 0, 1, quota))
        .isInstanceOf(DiskFullException.class)
        .hasCause(quota);
    assertThat(IoFaults.onPath("rename", directory, new IOException("Input/output error")))
        .isNotInstanceOf(DiskFullException.class);
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor() == 0;
  }
}
