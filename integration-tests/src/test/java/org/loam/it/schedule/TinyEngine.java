package org.loam.it.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.OpenOptions;
import org.loam.engine.host.HostLog;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.Opening;
import org.loam.engine.tree.Schema.NewTree;
import org.loam.lsm.LsmTree;

/** A whole engine with the smallest memory, fresh in each schedule. */
final class TinyEngine {
  /** Large ones: what an engine does at its start for each page of its memory takes time. */
  private static final int PAGE_BYTES = 32 << 10;

  private @Nullable Engine engine;

  private TinyEngine() {}

  /** Its log has no length, so that nothing is to be flushed; all LSNs are the engine's. */
  private static final class SilentHost implements HostLog {
    @Override
    public long endLsn() {
      return 1;
    }

    @Override
    public long lengthBytes() {
      return 0;
    }

    @Override
    public void flushWanted(String tree) {}

    @Override
    public void fenced(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  /**
   * Opens it, in a client so that a schedule that fails leaks no memory. The database is a SYNC one
   * in half of the schedules, a PROCESS one in the others. In half of each a tree has one memory
   * component for all keys, in the others a range of keys.
   */
  static Engine open(Simulation sim) {
    return open(sim, OpenOptions.DEFAULT);
  }

  /** Opens it below the log of a host, which has nothing to say. */
  static Engine openHosted(Simulation sim) {
    return open(sim, OpenOptions.DEFAULT.withHostLog(new SilentHost()));
  }

  /** Opens it below that host, with trees as in {@link #openDivided}. */
  static Engine openHostedDivided(Simulation sim) {
    return open(
        sim,
        config(sim).pageBytes(4096).writeScheme(WriteScheme.RANGES).flushThreads(2),
        OpenOptions.DEFAULT.withHostLog(new SilentHost()));
  }

  /**
   * Opens it with trees whose write memory is divided into up to eight ranges of keys, of 16 KiB or
   * more. Two threads flush.
   */
  static Engine openDivided(Simulation sim) {
    return open(
        sim,
        config(sim).pageBytes(4096).writeScheme(WriteScheme.RANGES).flushThreads(2),
        OpenOptions.DEFAULT);
  }

  /**
   * Opens it with trees whose write memory has levels of runs, of 16 KiB. When the log is too long
   * only the oldest run is flushed.
   */
  static Engine openLevelled(Simulation sim) {
    return open(
        sim,
        config(sim)
            .pageBytes(4096)
            .writeScheme(WriteScheme.LEVELS)
            .levelsActiveBytes(16 << 10)
            .partialFlushRatio(0),
        OpenOptions.DEFAULT);
  }

  /**
   * Opens it with trees whose write memory has a pipeline of runs of 16 KiB, which are merged with
   * their data in half of the schedules.
   */
  static Engine openPipelined(Simulation sim) {
    WriteScheme scheme =
        ScheduleTrial.coin(sim, 1) ? WriteScheme.ACCORDION_INDEX : WriteScheme.ACCORDION_DATA;
    return open(
        sim,
        config(sim).pageBytes(4096).writeScheme(scheme).levelsActiveBytes(16 << 10),
        OpenOptions.DEFAULT);
  }

  /**
   * Opens it with a place for one dataset in a third of the schedules, so that the writes of others
   * wait for it, with small shares for many datasets in another third, so that writes wait for a
   * half, and in the rest with the least write memory, of which each dataset that is written to has
   * a share.
   */
  static Engine openStatic(Simulation sim) {
    EngineConfigBuilder config = config(sim).pageBytes(4096);
    switch (ScheduleTrial.below(sim, 3)) {
      case 0 -> config.writeScheme(WriteScheme.STATIC).activeDatasets(1);
      case 1 -> config.writeScheme(WriteScheme.STATIC).activeDatasets(16);
      default -> config.writeScheme(WriteScheme.STATIC_TUNED).writeInitialBytes(256 << 10);
    }
    return open(sim, config, OpenOptions.DEFAULT);
  }

  /**
   * Opens what lies below the handle of an engine, with write memory that can be moved below the
   * size of a large record.
   */
  static OpenEngine openMovable(Simulation sim) {
    EngineConfig config =
        config(sim)
            .pageBytes(4096)
            .writeInitialBytes(4 << 20)
            .logSegmentBytes(2 << 20)
            .logMaxBytes(8 << 20)
            .sstableBytes(1 << 20)
            .build();
    Opening.Given nothing = new Opening.Given(null, null, List.of());
    OpenEngine[] opened = new OpenEngine[1];
    sim.run(
        () ->
            ScheduleTrial.undisturbed(
                () -> opened[0] = OpenEngine.open(sim.env(), sim.directory(), config, nothing)));
    return opened[0];
  }

  /** Creates a tree in what lies below the handle of an engine. */
  static LsmTree createTree(Simulation sim, OpenEngine engine) {
    List<LsmTree> made = new ArrayList<>();
    NewTree tree = new NewTree("main", 0, "");
    sim.run(
        () ->
            engine
                .schema()
                .underChanges(() -> engine.schema().create(List.of(tree), made::addAll)));
    return made.get(0);
  }

  private static Engine open(Simulation sim, OpenOptions options) {
    return open(sim, config(sim), options);
  }

  private static EngineConfigBuilder config(Simulation sim) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(PAGE_BYTES)
        .durability(ScheduleTrial.coin(sim, 0) ? Durability.SYNC : Durability.PROCESS)
        .writeScheme(ScheduleTrial.coin(sim, 2) ? WriteScheme.DYNAMIC : WriteScheme.RANGES)
        .writeInitialBytes(512 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(128 << 10)
        .sstableBytes(64 << 10)
        .l0MinMerge(2)
        .l0ScanFreeRatio(1)
        .mergeThreads(1);
  }

  private static Engine open(Simulation sim, EngineConfigBuilder builder, OpenOptions options) {
    TinyEngine tiny = new TinyEngine();
    EngineConfig config = builder.build();
    sim.run(
        () ->
            ScheduleTrial.undisturbed(
                () -> tiny.engine = Engine.open(sim.env(), sim.directory(), config, options)));
    return Objects.requireNonNull(tiny.engine);
  }
}
