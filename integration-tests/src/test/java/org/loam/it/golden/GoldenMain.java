package org.loam.it.golden;

import java.nio.file.Path;
import java.util.List;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.Waiter;
import org.loam.common.env.real.RealEnv;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.workbench.console.ChildJvm;

/**
 * A process that makes a database to be checked in: the first argument is its directory, the second
 * the {@link GoldenEnd} by which the process leaves it.
 *
 * <p>{@link PartialFlushes} makes those that were flushed in parts. Of the others {@code orders}
 * has two levels and, above them, two groups in L0, one with versions that a snapshot needed; a
 * third tree was dropped while the log still names it; the last batches are in the log only, unless
 * closing flushed them.
 */
public final class GoldenMain {
  private static final String DROPPED = "dropped";

  /** Batches up to here are in L1 and below. */
  static final int MERGED = GoldenContent.LOADED + 6;

  /** Batches up to here are in the older group of L0, which a snapshot saw being filled. */
  static final int SEEN = MERGED + 5;

  /** Batches up to here are in disk components. */
  static final int FLUSHED = SEEN + 3;

  /** The last batch. */
  static final int LAST = FLUSHED + 6;

  private static final int DROPPED_BATCHES = 2;

  /** What is in the log only. */
  static final int LOGGED_BATCHES = LAST - FLUSHED + DROPPED_BATCHES;

  /** A quarter more than the write memory, which RANGES fill first. */
  private static final long READ_LOG_BYTES = 320 << 10;

  private static final int MERGE_AT_ONCE = 2;
  private static final int NEVER_MERGE = 20;

  private static final int MERGE_PATIENCE = 6000;

  /** Between two looks at the levels. */
  private static final long LOOK_NANOS = 10_000_000;

  /** Its exit code if it ends by a crash, as of a process that was killed. */
  static final int CRASHED = 137;

  private GoldenMain() {}

  /** The last batch of a database with that end. */
  static int last(GoldenEnd end) {
    return end.isPartlyFlushed() ? PartialFlushes.LAST : LAST;
  }

  /**
   * For reading them: nothing is merged unasked, so that one sees what was written. When it is
   * written to, what divides memory is flushed in parts: of LEVELS for the sake of the log, since
   * the content has too few keys to fill the write memory with one version of each.
   */
  static EngineConfig config(WriteScheme scheme) {
    return settings(scheme).logMaxBytes(READ_LOG_BYTES).partialFlushRatio(0).build();
  }

  /** The smallest of everything; two levels as soon as the last one has 128 KiB. */
  static EngineConfigBuilder settings(WriteScheme scheme) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.SYNC)
        .writeScheme(scheme)
        .writeInitialBytes(256 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(128 << 10)
        .sstableBytes(64 << 10)
        .ioForceBytes(64 << 10)
        .levelRatio(2)
        .l0MinMerge(NEVER_MERGE)
        .l0ScanFreeRatio(1)
        .l0Stop(2 * NEVER_MERGE)
        .mergesWhenQuiet(false)
        .mergeThreads(1)
        // It would move write memory, and the levels with it.
        .tunerMode(TunerMode.FROZEN);
  }

  public static void main(String[] arguments) {
    ChildJvm.endWithParent();
    Path directory = Path.of(arguments[0]);
    GoldenEnd end = GoldenEnd.of(arguments[1]);
    Engine engine =
        end.isPartlyFlushed()
            ? PartialFlushes.make(directory, end.scheme())
            : make(directory, end.scheme());
    leave(engine, end);
  }

  /** Ends the process as after a clean close, or as if it was killed. */
  static void leave(Engine engine, GoldenEnd end) {
    if (end.isClosed()) {
      engine.close();
    } else {
      Runtime.getRuntime().halt(CRASHED);
    }
  }

  private static Engine make(Path directory, WriteScheme scheme) {
    EngineConfig merging = settings(scheme).l0MinMerge(MERGE_AT_ONCE).build();
    try (Engine engine = Engine.open(directory, merging)) {
      fillLevels(engine);
    }
    Engine engine = Engine.open(directory, settings(scheme).build());
    fillL0(engine);
    fillLog(engine);
    return engine;
  }

  private static void fillLevels(Engine engine) {
    Tree orders = engine.createTree(GoldenContent.ORDERS);
    Tree blobs = engine.createTree(GoldenContent.BLOBS);
    write(engine, 1, GoldenContent.LOADED);
    orders.compact();
    blobs.compact();
    write(engine, GoldenContent.LOADED + 1, MERGED - 3);
    engine.flush();
    write(engine, MERGED - 2, MERGED);
    engine.flush();
    Waiter waiter = RealEnv.create().waiter();
    for (int i = 0; levels(engine).size() < 2 || levels(engine).get(0).level() == 0; i++) {
      if (i == MERGE_PATIENCE) {
        throw new AssertionError("L0 was not merged: " + levels(engine));
      }
      waiter.pause(LOOK_NANOS);
    }
  }

  private static List<LevelStatistics> levels(Engine engine) {
    return engine.statistics().trees().stream()
        .filter(tree -> tree.name().equals(GoldenContent.ORDERS))
        .findFirst()
        .orElseThrow()
        .levels();
  }

  private static void fillL0(Engine engine) {
    write(engine, MERGED + 1, MERGED + 2);
    try (Snapshot snapshot = engine.snapshot()) {
      // What they replace and delete is flushed beside them, each entry with its LSN.
      write(engine, MERGED + 3, SEEN);
      engine.flush();
      var unused = snapshot.get(engine.tree(GoldenContent.BLOBS), new byte[0]);
    }
    write(engine, SEEN + 1, FLUSHED);
    engine.flush();
  }

  private static void fillLog(Engine engine) {
    write(engine, FLUSHED + 1, FLUSHED + 2);
    Tree dropped = engine.createTree(DROPPED);
    for (int i = 0; i < DROPPED_BATCHES; i++) {
      dropped.put(new byte[] {(byte) i}, new byte[100]);
    }
    engine.dropTree(DROPPED);
    write(engine, FLUSHED + 3, LAST);
  }

  private static void write(Engine engine, int first, int last) {
    for (int number = first; number <= last; number++) {
      engine.write(GoldenContent.batch(engine, number));
    }
  }
}
