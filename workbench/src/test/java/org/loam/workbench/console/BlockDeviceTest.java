package org.loam.workbench.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockDeviceTest {
  @TempDir Path directory;

  @Test
  void whatIsForcedCounts() throws Exception {
    long before = BlockDevice.writtenBytes(directory);
    assumeTrue(before >= 0, "the kernel does not count for this file system");
    Path file = directory.resolve("file");
    Files.write(file, new byte[1 << 20]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    assertThat(BlockDevice.writtenBytes(directory) - before).isGreaterThanOrEqualTo(1 << 20);
  }

  @Test
  void whatIsReadIsCountedApart() {
    long read = BlockDevice.readBytes(directory);
    assumeTrue(read >= 0, "the kernel does not count for this file system");
    assertThat(read).isPositive().isNotEqualTo(BlockDevice.writtenBytes(directory));
  }

  @Test
  void nothingIsSaidOfWhatIsNotThereOrHasNoDevice() {
    assertThat(BlockDevice.writtenBytes(directory.resolve("no"))).isEqualTo(-1);
    assertThat(BlockDevice.writtenBytes(Path.of("/proc/self"))).isEqualTo(-1);
  }
}
