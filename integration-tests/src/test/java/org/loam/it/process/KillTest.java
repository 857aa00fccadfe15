package org.loam.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.engine.Engine;

/**
 * Real processes are killed in the middle of their work, some while they recover from the last
 * kill; what they acknowledged over a pipe is there. Each has the next scheme of write memory, and
 * moves write memory from size to size. {@code -Dloam.kill.count=N} kills more.
 */
@Tag("once")
class KillTest {
  private static final int KILLS = Integer.getInteger("loam.kill.count", 28);
  private static final long SEED = Long.getLong("loam.kill.seed", 4);

  @TempDir Path directory;

  @Test
  void acknowledgedWritesSurviveTheProcess() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    int replays = 0;
    long batches = 0;
    for (Durability durability : Durability.values()) {
      Path database = directory.resolve(durability.toString());
      long[] acknowledged = new long[AckedHistory.WRITERS];
      for (int i = 0; i < KILLS / 2; i++) {
        int lines = i % 4 == 2 ? 0 : 1 + random.nextInt(durability == Durability.SYNC ? 300 : 3000);
        EngineConfig config = config(durability, i);
        Victims.writeAndKill(database, config, lines, acknowledged);
        if (i % 4 == 1) {
          // The next one recovers, and is killed while it does.
          continue;
        }
        try (Engine engine = Engine.open(database, config)) {
          replays += engine.recovery().replayedFrames() > 0 ? 1 : 0;
          acknowledged = AckedHistory.verify(engine, acknowledged);
        } catch (AssertionError e) {
          throw new AssertionError("seed " + SEED + ", kill " + i + " of " + durability, e);
        }
      }
      batches += acknowledged[0] + acknowledged[1];
    }
    System.out.printf("kill -9: %d kills, %d batches, lost 0%n", KILLS, batches);
    assertThat(replays).as("recoveries with something to replay").isPositive();
  }

  private static EngineConfig config(Durability durability, int kill) {
    WriteScheme[] schemes = WriteScheme.values();
    return WriterMain.config(durability).toBuilder()
        .writeScheme(schemes[kill % schemes.length])
        .build();
  }
}
