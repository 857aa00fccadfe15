package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.loam.common.config.ConfigException;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.error.ClosedException;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.WriteControl;

/** Trees that are merged by numbers of their own. */
class MergeOptionsTest {
  private static EngineConfigBuilder config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(1 << 20);
  }

  private static void with(EngineConfig config, Consumer<Engine> test) {
    try (Simulation sim = Simulation.seeded(3)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              test.accept(engine);
            }
          });
    }
  }

  private static void require(Tree tree, int levelRatio, int l0MinMerge, int l0Stop) {
    PartitionedLeveling policy =
        (PartitionedLeveling) tree.open().trees().componentsOf(tree.lsm()).mergePolicy();
    assertThat(policy.settings().levelRatio()).isEqualTo(levelRatio);
    assertThat(policy.settings().l0MinMerge()).isEqualTo(l0MinMerge);
    assertThat(tree.open().trees().componentsOf(tree.lsm()).constraint().violation(l0(l0Stop - 1)))
        .isNull();
    assertThat(tree.open().trees().componentsOf(tree.lsm()).constraint().violation(l0(l0Stop)))
        .isEqualTo(StallCause.L0_STOP);
  }

  private static TreeShape l0(int depth) {
    return new TreeShape(
        1,
        List.of(),
        new TreeShape.AllL0(depth, 0),
        List.of(),
        List.of(),
        1,
        TreeShape.Lately.NOTHING,
        TreeShape.Conditions.NONE);
  }

  @Test
  void aTreeHasItsOwnAndTheOthersHaveTheEngines() {
    with(
        config().build(),
        engine -> {
          Tree own = engine.createTree("own");
          Tree other = engine.createTree("other");
          own.setMergeOptions(new MergeOptions(4, 2, 8));
          require(own, 4, 2, 8);
          require(other, 10, 4, 16);

          engine.configure("disk.levelRatio", "20");
          require(own, 4, 2, 8);
          require(other, 20, 4, 16);

          own.setMergeOptions(null);
          require(own, 20, 4, 16);
        });
  }

  @Test
  void theWritersOfATreeMeetWhatItSays() {
    with(
        config().writeControl(WriteSlowdown.STOP).writeLimitBytesPerSecond(3 << 20).build(),
        engine -> {
          Tree own = engine.createTree("own");
          Tree other = engine.createTree("other");
          own.setMergeOptions(new MergeOptions(10, 4, 12, WriteSlowdown.LIMIT));
          assertThat(own.lsm().gate().paceBytesPerSecond()).isEqualTo(3 << 20);
          assertThat(other.lsm().gate().paceBytesPerSecond()).isEqualTo(WriteControl.UNLIMITED);

          engine.configure("write.limitBytesPerSecond", "5MiB");
          assertThat(own.lsm().gate().paceBytesPerSecond()).isEqualTo(5 << 20);
          engine.configure("write.control", "LIMIT");
          assertThat(other.lsm().gate().paceBytesPerSecond()).isEqualTo(5 << 20);

          own.setMergeOptions(new MergeOptions(10, 4, 12, WriteSlowdown.STOP));
          assertThat(own.lsm().gate().paceBytesPerSecond()).isEqualTo(WriteControl.UNLIMITED);
          own.setMergeOptions(new MergeOptions(10, 4, 12));
          assertThat(own.lsm().gate().paceBytesPerSecond()).isEqualTo(5 << 20);
        });
  }

  @Test
  void aTreeOfTheSameNameAsOneThatWasDroppedHasTheEngines() {
    with(
        config().build(),
        engine -> {
          Tree dropped = engine.createTree("t");
          dropped.setMergeOptions(new MergeOptions(4, 2, 8));
          engine.dropTree("t");
          engine.configure("disk.levelRatio", "20");
          require(engine.createTree("t"), 20, 4, 16);
          assertThatThrownBy(() -> dropped.setMergeOptions(null))
              .isInstanceOf(ClosedException.class);
        });
  }

  @Test
  void writesStopNoLaterThanMergesCanReadAndMergesBeginBefore() {
    with(
        config().l0MinMerge(4).l0Stop(12).build(),
        engine -> {
          Tree tree = engine.createTree("t");
          tree.setMergeOptions(new MergeOptions(10, 100, 200));
          require(tree, 10, 11, 12);
        });
  }

  @Test
  void whatTheSettingsDoNotAllowIsRefusedByName() {
    assertThatThrownBy(() -> new MergeOptions(1, 4, 12))
        .isInstanceOf(ConfigException.class)
        .hasMessage("disk.levelRatio: 1, must be in 2..100");
    assertThatThrownBy(() -> new MergeOptions(10, 12, 12))
        .hasMessage("l0.stop: 12, must be above l0.minMerge, 12");
  }
}
