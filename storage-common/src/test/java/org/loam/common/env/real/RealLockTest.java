package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageIoException;

class RealLockTest {
  @TempDir Path directory;

  @Test
  void secondOpenerInThisProcessIsRefusedUntilTheFirstCloses() throws IOException {
    RealFiles files = new RealFiles();
    Path file = directory.resolve("LOCK");
    String pid = Long.toString(ProcessHandle.current().pid());
    try (DirectoryLock held = files.lock(file)) {
      assertThatThrownBy(() -> new RealFiles().lock(file))
          .isInstanceOf(InUseException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining(pid);
      Path alias = Files.createSymbolicLink(directory.resolve("alias"), directory);
      assertThatThrownBy(() -> files.lock(alias.resolve("LOCK")))
          .isInstanceOf(InUseException.class);
      assertThat(Files.readString(file).strip()).isEqualTo(pid);
    }
    DirectoryLock again = files.lock(file);
    again.close();
    again.close();
  }

  @Test
  void missingDirectoryIsNamed() {
    assertThatThrownBy(() -> new RealFiles().lock(directory.resolve("no/LOCK")))
        .isInstanceOf(StorageIoException.class)
        .hasMessageContaining("no");
  }

  @Test
  void otherProcessIsRefusedWithOurPidAndWeWithIts() throws Exception {
    RealFiles files = new RealFiles();
    Path file = directory.resolve("LOCK");
    try (DirectoryLock held = files.lock(file)) {
      // A failed attempt of our own must not drop the lock.
      assertThatThrownBy(() -> files.lock(file)).isInstanceOf(InUseException.class);
      Process process = other(file);
      try (BufferedReader out = process.inputReader()) {
        assertThat(out.readLine()).contains("held by process " + ProcessHandle.current().pid());
      }
    }
    Process process = other(file);
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> files.lock(file))
          .isInstanceOf(InUseException.class)
          .hasMessageContaining("held by process " + process.pid());
      process.destroyForcibly().waitFor();
    }
    files.lock(file).close();
  }

  private static Process other(Path file) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Other.class.getName(),
            file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** The other process: tells on its output what came of locking, and holds on until killed. */
  static final class Other {
    public static void main(String[] args) throws IOException {
      try {
        DirectoryLock held = new RealFiles().lock(Path.of(args[0]));
        System.out.println("locked");
        System.in.read();
        held.close();
      } catch (InUseException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
