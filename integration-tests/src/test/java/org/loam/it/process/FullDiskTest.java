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
import org.loam.common.disk.MountedImage;
import org.loam.common.error.DiskFullException;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.engine.WriteOptions;

/**
 * A real file system fills up, again and again: writes are refused, reads go on, writing resumes,
 * nothing is lost. {@code -Dloam.fulldisk.cycles=N} fills it more often.
 */
@Tag("once")
class FullDiskTest {
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofSeconds(60));

  private static final int CYCLES = Integer.getInteger("loam.fulldisk.cycles", 10);

  /** A larger disk would have more of the file system's own data. */
  private static final int CYCLES_OF_A_DISK = 10;

  private static final int DATA_BYTES = 26 << 20;

  /** What is deleted each time that the disk is full. */
  private static final int BALLAST_BYTES = 14 << 20;

  @TempDir Path directory;

  @Test
  @Timeout(3000)
  void aFullDiskRefusesWritesUntilThereIsRoom() throws Exception {
    long batches = 0;
    for (int done = 0; done < CYCLES; done += CYCLES_OF_A_DISK) {
      Path place = Files.createDirectory(directory.resolve("disk" + done));
      batches += fillDisk(place, Math.min(CYCLES_OF_A_DISK, CYCLES - done));
    }
    System.out.printf("full disk: %d times, %d batches, lost 0%n", CYCLES, batches);
  }

  /** Fills a new disk so many times; returns how many batches it has in the end. */
  private static long fillDisk(Path place, int cycles) throws Exception {
    try (MountedImage image =
        MountedImage.create(place, DATA_BYTES + (long) cycles * BALLAST_BYTES)) {
      for (int i = 0; i < cycles; i++) {
        Files.write(ballast(image, i), new byte[BALLAST_BYTES]);
      }
      Path database = image.path().resolve("database");
      long written = 0;
      try (Engine engine = Engine.open(database, WriterMain.config(Durability.PROCESS))) {
        Tree tree = engine.createTree(AckedHistory.TREE);
        for (int i = 0; i < cycles; i++) {
          long full = fill(engine, tree, written + 1);
          verify(engine, full);
          for (int again = 0; again < 3; again++) {
            assertThat(fill(engine, tree, full + 1)).isEqualTo(full);
          }
          Files.delete(ballast(image, i));
          written = resume(engine, tree, full);
        }
        verify(engine, written);
      }
      try (Engine engine = Engine.open(database, WriterMain.config(Durability.PROCESS))) {
        verify(engine, written);
      }
      return written;
    }
  }

  private static Path ballast(MountedImage image, int number) {
    return image.path().resolve("ballast" + number);
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
