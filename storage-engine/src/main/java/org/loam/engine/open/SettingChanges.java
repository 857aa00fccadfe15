package org.loam.engine.open;

import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteShares;
import org.loam.engine.background.Background;
import org.loam.engine.background.MemoryMoves;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.tree.LiveSettings;
import org.loam.engine.tree.Schema;
import org.loam.engine.tree.TreeMerging;
import org.loam.engine.tuning.TunerSettings;
import org.loam.engine.tuning.TunerTask;
import org.loam.lsm.LsmTree;

/**
 * Changes of settings while an engine runs: checks whether the engine could be opened like that,
 * and tells all that follow them. One change at a time; thread-safe.
 */
public final class SettingChanges {
  private final Schema schema;
  private final LiveSettings settings;
  private final MemoryArbiter memory;
  private final boolean isHosted;
  private final Followers followers;

  /**
   * The configuration before and after a change.
   *
   * @param wanted what was asked for
   * @param effective what it is now
   */
  public record Change(EngineConfig before, EngineConfig wanted, EngineConfig effective) {}

  /** What runs with the settings of the moment, beside the trees. */
  record Followers(Background background, TunerTask tuner, MemoryMoves memoryMoves) {}

  SettingChanges(
      Schema schema,
      LiveSettings settings,
      MemoryArbiter memory,
      boolean isHosted,
      Followers followers) {
    this.schema = schema;
    this.settings = settings;
    this.memory = memory;
    this.isHosted = isHosted;
    this.followers = followers;
  }

  /**
   * Changes a live setting.
   *
   * @throws IllegalArgumentException if the value is refused; nothing has changed then
   */
  public Change change(String name, String value) {
    Change[] done = new Change[1];
    schema.underChanges(() -> done[0] = changeAlone(name, value));
    return done[0];
  }

  private Change changeAlone(String name, String value) {
    EngineConfig before = settings.config();
    EngineConfig wanted = before.changed(name, value);
    MemoryLayout.of(wanted, isHosted);
    // The next open may have another number of buffers, and so another pool.
    MemoryLayout.requireTarget(wanted, memory.leastBytes(), memory.mostBytes());
    TunerSettings.require(wanted, memory.poolBytes(), memory.leastBytes());
    requireShares(wanted);
    EngineConfig effective = settings.servable(wanted);
    settings.change(effective);
    followers.background.reconfigure();
    followers.memoryMoves.followSetting();
    followers.tuner.reconfigure();
    return new Change(before, wanted, effective);
  }

  /**
   * Write memory suffices now, and where it moves to. A decision of the tuner may set another
   * target any time, but only within the bounds of the moment, which were required to suffice as
   * well.
   */
  private void requireShares(EngineConfig wanted) {
    int pageBytes = memory.pageBytes();
    WriteShares.require(wanted.write(), pageBytes, "write memory now", memory.ownBytes());
    WriteShares.require(
        wanted.write(), pageBytes, "what write memory moves to", memory.targetBytes());
  }

  /**
   * Merges a tree differently from now on.
   *
   * @param merging null for what the configuration says
   */
  public void change(LsmTree tree, @Nullable TreeMerging merging) {
    schema.underChanges(
        () -> {
          tree.requireNotDropped();
          settings.change(tree, merging);
          followers.background.reconfigure();
        });
  }
}
