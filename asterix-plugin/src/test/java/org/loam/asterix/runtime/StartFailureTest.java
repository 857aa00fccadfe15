package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import java.util.Set;
import org.apache.asterix.app.nc.task.LocalRecoveryTask;
import org.junit.jupiter.api.Test;
import org.loam.common.error.DiskFullException;

/** Why a start has failed, also if the cause is an odd one. */
class StartFailureTest {
  private static String text(Throwable failure) {
    return StartFailure.of(failure).text(Optional.empty());
  }

  @Test
  void allCausesAreNamed() {
    IOException disk = new IOException("no room on /data");
    RuntimeException silent = new RuntimeException(disk);
    assertThat(text(new IllegalStateException("Failed to redo", silent)))
        .isEqualTo("the start failed: Failed to redo: no room on /data");
    assertThat(text(new IllegalStateException("no room on /data", disk)))
        .isEqualTo("the start failed: no room on /data");
  }

  @Test
  void aCauseWithoutAMessageIsNamedByItsClass() {
    String name = "java.lang.NullPointerException";
    assertThat(text(new NullPointerException())).isEqualTo("the start failed: " + name);
    assertThat(text(new NullPointerException(" "))).isEqualTo("the start failed: " + name);
    IOException cause = new IOException("cannot read /log/checkpoint_1");
    cause.initCause(new NullPointerException());
    assertThat(text(new RuntimeException(null, cause)))
        .isEqualTo(
            "the start failed: java.lang.RuntimeException: cannot read /log/checkpoint_1: " + name);
  }

  /** They say the name of a file or a class and no more. */
  @Test
  void aMessageThatIsANameHasItsClass() {
    String denied = "java.nio.file.AccessDeniedException: /data 1/log";
    assertThat(text(new RuntimeException(new AccessDeniedException("/data 1/log"))))
        .isEqualTo("the start failed: " + denied);
    assertThat(text(new IOException("cannot begin", new AccessDeniedException("/data 1/log"))))
        .isEqualTo("the start failed: cannot begin: " + denied);
    assertThat(text(new FileSystemException("/data", null, "Read-only file system")))
        .isEqualTo("the start failed: /data: Read-only file system");
    assertThat(text(new NoClassDefFoundError("com/example/Missing")))
        .isEqualTo("the start failed: java.lang.NoClassDefFoundError: com/example/Missing");
  }

  @Test
  void causesMayGoRoundInACircle() {
    Exception first = new Exception("first");
    first.initCause(new Exception("second", first));
    assertThat(text(first)).isEqualTo("the start failed: first: second");
  }

  @Test
  @SuppressWarnings("NullAway") // The task finds no node, which is an odd cause.
  void theTaskThatFailedIsNamed() {
    Throwable odd = catchThrowable(() -> new LocalRecoveryTask(Set.of(0)).perform(null, null));
    assertThat(text(odd)).startsWith("the start failed in LocalRecoveryTask: ");
    assertThat(text(new Exception("outside", odd)))
        .startsWith("the start failed in LocalRecoveryTask: outside: ");
  }

  @Test
  void aFullDiskIsToBeMadeRoomOn() {
    String room = "; start the node again when there is room";
    DiskFullException loam = new DiskFullException("/data: 3 bytes needed, 2 bytes free", 3, 2);
    assertThat(text(new RuntimeException(loam)))
        .isEqualTo("the start failed: /data: 3 bytes needed, 2 bytes free" + room);
    IOException host = new IOException("No space left on device");
    assertThat(text(host)).isEqualTo("the start failed: No space left on device" + room);
    assertThat(StartFailure.of(host).text(Optional.of("txn.log.dir: /log is full" + room)))
        .isEqualTo("the start failed: No space left on device; txn.log.dir: /log is full" + room);
  }
}
