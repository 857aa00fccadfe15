package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.quiet.QuietLog;

/** Data directories that are one directory by two names: refused, and no name does harm. */
@Tag("once")
@ExtendWith(QuietLog.class)
class DirectoryAliasTest {
  @TempDir Path temporary;

  private Path main() {
    return temporary.resolve("main");
  }

  private Path data() {
    return main().resolve("data");
  }

  private Path disk() {
    return temporary.resolve("disk");
  }

  private Engine open(StorageEnv env, Path... additional) {
    return Engine.open(
        env,
        main(),
        EngineSimulationTest.config(Durability.PROCESS),
        OpenOptions.DEFAULT.withDirectories(List.of(additional)));
  }

  private Engine open(Path... additional) {
    return open(RealEnv.create(), additional);
  }

  private void refused(StorageEnv env, String told, Path... additional) {
    assertThatThrownBy(() -> open(env, additional).close())
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(additional[additional.length - 1].toString(), told);
  }

  private void fill() {
    try (Engine engine = open()) {
      Tree tree = engine.createTree("t");
      tree.put("key".getBytes(UTF_8), new byte[500]);
      tree.flush();
    }
  }

  private void check(Path... additional) {
    try (Engine engine = open(additional)) {
      assertThat(engine.tree("t").get("key".getBytes(UTF_8))).hasSize(500);
      assertThat(engine.verify().findings()).isEmpty();
    }
  }

  private Path link(Path target) throws IOException {
    return Files.createSymbolicLink(temporary.resolve("link"), target);
  }

  /** The operating system, where one directory has a second name that is not a link to it. */
  private static StorageEnv bound(Path name, Path target) {
    StorageEnv real = RealEnv.create();
    Object files =
        Proxy.newProxyInstance(
            StorageFiles.class.getClassLoader(),
            new Class<?>[] {StorageFiles.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("realPath")) {
                return real.files().realPath((Path) arguments[0]);
              }
              for (int i = 0; i < arguments.length; i++) {
                if (arguments[i] instanceof Path path && path.startsWith(name)) {
                  arguments[i] = target.resolve(name.relativize(path));
                }
              }
              try {
                return method.invoke(real.files(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return new StorageEnv(
        (StorageFiles) files, real.clock(), real.waiter(), real.tasks(), real.random());
  }

  // ---- The directory of the database's own tables.

  /** Or the tables of each would pass for orphans of the other. */
  @Test
  void thatOfTheDatabaseItselfIsRefused() throws IOException {
    refused(RealEnv.create(), "already", data());
    refused(RealEnv.create(), "already", link(data()));
    assertThat(data().resolve("identity")).doesNotExist();
    fill();
    refused(RealEnv.create(), "already", data());
    check();
  }

  @Test
  void aBindMountOfThatIsRefused() throws IOException {
    Path name = temporary.resolve("bound");
    refused(bound(name, data()), "already", name);
    fill();
    // The identity that was written there for it.
    assertThat(data().resolve("identity")).exists();
    refused(bound(name, data()), "already", name);
    check(disk());
    check(disk());
  }

  // ---- A new directory.

  /** Or its identity would be written twice, and the first number be of no directory. */
  @Test
  void aNewOneByTwoNamesIsRefused() throws IOException {
    Files.createDirectories(disk());
    Path link = link(disk());
    refused(RealEnv.create(), "is named twice", disk(), link);
    refused(RealEnv.create(), "is named twice", disk().resolve("new"), link.resolve("new"));
    assertThat(disk()).isEmptyDirectory();
    fill();
    check(link);
    check(disk());
  }

  @Test
  void aNewOneAndItsBindMountAreRefused() {
    Path name = temporary.resolve("bound");
    refused(bound(name, disk()), "is named twice", disk(), name);
    fill();
    check(disk());
  }
}
