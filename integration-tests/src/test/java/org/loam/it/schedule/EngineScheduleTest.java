package org.loam.it.schedule;

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
  void aFrameThatCountsAsForcedSurvivesPowerLoss() {
    explore(LogTrial::world);
  }

  private static void explore(Consumer<Simulation> world) {
    Schedules.explore(SCHEDULES, world);
  }
}
