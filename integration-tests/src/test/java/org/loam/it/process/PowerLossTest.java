package org.loam.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.engine.Engine;

/**
 * A real file system loses all that was not forced, right after the process that wrote was killed.
 * Of a SYNC database every acknowledged write is there; of a PROCESS database a prefix. {@code
 * -Dloam.powerloss.count=N} loses power more often.
 */
@Tag("once")
class PowerLossTest {
  private static final int COUNT = Integer.getInteger("loam.powerloss.count", 4);

  @TempDir Path directory;

  @Test
  void acknowledgedWritesSurvivePowerLoss() throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    int lostPower = 0;
    try (MountedImage image = MountedImage.create(directory, 192 << 20)) {
      long[] acknowledged = new long[AckedHistory.WRITERS];
      Path database = image.path().resolve("sync");
      for (int i = 0; i < COUNT; i++) {
        Victims.writeAndKill(database, Durability.SYNC, 1 + random.nextInt(400), acknowledged);
        String problem = image.shutDown();
        assumeTrue(problem.isEmpty(), "the file system cannot be shut down: " + problem);
        lostPower++;
        assertThat(image.unmount()).isEmpty();
        assertThat(image.mount()).isEmpty();
        try (Engine engine = Engine.open(database, WriterMain.config(Durability.SYNC))) {
          acknowledged = AckedHistory.verify(engine, acknowledged);
        }
      }
    }
    System.out.printf("power loss on ext4: %d times, lost 0%n", lostPower);
  }
}
