package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.DiskFullException;

/** Each directory has a file system of its own. */
class SpaceGuardTest {
  private static final Path A = Path.of("/a");
  private static final Path B = Path.of("/b");
  private static final Path C = Path.of("/c");

  private final Map<Path, Long> free = new HashMap<>(Map.of(A, 1000L, B, 1000L, C, 10L));
  private int rooms;

  private SpaceGuard guard() {
    StorageFiles files =
        (StorageFiles)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StorageFiles.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("usableBytes");
                  return free.get((Path) arguments[0]);
                });
    StorageEnv real = RealEnv.create();
    StorageEnv env =
        new StorageEnv(files, real.clock(), real.waiter(), real.tasks(), real.random());
    SpaceGuard guard = new SpaceGuard(env, List.of(A, B, C), 500, new Events(env, null));
    guard.onRoom(() -> rooms++);
    return guard;
  }

  private static void refuses(SpaceGuard guard, Path directory, long freeBytes) {
    assertThatThrownBy(guard::requireRoom)
        .isExactlyInstanceOf(DiskFullException.class)
        .hasMessageContainingAll(
            directory + ": the file system is full", "500 bytes needed", freeBytes + " bytes free")
        .extracting(e -> ((DiskFullException) e).freeBytes())
        .isEqualTo(freeBytes);
  }

  @Test
  void writesAreRefusedUntilEachThatLackedRoomHasIt() {
    SpaceGuard guard = guard();
    guard.requireRoom();
    free.put(C, 700L);
    free.put(B, 20L);
    guard.foundFull(new DiskFullException("found by a flush", 30, 20));
    refuses(guard, B, 20);
    // Not what was found full: it says so itself when something has to be written there.
    free.put(C, 0L);
    free.put(B, 600L);
    guard.requireRoom();
    assertThat(rooms).isEqualTo(1);
    free.put(A, 1L);
    guard.requireRoom();
    assertThat(rooms).isEqualTo(1);
    guard.foundFull(new DiskFullException("found by a merge", 30, 20));
    refuses(guard, A, 1);
    free.put(A, 500L);
    refuses(guard, C, 0);
    free.put(C, 500L);
    guard.requireRoom();
    assertThat(rooms).isEqualTo(2);
  }

  @Test
  void roomThatIsBackAtOnceLetsWorkBeginOver() {
    SpaceGuard guard = guard();
    free.put(C, 500L);
    guard.foundFull(new DiskFullException("found by a flush", 30, 20));
    guard.requireRoom();
    assertThat(rooms).isEqualTo(1);
  }
}
