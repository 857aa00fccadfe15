package org.loam.engine.tree;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteConfig;
import org.loam.common.config.WriteSlowdown;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.FlushTrigger;
import org.loam.engine.commit.MemoryPath;
import org.loam.engine.commit.WriteMemory;
import org.loam.engine.scheme.MemoryScheme;
import org.loam.engine.scheme.MemorySchemes;
import org.loam.log.CommitLog;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeBehaviour;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableSettings;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.work.ComponentConstraint;
import org.loam.scheduler.work.WriteControl;

/**
 * The configuration of the moment, and what a change of it changes: when to flush, how long the log
 * gets, what tables are like, how trees are merged. Thread-safe.
 */
public final class LiveSettings {
  /** What a merge reads beside the L0 groups up to the stop: a few more groups, and two levels. */
  public static final int INPUTS_BESIDE_L0 = 8;

  /** A tree may be so many times as deep as merges should keep it (Stability §5.1.1). */
  private static final double EXPECTED_DEPTHS = 2;

  private final TreeCatalog trees;
  private final CommitLatch latch;
  private final MemoryPath memory;
  private final CommitLog log;
  private final Rewriter rewriter;
  private volatile EngineConfig config;

  public LiveSettings(
      EngineConfig config,
      TreeCatalog trees,
      CommitLatch latch,
      MemoryPath memory,
      CommitLog log,
      Rewriter rewriter) {
    this.config = config;
    this.trees = trees;
    this.latch = latch;
    this.memory = memory;
    this.log = log;
    this.rewriter = rewriter;
  }

  /** The configuration now. */
  public EngineConfig config() {
    return config;
  }

  /** What may be written until the log has its maximum length; a host's log has none. */
  public long logFreeBytes() {
    return log.isHosted() ? Long.MAX_VALUE : config.log().maxBytes() - log.lengthBytes();
  }

  /**
   * Runs with another configuration from now on, in which only live settings differ, and which
   * {@link #servable} gave. Under the monitor of {@link TreeCatalog#changes}, so that trees that
   * are created now do not miss it.
   */
  public void change(EngineConfig changed) {
    EngineConfig before = config;
    WriteConfig write = changed.write();
    boolean isDividedAnew =
        write.scheme() != before.write().scheme()
            || write.activeDatasets() != before.write().activeDatasets();
    config = changed;
    latch.underLatch(
        () -> {
          FlushTrigger trigger = memory.trigger();
          trigger.change(
              writeLimits(
                  changed, MemorySchemes.after(trigger.scheme(), before, changed, log.isHosted())));
          // A host has its trees flushed at moments of its own.
          if (isDividedAnew && !log.isHosted()) {
            memory.freezer().freezeAll(log.endLsn(), FlushCause.USER);
          }
        });
    log.setMaxLogBytes(changed.log().maxBytes());
    rewriter.change(tableSettings(changed));
    for (LsmTree tree : trees.list()) {
      trees.componentsOf(tree).change(behaviour(trees.merging(tree)));
    }
  }

  /**
   * Merges a tree differently from now on. Under the monitor of {@link TreeCatalog#changes}.
   *
   * @param merging null for what the configuration says
   */
  public void change(LsmTree tree, @Nullable TreeMerging merging) {
    trees.setMerging(tree, merging);
    trees.componentsOf(tree).change(behaviour(merging));
  }

  /**
   * The most of a configuration that the buffers made at open can serve: a merge must be able to
   * read all of L0 where writes stop.
   */
  public EngineConfig servable(EngineConfig wanted) {
    return wanted.disk().l0().stop() <= mostL0Stop()
        ? wanted
        : wanted.toBuilder().l0Stop(mostL0Stop()).build();
  }

  private int mostL0Stop() {
    return rewriter.maxInputRuns() - INPUTS_BESIDE_L0;
  }

  /**
   * When to flush by a configuration, and what.
   *
   * @param isHosted whether the engine is below the log of a host
   */
  public static FlushTrigger.Limits writeLimits(EngineConfig config, boolean isHosted) {
    return writeLimits(config, MemorySchemes.of(config, isHosted));
  }

  private static FlushTrigger.Limits writeLimits(EngineConfig config, MemoryScheme scheme) {
    return new FlushTrigger.Limits(
        scheme, config.write().flushThreshold(), config.log().maxBytes());
  }

  /** What tables are like by a configuration. */
  public static TableSettings tableSettings(EngineConfig config) {
    return new TableSettings(
        config.memory().pageBytes(),
        config.disk().bloomBitsPerKey(),
        config.disk().sstableBytes(),
        config.io().forceBytes());
  }

  /** By which numbers a tree is merged now. */
  public TreeMerging merging(LsmTree tree) {
    return merging(trees.merging(tree));
  }

  private TreeMerging merging(@Nullable TreeMerging own) {
    TreeMerging merging = own == null ? TreeMerging.of(config) : own;
    int l0Stop = Math.min(merging.l0Stop(), mostL0Stop());
    // Where writes stop there must be something to merge.
    int l0MinMerge = Math.min(merging.l0MinMerge(), l0Stop - 1);
    return new TreeMerging(merging.levelRatio(), l0MinMerge, l0Stop, merging.control());
  }

  /**
   * How a tree behaves.
   *
   * @param own how it is merged; null for what the configuration says
   */
  TreeBehaviour behaviour(@Nullable TreeMerging own) {
    TreeMerging merging = merging(own);
    PartitionedLeveling policy =
        new PartitionedLeveling(
            new PartitionedLeveling.Settings(
                merging.levelRatio(),
                merging.l0MinMerge(),
                l0MaxMerge(merging),
                PartitionedLeveling.Settings.DEFAULT.deleteFactor(),
                PartitionedLeveling.Selection.CHOOSE_BEST,
                config.disk().l0().mergesWhenQuiet(),
                config.disk().l0().elastic()));
    long sizedFor = config.disk().sizedForBytes();
    WriteMemory pages = memory.pages();
    LongSupplier memoryBytes = sizedFor == 0 ? pages::treeBytes : () -> pages.treeBytes(sizedFor);
    return new TreeBehaviour(
        policy, constraint(merging), control(merging), merging.levelRatio(), memoryBytes);
  }

  /** Depth of L0 at which a tree is merged without scans. */
  private int l0MaxMerge(TreeMerging merging) {
    int deepest = merging.l0MinMerge() * config.disk().l0().scanFreeRatio();
    return Math.min(deepest, merging.l0Stop() - 1);
  }

  private ComponentConstraint constraint(TreeMerging merging) {
    ComponentConstraint l0 =
        ComponentConstraint.l0Stop(merging.l0Stop())
            .or(ComponentConstraint.l0Fill(merging.levelRatio(), config.disk().l0().stopRatio()));
    return switch (config.write().control().constraint()) {
      case L0 -> l0;
      case TREE -> l0.or(ComponentConstraint.globalLimit(l0MaxMerge(merging), EXPECTED_DEPTHS));
    };
  }

  private WriteControl control(TreeMerging merging) {
    WriteConfig.Control all = config.write().control();
    WriteSlowdown own = merging.control();
    return switch (own == null ? all.slowdown() : own) {
      case STOP -> WriteControl.STOP;
      case PACE ->
          WriteControl.Pace.of(
              l0MaxMerge(merging), merging.l0Stop(), config.disk().l0().stopRatio());
      case LIMIT -> new WriteControl.Limit(all.limitBytesPerSecond());
    };
  }
}
