package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageIoException;

@Tag("once")
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
      assertThat(Files.readString(file)).startsWith(pid + " ");
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

  @Test
  void aLockThatThisProcessLostIsTakenAgain() throws Exception {
    Path file = directory.resolve("LOCK");
    try (DirectoryLock held = new RealFiles().lock(file)) {
      Files.readAllBytes(file);
      held.verify();
      assertThat(said(file, "lock")).isEqualTo("locked by another");
      held.verify();
    }
    assertThat(said(file, "lock")).isEqualTo("free");
  }

  @Test
  void anOwnerThatRunsIsSeenWithoutItsLock() throws Exception {
    Path file = directory.resolve("LOCK");
    try (DirectoryLock held = new RealFiles().lock(file)) {
      // What a process sees that comes right after the lock was lost.
      Path other = directory.resolve("other");
      String claim = Files.readString(file);
      Files.createFile(other);
      Files.writeString(other, claim.replace(key(file), key(other)));
      assertThat(said(other, "open")).contains("held by process " + ProcessHandle.current().pid());
      // A copy of the directory has a claim on another file.
      Files.writeString(other, claim);
      assertThat(said(other, "open")).isEqualTo("locked");
      held.verify();
    }
  }

  @Test
  void theOwnerOfADirectoryIsFoundWithoutHarmToItsLock() throws Exception {
    Path file = directory.resolve("lock");
    assertThat(DirectoryOwner.of(directory).state()).isEqualTo(DirectoryOwner.State.NONE);
    try (DirectoryLock held = new RealFiles().lock(file)) {
      assertThat(DirectoryOwner.of(directory))
          .isEqualTo(new DirectoryOwner(DirectoryOwner.State.RUNS, ProcessHandle.current().pid()));
      // Had the file been opened and closed, the lock would be free.
      assertThat(said(file, "lock")).isEqualTo("locked by another");
    }
    assertThat(DirectoryOwner.of(directory).state()).isEqualTo(DirectoryOwner.State.NONE);
    Process process = other(file);
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("locked");
      assertThat(DirectoryOwner.of(directory))
          .isEqualTo(new DirectoryOwner(DirectoryOwner.State.RUNS, process.pid()));
      process.destroyForcibly().waitFor();
    }
    assertThat(DirectoryOwner.of(directory).state()).isEqualTo(DirectoryOwner.State.NONE);
    LockClaim own = LockClaim.own(key(file));
    Files.writeString(file, own.toString().replace(own.world(), "elsewhere/pid:[1]"));
    assertThat(DirectoryOwner.of(directory))
        .isEqualTo(new DirectoryOwner(DirectoryOwner.State.OUT_OF_SIGHT, own.pid()));
  }

  @Test
  void anOwnerIsTheSameProcessInTheSameWorldOrOutOfSight() throws Exception {
    LockClaim own = LockClaim.own("f");
    long parent = ProcessHandle.current().parent().orElseThrow().pid();
    assertThat(own.owner("f")).isEqualTo(LockClaim.Owner.ENDED);
    assertThat(new LockClaim(parent, "0", own.world(), "f", "t").owner("f"))
        .as("another process has the number now")
        .isEqualTo(LockClaim.Owner.ENDED);
    assertThat(new LockClaim(parent, own.started(), "elsewhere/pid:[1]", "f", "t").owner("f"))
        .isEqualTo(LockClaim.Owner.OUT_OF_SIGHT);
    assertThat(new LockClaim(parent, own.started(), "?", "f", "t").owner("f"))
        .isEqualTo(LockClaim.Owner.OUT_OF_SIGHT);
  }

  @Test
  void anOwnerWhoseFileWasDeletedIsToldWhenAnotherComes() throws Exception {
    Path file = directory.resolve("LOCK");
    CountDownLatch told = new CountDownLatch(1);
    DirectoryLock held = new RealFiles().lock(file);
    held.onLost(e -> told.countDown());
    Files.delete(file);
    Process process = other(file);
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("locked");
      told.await();
      assertThatThrownBy(held::verify)
          .isInstanceOf(InUseException.class)
          .hasMessageContaining(file.toString());
      String claim = Files.readString(file);
      held.close();
      assertThat(Files.readString(file)).isEqualTo(claim).startsWith(process.pid() + " ");
      process.destroyForcibly().waitFor();
    }
    new RealFiles().lock(file).close();
  }

  private static String key(Path file) throws IOException {
    return String.valueOf(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
  }

  /** The first line of another process that ends then. */
  private static String said(Path file, String what) throws Exception {
    Process process = other(file, what);
    try (BufferedReader out = process.inputReader()) {
      String line = out.readLine();
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
      return line;
    }
  }

  private static Process other(Path file, String... what) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Other.class.getName(),
            file.toString(),
            what.length == 0 ? "open" : what[0])
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** The other process: tells on its output what came of locking, and holds on until killed. */
  static final class Other {
    public static void main(String[] args) throws IOException {
      if (args[1].equals("lock")) {
        try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
          System.out.println(channel.tryLock() == null ? "locked by another" : "free");
        }
        return;
      }
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
