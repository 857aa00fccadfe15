package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.Simulation;

/** The levels of a tree follow the write memory that it really has (MemoryWalls §4.1.3). */
@Tag("once")
class LevelsFollowMemoryTest {
  private static final int TREES = 8;
  private static final int KEYS = 4_000;
  private static final int VALUE_BYTES = 500;

  /** A tree of 2 MB is the last level alone while ten times its memory is more than that. */
  @Test
  void aTreeOfManyHasMoreLevelsThanTheSameTreeAlone() {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree alone = engine.createTree("t0");
              SplittableRandom random = new SplittableRandom(1);
              write(List.of(alone), random, 2 * KEYS);
              rest(sim);
              assertThat(levelsOf(engine, alone)).as("alone").isEqualTo(1);

              List<Tree> trees = new ArrayList<>(List.of(alone));
              for (int i = 1; i < TREES; i++) {
                trees.add(engine.createTree("t" + i));
              }
              write(trees, random, 2 * TREES * KEYS);
              // At a moment a level may be empty.
              assertThat(trees.stream().filter(tree -> levelsOf(engine, tree) == 2).count())
                  .as("trees with two levels")
                  .isGreaterThanOrEqualTo(TREES / 2);

              // As the log grows, the others have to give up what they have in memory.
              write(List.of(alone), random, 8 * KEYS);
              rest(sim);
              assertThat(levelsOf(engine, alone)).as("alone again").isEqualTo(1);
            }
          });
    }
  }

  private static void write(List<Tree> trees, SplittableRandom random, int writes) {
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < writes; i++) {
      random.nextBytes(value);
      trees.get(i % trees.size()).put(("key" + random.nextInt(KEYS)).getBytes(UTF_8), value);
    }
  }

  /** Merges that fall due, and those of idle times, come to an end. */
  private static void rest(Simulation sim) {
    sim.env().waiter().pause(30_000_000_000L);
  }

  /** Levels below L0 that have SSTables. */
  private static long levelsOf(Engine engine, Tree tree) {
    return engine.statistics().trees().stream()
        .filter(found -> found.name().equals(tree.name()))
        .flatMap(found -> found.levels().stream())
        .filter(level -> level.level() > 0 && level.tables() > 0)
        .count();
  }

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(512 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(8 << 20)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }
}
