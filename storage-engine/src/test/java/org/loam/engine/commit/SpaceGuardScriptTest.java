package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageIoException;
import org.loam.common.script.Script;
import org.loam.engine.notify.Events;

/** When writes are refused for lack of room; each directory has a file system of its own. */
class SpaceGuardScriptTest {
  private static final long RESERVE_BYTES = 500;

  /** A file system that does not tell what is free. */
  private static final long GONE = -1;

  private final TreeMap<Path, Long> free = new TreeMap<>();
  private SpaceGuard guard = guard();
  private int rooms;

  @TestFactory
  Stream<DynamicTest> space() {
    return Script.tests("space", () -> new SpaceGuardScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "disks" -> disks(command, true);
      case "free" -> disks(command, false);
      case "found-full" -> foundFull();
      case "write" -> write();
      default -> throw command.unknown();
    };
  }

  /** Free bytes such as {@code /a=1000}, or {@code /a=gone}; new disks have a new guard. */
  private String disks(Script.Command command, boolean create) {
    for (String option : command.options()) {
      String[] parts = option.split("=", 2);
      free.put(Path.of(parts[0]), parts[1].equals("gone") ? GONE : Long.parseLong(parts[1]));
    }
    if (create) {
      guard = guard();
    }
    return free.toString();
  }

  private SpaceGuard guard() {
    StorageFiles files =
        (StorageFiles)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StorageFiles.class},
                (proxy, method, arguments) -> {
                  if (!method.getName().equals("usableBytes")) {
                    throw new AssertionError("asked for more than room: " + method);
                  }
                  long bytes = free.get((Path) arguments[0]);
                  if (bytes == GONE) {
                    throw new StorageIoException(arguments[0] + ": it does not exist");
                  }
                  return bytes;
                });
    StorageEnv real = RealEnv.create();
    StorageEnv env =
        new StorageEnv(files, real.clock(), real.waiter(), real.tasks(), real.random());
    SpaceGuard made =
        new SpaceGuard(
            env,
            List.copyOf(free.keySet()),
            () -> RESERVE_BYTES,
            new Events(env, Path.of("d"), null));
    made.onRoom(() -> rooms++);
    return made;
  }

  private String foundFull() {
    guard.foundFull(new DiskFullException("found by a flush or a merge", 30, 20));
    return write();
  }

  /** Whether a write is let in, and whether background work begins over before. */
  private String write() {
    int before = rooms;
    try {
      guard.requireRoom();
      return rooms == before ? "let in" : "let in, and work begins over";
    } catch (DiskFullException e) {
      String bytes = e.neededBytes() + " bytes needed, " + e.freeBytes() + " bytes free";
      assertThat(e).hasMessageContaining(bytes);
      return e.getMessage();
    } catch (StorageIoException e) {
      return e.getMessage();
    }
  }
}
