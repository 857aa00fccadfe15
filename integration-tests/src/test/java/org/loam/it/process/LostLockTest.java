package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.FencedException;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.workbench.console.ChildJvm;

/**
 * Two processes and one database, where the first has lost its lock: POSIX drops the lock of a
 * process when that opens and closes the file, as a backup inside it does.
 */
@Tag("once")
class LostLockTest {
  private static final int KEYS = 5_000;

  @TempDir Path directory;

  private static EngineConfig config() {
    return WriterMain.config(Durability.PROCESS);
  }

  @Test
  void aBackupInsideTheProcessLetsNoOtherProcessIn() throws Exception {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      write(tree, 0, KEYS);
      backUpLock();
      assertThat(openElsewhere()).startsWith("InUseException").contains(directory.toString());
      write(tree, KEYS, 2 * KEYS);
      engine.flush();
      backUpLock();
      assertThat(openElsewhere())
          .startsWith("InUseException")
          .contains("process " + ProcessHandle.current().pid());
      write(tree, 2 * KEYS, 3 * KEYS);
    }
    requireKeys(3 * KEYS);
    assertThat(openElsewhere()).isEqualTo("opened, 1 trees");
  }

  @Test
  void aProcessWhoseLockFileWasDeletedIsFencedBeforeItHarmsTheNext() throws Exception {
    Engine engine = Engine.open(directory, config());
    try {
      Tree tree = engine.createTree("t");
      write(tree, 0, KEYS);
      Files.delete(directory.resolve("lock"));
      assertThat(openElsewhere()).isEqualTo("opened, 1 trees");
      List<String> before = files();
      assertThatThrownBy(engine::flush)
          .isInstanceOf(FencedException.class)
          .hasMessageContaining(directory.toString());
      assertThatThrownBy(() -> tree.put(key(1), new byte[1])).isInstanceOf(FencedException.class);
      assertThat(tree.get(key(1))).isNotNull();
      assertThat(files()).isEqualTo(before);
    } finally {
      engine.close();
    }
    requireKeys(KEYS);
    assertThat(openElsewhere()).isEqualTo("opened, 1 trees");
  }

  /** What a backup does: opens, reads and closes the file. */
  private void backUpLock() throws IOException {
    assertThat(Files.readAllBytes(directory.resolve("lock"))).isNotNull();
  }

  /** The files that there are, and what the manifest says. */
  private List<String> files() throws IOException {
    List<String> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        boolean metadata = file.getParent().equals(directory);
        files.add(file + " " + (metadata ? Arrays.hashCode(Files.readAllBytes(file)) : 0));
      }
    }
    return files;
  }

  private String openElsewhere() throws IOException, InterruptedException {
    Process child =
        ChildJvm.start(OpenMain.class, List.of("-Xmx64m"), List.of(directory.toString()));
    String said = new String(child.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(child.waitFor()).isZero();
    return said;
  }

  private static void write(Tree tree, int from, int to) {
    for (int i = from; i < to; i++) {
      tree.put(key(i), new byte[100]);
    }
  }

  private void requireKeys(int count) {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.tree("t");
      for (int i = 0; i < count; i++) {
        assertThat(tree.get(key(i))).as("key %d", i).hasSize(100);
      }
      assertThat(engine.verify().isSound()).isTrue();
    }
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }
}
