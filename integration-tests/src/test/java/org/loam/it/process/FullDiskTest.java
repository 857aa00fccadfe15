package org.loam.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.error.DiskFullException;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.engine.WriteOptions;

/**
 * A real file system fills up: writes are refused, reads go on, writing resumes, nothing is lost.
 */
@Tag("once")
class FullDiskTest {
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofSeconds(60));

  @TempDir Path directory;

  @Test
  @Timeout(300)
  void aFullDiskRefusesWritesUntilThereIsRoom() throws Exception {
    try (MountedImage image = MountedImage.create(directory, 40 << 20)) {
      Path ballast = Files.write(image.path().resolve("ballast"), new byte[14 << 20]);
      Path database = image.path().resolve("database");
      long written;
      try (Engine engine = Engine.open(database, WriterMain.config(Durability.PROCESS))) {
        Tree tree = engine.createTree(AckedHistory.TREE);
        long full = fill(engine, tree, 1);
        verify(engine, full);
        for (int i = 0; i < 3; i++) {
          assertThat(fill(engine, tree, full + 1)).isEqualTo(full);
        }
        Files.delete(ballast);
        written = resume(engine, tree, full);
        verify(engine, written);
      }
      try (Engine engine = Engine.open(database, WriterMain.config(Durability.PROCESS))) {
        verify(engine, written);
      }
      System.out.printf("full disk: %d batches, lost 0%n", written);
    }
  }

  /** Writes new keys until the disk is full; returns the last batch that was acknowledged. */
  private static long fill(Engine engine, Tree tree, long from) {
    long batch = from;
    while (true) {
      try {
        engine.write(FullDiskTest.batch(tree, batch), IN_TIME);
        batch++;
      } catch (DiskFullException e) {
        assertThat(e.neededBytes()).as(e.getMessage()).isPositive();
        assertThat(e.freeBytes()).as(e.getMessage()).isNotNegative();
        return batch - 1;
      }
    }
  }

  /** The engine lets writes in again by itself, if not at once. */
  private static long resume(Engine engine, Tree tree, long full) {
    long batch = full + 1;
    while (batch <= full + 100) {
      try {
        engine.write(FullDiskTest.batch(tree, batch), IN_TIME);
        batch++;
      } catch (DiskFullException e) {
        Thread.onSpinWait();
      }
    }
    return batch - 1;
  }

  private static org.loam.engine.WriteBatch batch(Tree tree, long batch) {
    return new org.loam.engine.WriteBatch().put(tree, key(batch), value(batch));
  }

  private static byte[] key(long batch) {
    return Long.toString(1_000_000_000L + batch).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static byte[] value(long batch) {
    byte[] value = new byte[12_000];
    new java.util.SplittableRandom(batch).nextBytes(value);
    return value;
  }

  private static void verify(Engine engine, long last) {
    Tree tree = engine.tree(AckedHistory.TREE);
    for (long batch = 1; batch <= last; batch++) {
      assertThat(tree.get(key(batch))).as("batch %d", batch).isEqualTo(value(batch));
    }
    assertThat(tree.get(key(last + 300))).isNull();
  }
}
