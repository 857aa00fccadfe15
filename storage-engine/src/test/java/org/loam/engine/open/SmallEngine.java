package org.loam.engine.open;

import java.util.List;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.mem.Epochs;
import org.loam.common.sim.Simulation;
import org.loam.engine.tree.Schema.NewTree;
import org.loam.log.CommitLog;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.RateLimiter;

/** What lies below the handle of an engine, with the smallest memory: fresh in each schedule. */
public final class SmallEngine {
  private SmallEngine() {}

  /** Large pages: what an engine does at its start for each page of its memory takes time. */
  public static EngineConfigBuilder config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(32 << 10)
        .writeInitialBytes(512 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(128 << 10);
  }

  /**
   * Small pages, and more memory and log than a test writes: flushes come when it asks for them.
   */
  public static EngineConfigBuilder calm() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(4 << 20)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(16 << 20);
  }

  /** Opens it in the directory of a simulation. */
  public static OpenEngine open(Simulation sim, EngineConfigBuilder config) {
    return OpenEngine.open(
        sim.env(), sim.directory(), config.build(), new Opening.Given(null, null, List.of()));
  }

  /** Creates a tree that is no part of a dataset. */
  public static LsmTree createTree(OpenEngine engine, String name) {
    LsmTree[] made = new LsmTree[1];
    NewTree tree = new NewTree(name, 0, "");
    engine
        .schema()
        .underChanges(() -> engine.schema().create(List.of(tree), trees -> made[0] = trees.get(0)));
    return made[0];
  }

  /** Checkpoints of an engine that see another log in place of its own. */
  public static Checkpoints checkpoints(OpenEngine engine, CommitLog log) {
    Storage own = engine.storage();
    Storage storage = new Storage(own.env(), own.lock(), own.directories(), own.manifest(), log);
    return new Checkpoints(
        storage,
        engine.reads().operations(),
        engine.writes().latch(),
        fileEpochs(engine),
        new RateLimiter(own.env(), 0));
  }

  /** Where files wait for their readers before they are deleted. */
  public static Epochs fileEpochs(OpenEngine engine) {
    return engine.memory().fileEpochs();
  }
}
