package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.ConfigException;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageIoException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;
import org.loam.workbench.console.ChildJvm;

/** What a user may do wrong: each is refused before anything changes, naming thing and remedy. */
@Tag("once")
class LimitsTest {
  @TempDir Path directory;

  private static EngineConfig config() {
    return WriterMain.config(Durability.PROCESS);
  }

  private Path database() {
    Path database = directory.resolve("database");
    try (Engine engine = Engine.open(database, config())) {
      engine.createTree("t").put(new byte[] {1}, new byte[] {2});
    }
    return database;
  }

  private static void requireIntact(Path database) {
    try (Engine engine = Engine.open(database, config())) {
      assertThat(engine.tree("t").get(new byte[] {1})).isEqualTo(new byte[] {2});
    }
  }

  @Test
  void aDirectoryBelongsToOneProcess() throws Exception {
    Path database = database();
    try (Engine engine = Engine.open(database, config())) {
      assertThat(openElsewhere(database))
          .startsWith("InUseException")
          .contains(database.toString());
      assertThatThrownBy(() -> Engine.open(database, config()))
          .isInstanceOf(InUseException.class)
          .hasMessageContaining(database.toString());
      engine.tree("t").put(new byte[] {1}, new byte[] {2});
    }
    assertThat(openElsewhere(database)).isEqualTo("opened, 1 trees");
  }

  private static String openElsewhere(Path database) throws IOException, InterruptedException {
    Process child =
        ChildJvm.start(OpenMain.class, List.of("-Xmx64m"), List.of(database.toString()));
    String said = new String(child.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(child.waitFor()).isZero();
    return said;
  }

  @Test
  void aNewerFormatIsRefused() throws IOException {
    Path database = database();
    Path manifest = manifest(database);
    byte[] intact = Files.readAllBytes(manifest);
    patch(manifest, 8, 2, 40);
    assertThatThrownBy(() -> Engine.open(database, config()))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining(manifest.toString())
        .hasMessageContaining("version 2");
    Files.write(manifest, intact);
    patch(manifest, 16 + 7, 0x40, 40);
    assertThatThrownBy(() -> Engine.open(database, config()))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining(manifest.toString())
        .hasMessageContaining("0x4000000000000000");
    Files.write(manifest, intact);
    Path current = database.resolve("current");
    byte[] intactCurrent = Files.readAllBytes(current);
    patch(current, 8, 9, 24);
    assertThatThrownBy(() -> Engine.open(database, config()))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining(current.toString())
        .hasMessageContaining("version 9");
    Files.write(current, intactCurrent);
    requireIntact(database);
  }

  private static Path manifest(Path database) throws IOException {
    try (var files = Files.list(database)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("manifest-"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Changes a byte of a header that begins with its checksum, and makes the checksum right. */
  private static void patch(Path file, int offset, int value, int headerBytes) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset] = (byte) value;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 4, headerBytes - 4);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0, (int) crc.getValue());
    Files.write(file, bytes);
  }

  @Test
  void aPlaceThatIsNoDirectoryIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "not a database");
    assertThatThrownBy(() -> Engine.open(file, config()))
        .isInstanceOf(StorageIoException.class)
        .hasMessageContaining(file.toString());
    Path below = file.resolve("database");
    assertThatThrownBy(() -> Engine.open(below, config()))
        .isInstanceOf(StorageIoException.class)
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent("not a database");
  }

  @Test
  void aDirectoryWithoutItsManifestIsNotMadeIntoANewDatabase() throws IOException {
    Path database = database();
    Path current = database.resolve("current");
    byte[] intact = Files.readAllBytes(current);
    Files.delete(current);
    assertThatThrownBy(() -> Engine.open(database, config()))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("current");
    Files.write(current, intact);
    requireIntact(database);
  }

  @Test
  void keysAndBatchesHaveLimits() {
    try (Engine engine = Engine.open(directory, config())) {
      Tree tree = engine.createTree("t");
      int most = engine.maxKeyBytes();
      byte[] longest = new byte[most];
      tree.put(longest, new byte[10]);
      assertThat(tree.get(longest)).hasSize(10);
      byte[] tooLong = new byte[most + 1];
      String rule = "must have at most " + most;
      assertThatThrownBy(() -> tree.put(tooLong, new byte[1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining((most + 1) + " bytes")
          .hasMessageContaining(rule);
      assertThatThrownBy(() -> tree.get(tooLong)).hasMessageContaining(rule);
      assertThatThrownBy(() -> tree.compareAndPut(tooLong, null, new byte[1]))
          .hasMessageContaining(rule);
      assertThatThrownBy(() -> tree.put(new byte[1], new byte[8 << 20]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the record takes 8388616 bytes, must be at most 65536, a quarter of"
                  + " log.segmentBytes; raise log.segmentBytes");
      WriteBatch batch = new WriteBatch();
      for (byte i = 0; i < 3; i++) {
        batch.put(tree, new byte[] {i}, new byte[30_000]);
      }
      assertThatThrownBy(() -> engine.write(batch))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the batch of 3 writes takes 90021 bytes, must be at most 65536, a quarter of"
                  + " log.segmentBytes; split the batch, or raise log.segmentBytes");
      batch.put(tree, new byte[1], new byte[70_000]);
      assertThatThrownBy(() -> engine.write(batch))
          .hasMessageStartingWith("the record takes 70007 bytes, must be at most 65536,")
          .hasMessageNotContaining("split");
      assertThatThrownBy(() -> engine.createTree(""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 255 bytes");
      assertThatThrownBy(() -> engine.tree("T")).hasMessageContaining("did you mean 't'?");
      assertThat(tree.get(new byte[1])).isNull();
      engine.write(new WriteBatch());
    }
  }

  @Test
  void configurationsHaveLimits() {
    assertThatThrownBy(() -> EngineConfig.builder().memoryTotalBytes(1 << 20).build())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("memory.total")
        .hasMessageContaining("1MiB");
    assertThatThrownBy(() -> EngineConfig.builder().pageBytes(5000).build())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("page.size");
  }

  @Test
  void thePageSizeOfADatabaseCannotChange() {
    Path database = database();
    EngineConfig other =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .pageBytes(8192)
            .writeInitialBytes(1 << 20)
            .logSegmentBytes(256 << 10)
            .logMaxBytes(2 << 20)
            .sstableBytes(256 << 10)
            .build();
    assertThatThrownBy(() -> Engine.open(database, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("page.size is 8192")
        .hasMessageContaining("4096");
    requireIntact(database);
  }
}
