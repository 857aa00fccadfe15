package org.loam.it.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/**
 * The engine as it is holds in schedules of the worlds in which {@code PlantedBugsTest} finds its
 * planted bugs. {@code scripts/soak} runs more of them.
 */
@Tag("once")
@Explored
class EngineScheduleTest {
  private static final int SCHEDULES = 60;

  private static final int SEEDS_AGAIN = 4;

  @Test
  void writersBesideEachOtherLoseNothing() {
    explore(WritersTrial::world);
  }

  @Test
  void writesOfOneKeyAreThereOnceTheyAreAcknowledged() {
    explore(PutsTrial::world);
  }

  @Test
  void eachPacedWriteHasATurnOfItsOwn() {
    explore(TurnsTrial::world);
  }

  @Test
  void memoryMovesBesideItsUsers() {
    explore(MovesTrial::world);
  }

  @Test
  void aRecordLargerThanWriteMemoryIsWritten() {
    explore(LoansTrial::world);
  }

  @Test
  void theTargetOfWriteMemoryIsWhatTheSettingStates() {
    explore(TargetsTrial::world);
  }

  @Test
  void aSnapshotShowsOneMoment() {
    explore(SnapshotsTrial::world);
  }

  @Test
  void nothingComesBetweenComparingAndPutting() {
    explore(SwapsTrial::world);
  }

  @Test
  void whatIsUndoneIsNotComparedWith() {
    explore(UndoTrial::world);
  }

  @Test
  void aHostsFlushEndsWithItsLastRange() {
    explore(HostFlushTrial::world);
  }

  @Test
  void entriesThatMoveToDiskStayVisible() {
    explore(ComponentsTrial::world);
  }

  @Test
  void indexesAgreeWithRecords() {
    explore(DatasetTrial::world);
  }

  @Test
  void versionsThatReadersNeedStay() {
    explore(VersionsTrial::world);
  }

  @Test
  void readersOfMemoryMissNoKeyThatMoves() {
    explore(MemoryTrial::world);
  }

  @Test
  void aPinnedFrameHasItsPage() {
    explore(CacheTrial::world);
  }

  @Test
  void aDatabaseOpensAgainWhateverWasDropped() {
    explore(DropsTrial::world);
  }

  @Test
  void treesThatAreFlushedTogetherLoseNothing() {
    explore(GroupsTrial::world);
  }

  @Test
  void rangesThatAreFlushedOneByOneLoseNothing() {
    explore(RangesTrial::world);
  }

  @Test
  void runsThatAreMergedInMemoryLoseNothing() {
    explore(LevelsTrial::world);
  }

  @Test
  void aPipelineThatIsMergedInMemoryLosesNothing() {
    explore(PipelineTrial::world);
  }

  @Test
  void writesThatWaitForPlacesComeToTheirTurn() {
    explore(PlacesTrial::world);
  }

  @Test
  void readersThatShareASlotGetTheirOwnValues() {
    explore(SlotsTrial::world);
  }

  @Test
  void everyRefusalAfterAFenceNamesOneCause() {
    explore(FencesTrial::world);
  }

  @Test
  void aFrameThatCountsAsForcedSurvivesPowerLoss() {
    explore(LogTrial::world);
  }

  /** A failure can be looked into only if its seed makes the same schedule again, in any thread. */
  @Test
  void aSeedMakesTheSameScheduleAgain() throws Exception {
    List<Consumer<Simulation>> worlds =
        List.of(
            WritersTrial::world,
            PutsTrial::world,
            TurnsTrial::world,
            MovesTrial::world,
            LoansTrial::world,
            TargetsTrial::world,
            SnapshotsTrial::world,
            SwapsTrial::world,
            UndoTrial::world,
            HostFlushTrial::world,
            ComponentsTrial::world,
            DatasetTrial::world,
            VersionsTrial::world,
            MemoryTrial::world,
            CacheTrial::world,
            DropsTrial::world,
            GroupsTrial::world,
            RangesTrial::world,
            LevelsTrial::world,
            PipelineTrial::world,
            PlacesTrial::world,
            SlotsTrial::world,
            FencesTrial::world,
            LogTrial::world);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < worlds.size(); i++) {
        Consumer<Simulation> world = worlds.get(i);
        List<Long> hashes = traceHashes(world);
        assertThat(other.submit(() -> traceHashes(world)).get())
            .as("world %s", i)
            .isEqualTo(hashes);
      }
    } finally {
      other.shutdownNow();
    }
  }

  private static List<Long> traceHashes(Consumer<Simulation> world) {
    List<Long> hashes = new ArrayList<>();
    Schedules schedules =
        new Schedules(
            sim -> {
              world.accept(sim);
              hashes.add(sim.traceHash());
            });
    for (long seed = 0; seed < SEEDS_AGAIN; seed++) {
      schedules.run(seed);
    }
    return hashes;
  }

  private static void explore(Consumer<Simulation> world) {
    Schedules.explore(SCHEDULES, world);
  }
}
