package org.loam.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.disk.MountedImage;
import org.loam.engine.Engine;

/**
 * A real file system loses all that was not forced, right after the process that wrote was killed.
 * Of a SYNC database every acknowledged write is there; of a PROCESS database a prefix. {@code
 * -Dloam.powerloss.count=N} loses power more often.
 */
@Tag("once")
class PowerLossTest {
  private static final int COUNT = Integer.getInteger("loam.powerloss.count", 8);

  @TempDir Path directory;

  @Test
  void acknowledgedWritesOfASyncDatabaseSurvive() throws Exception {
    losePower(Durability.SYNC);
  }

  @Test
  void aPrefixOfTheWritesOfAProcessDatabaseSurvives() throws Exception {
    losePower(Durability.PROCESS);
  }

  private void losePower(Durability durability) throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    long lost = 0;
    EngineConfig config = WriterMain.config(durability);
    try (MountedImage image = MountedImage.create(directory, 192 << 20)) {
      long[] survived = new long[AckedHistory.WRITERS];
      Path database = image.path().resolve("database");
      for (int i = 0; i < COUNT; i++) {
        long[] acknowledged = survived.clone();
        Victims.writeAndKill(database, config, 1 + random.nextInt(400), acknowledged);
        String problem = image.shutDown();
        assumeTrue(problem.isEmpty(), "the file system cannot be shut down: " + problem);
        assertThat(image.unmount()).isEmpty();
        assertThat(image.mount()).isEmpty();
        // What was there when the database was closed is never lost.
        long[] kept = durability == Durability.SYNC ? acknowledged : survived;
        try (Engine engine = Engine.open(database, config)) {
          survived = AckedHistory.verify(engine, kept, acknowledged);
        }
        lost += Math.max(0, LongStream.of(acknowledged).sum() - LongStream.of(survived).sum());
      }
    }
    System.out.printf(
        "power loss on ext4, %s: %d times, acknowledged batches lost %d%n",
        durability, COUNT, lost);
  }
}
