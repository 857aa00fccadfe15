package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.loam.engine.TunedEngines.MIB;
import static org.loam.engine.TunedEngines.SECOND;
import static org.loam.engine.TunedEngines.UPDATED_KEYS;
import static org.loam.engine.TunedEngines.config;
import static org.loam.engine.TunedEngines.configForUpdates;
import static org.loam.engine.TunedEngines.cycles;
import static org.loam.engine.TunedEngines.key;
import static org.loam.engine.TunedEngines.update;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.common.config.ConfigException;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.TunerDecision;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.tuning.CycleSampler;
import org.loam.engine.tuning.TunerTask;
import org.loam.tuner.cost.CostCurve;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.LevelRule;
import org.loam.tuner.cost.MergeCosts;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.Objective;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.TreeSample;
import org.loam.tuner.cost.Weights;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Origin;
import org.loam.tuner.policy.Rule;

/** An engine whose memory tuner takes samples, decides, and moves memory. */
@Tag("once")
@ExtendWith(QuietLog.class)
class TunedEngineTest {
  private static final int SKEWED_KEYS = 70_000;

  private static void inEngine(
      long seed, EngineConfig config, BiConsumer<Simulation, Engine> work) {
    try (Simulation sim = Simulation.seeded(seed)) {
      TunedEngines.inEngine(sim, config, engine -> work.accept(sim, engine));
    }
  }

  private static Tree filled(Engine engine, int keys) {
    Tree tree = engine.createTree("t");
    fill(tree, keys, 1500);
    return tree;
  }

  /** Writes values, and has all of them in the last level. */
  private static void fill(Tree tree, int keys, int valueBytes) {
    for (int i = 0; i < keys; i++) {
      tree.put(key(i), new byte[valueBytes]);
    }
    tree.compact();
  }

  private static void readAll(Tree tree, int keys, int times) {
    for (int time = 0; time < times; time++) {
      for (int i = 0; i < keys; i++) {
        assertThat(tree.get(key(i))).hasSize(1500);
      }
    }
  }

  private static TunerDecision nextDecision(Simulation sim, Engine engine) {
    long before = cycles(engine);
    for (int i = 0; cycles(engine) == before; i++) {
      assertThat(i).as("tenths of a second").isLessThan(100);
      sim.env().waiter().pause(SECOND / 10);
    }
    return Objects.requireNonNull(engine.statistics().memory().tuner().last());
  }

  // ---- Samples.

  /** Of an engine whose tuner is frozen. */
  private static CycleSampler sampler(OpenEngine open) {
    open.tuner().sources().watches().begin();
    return new CycleSampler(open.tuner().sources());
  }

  /**
   * Samples taken at any time add up to what the engine counted. Reads need more than the cache
   * has.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void nothingIsInTwoSamplesOrInNone(long seed) {
    inEngine(
        seed,
        config().tunerMode(TunerMode.FROZEN).writeInitialBytes(40 << 20).build(),
        (sim, engine) -> {
          Tree a = filled(engine, 12_000);
          OpenEngine open = engine.open();
          CycleSampler sampler = sampler(open);
          CacheCounters counters = open.tuner().sources().cache();
          long writeNanos = counters.writeNanos();
          long missNanos = missNanos(counters);
          long mergeReadNanos = counters.requestNanos(AccessClass.MERGE);
          long besideRequests = counters.besideRequests();
          long besideNanos = counters.besideNanos();
          EngineStatistics before = engine.statistics();
          AtomicBoolean done = new AtomicBoolean();
          CycleSample[] sum = new CycleSample[1];
          TaskRunner.Task tuner =
              sim.env()
                  .tasks()
                  .start(
                      "sampler",
                      () -> {
                        while (!done.get()) {
                          sim.env().waiter().pause(SECOND / 50);
                          CycleSample next = sampler.endCycle(4 * MIB);
                          sum[0] = sum[0] == null ? next : sum[0].plus(next);
                        }
                      });
          Tree b = engine.createTree("b");
          Random random = new Random(seed);
          int[] entries = new int[2];
          long[] bytes = new long[2];
          for (int i = 0; i < 6000; i++) {
            int which = random.nextInt(4) == 0 ? 1 : 0;
            byte[] key = key(random.nextInt(3000));
            (which == 0 ? a : b).put(key, new byte[1000]);
            entries[which]++;
            bytes[which] += key.length + 1000;
            a.get(key(random.nextInt(12_000)));
          }
          engine.flush();
          sim.env().waiter().pause(SECOND);
          done.set(true);
          tuner.join();
          EngineStatistics after = engine.statistics();
          CycleSample all = sum[0].plus(sampler.endCycle(4 * MIB));
          List<TreeSample> trees = all.trees();
          assertThat(trees).hasSize(2);
          for (int i = 0; i < 2; i++) {
            assertThat(trees.get(i).written().entries()).isEqualTo(entries[i]);
            assertThat(trees.get(i).written().bytes()).isEqualTo(bytes[i]);
            assertThat(trees.get(i).held().grownBytes()).isZero();
          }
          assertThat(trees.stream().mapToLong(t -> t.flushed().bytes()).sum())
              .isEqualTo(after.work().flushedBytes() - before.work().flushedBytes())
              .isPositive();
          assertThat(trees.stream().mapToLong(t -> t.flushed().forLogBytes()).sum()).isPositive();
          assertThat(trees.stream().mapToLong(TreeSample::mergedBytes).sum())
              .isEqualTo(after.work().mergedBytes() - before.work().mergedBytes())
              .isPositive();
          assertThat(all.operations()).isBetween(12_000L, 12_200L);
          assertThat(all.log().grownBytes())
              .isEqualTo(after.log().endLsn() - before.log().endLsn());
          readsAreAllThatWereCounted(all, before, after);
          assertThat(all.times().missNanos())
              .isEqualTo(missNanos(counters) - missNanos)
              .isPositive();
          assertThat(all.times().writeNanos())
              .isEqualTo(counters.writeNanos() - writeNanos)
              .isPositive();
          assertThat(all.times().mergeReadNanos())
              .isEqualTo(counters.requestNanos(AccessClass.MERGE) - mergeReadNanos)
              .isPositive();
          assertThat(all.times().beside().requests())
              .isEqualTo(counters.besideRequests() - besideRequests)
              .isPositive();
          assertThat(all.times().beside().nanos())
              .isEqualTo(counters.besideNanos() - besideNanos)
              .isPositive()
              .isLessThan(all.times().missNanos());
          assertThat(all.times().writtenBytes())
              .isEqualTo(
                  trees.stream().mapToLong(t -> t.flushed().bytes() + t.mergedBytes()).sum());
        });
  }

  private static void readsAreAllThatWereCounted(
      CycleSample all, EngineStatistics before, EngineStatistics after) {
    for (ReadClass readClass : ReadClass.values()) {
      AccessClass access = AccessClass.valueOf(readClass.name());
      ReadSample read = all.reads(readClass);
      assertThat(read.missedPages())
          .as("missed: %s", access)
          .isEqualTo(missed(after, access) - missed(before, access))
          .isPositive();
      assertThat(read.savedPages())
          .as("saved: %s", access)
          .isEqualTo(saved(after, access) - saved(before, access));
    }
    assertThat(all.reads(ReadClass.QUERY).pins()).isPositive();
    assertThat(all.reads(ReadClass.QUERY).savedPages()).isPositive();
  }

  /** Sums of a sample are of one order, so that a seed makes the same decisions again. */
  @Test
  void treesThatAreGoneKeepTheirOrder() {
    inEngine(
        Simulation.CALM,
        config().tunerMode(TunerMode.FROZEN).build(),
        (sim, engine) -> {
          CycleSampler sampler = sampler(engine.open());
          List<String> names = IntStream.range(0, 20).mapToObj(i -> "t" + i).toList();
          names.forEach(name -> engine.createTree(name).put(key(1), new byte[10]));
          List<Integer> before = ids(sampler.endCycle(4 * MIB));
          names.forEach(engine::dropTree);
          assertThat(ids(sampler.endCycle(4 * MIB))).isEqualTo(before).isSorted();
        });
  }

  private static List<Integer> ids(CycleSample sample) {
    return sample.trees().stream().map(TreeSample::treeId).toList();
  }

  private static long missNanos(CacheCounters counters) {
    return counters.requestNanos(AccessClass.QUERY)
        + counters.requestNanos(AccessClass.FILTER)
        + counters.requestNanos(AccessClass.META);
  }

  private static long missed(EngineStatistics statistics, AccessClass access) {
    return statistics.cache().misses().getOrDefault(access, 0L);
  }

  private static long saved(EngineStatistics statistics, AccessClass access) {
    return statistics.memory().tuner().ghostHits().getOrDefault(access.name(), 0L);
  }

  /** The working set is twice the cache: what left is missed again. */
  @Test
  void theGhostCacheSeesWhatLeft() {
    inEngine(
        Simulation.CALM,
        config().tunerMode(TunerMode.FROZEN).writeInitialBytes(40 << 20).build(),
        (sim, engine) -> {
          int keys = 12_000;
          Tree tree = filled(engine, keys);
          CycleSampler sampler = sampler(engine.open());
          readAll(tree, keys, 3);
          CycleSample sample = sampler.endCycle(4 * MIB);
          assertThat(sample.reads(ReadClass.QUERY).missedPages()).isGreaterThan(2000);
          assertThat(sample.savedPages()).isGreaterThan(500);
          assertThat(sample.curves().misses().isKnown()).isTrue();
          double here = sample.curves().misses().ratio(sample.memory().cacheBytes());
          assertThat(sample.curves().misses().ratio(40 * MIB)).isLessThan(here / 2);
        });
  }

  /**
   * Writes that are skewed: what a larger write memory would flush of them is foreseen, as a part
   * of what the one that is there flushes.
   */
  @Test
  void whatALargerWriteMemoryFlushesIsForeseen() {
    CycleSample small = skewedUpdates(4 * MIB, 0);
    CycleSample large = skewedUpdates(16 * MIB, 0);
    MissCurve curve = small.curves().rewrites().flushed();
    assertThat(curve.isKnown()).isTrue();
    double foreseen = curve.ratio(16 * MIB) / curve.ratio(4 * MIB);
    double seen = flushedOfWritten(large) / flushedOfWritten(small);
    assertThat(seen).isLessThan(0.8);
    // With seeds from 1 to 3 it is 14 to 16 % too little; the goal is a quarter.
    assertThat(foreseen).isCloseTo(seen, withinPercentage(20));
  }

  /**
   * Reads and writes that are skewed alike: a larger write memory has keys for which readers would
   * come to the disk, though it leaves the cache less. What they miss then is foreseen, and what
   * they miss with a smaller one, too.
   */
  @Test
  void whatAnotherWriteMemorySparesReadersIsForeseen() {
    CycleSample small = skewedUpdates(8 * MIB, 1);
    CycleSample large = skewedUpdates(24 * MIB, 1);
    double seen = missedOfOperation(large) / missedOfOperation(small);
    assertThat(seen).isLessThan(0.8);
    // The curve of the cache alone has 1.08 and 0.81. The goal is a quarter; here it is an eighth.
    assertThat(missesAt(small, 24 * MIB) / missesAt(small, 8 * MIB))
        .isCloseTo(seen, withinPercentage(20));
    assertThat(missesAt(large, 8 * MIB) / missesAt(large, 24 * MIB))
        .isCloseTo(1 / seen, withinPercentage(20));
  }

  private static double missedOfOperation(CycleSample sample) {
    return (double) sample.reads(ReadClass.QUERY).missedPages() / sample.operations();
  }

  /** What the cost curve says of the misses of a cycle, in any unit. */
  private static double missesAt(CycleSample sample, long writeBytes) {
    CostModel.Line free = new CostModel.Line(0, 0);
    CostModel misses = new CostModel(CostModel.Unit.PAGES, new CostModel.Line(1, 0), free, free, 1);
    MergeCosts merges = MergeCosts.unknown((levels, memory) -> new LevelRule.Sizes(1, 10));
    return new CostCurve(sample, new Objective(misses, new Weights(1, 1)), merges)
        .at((double) writeBytes);
  }

  private static double flushedOfWritten(CycleSample sample) {
    TreeSample tree = sample.trees().get(0);
    return (double) tree.steadyFlushBytes() / tree.written().bytes();
  }

  /** Of more data than there is memory, with so many reads for each update. */
  private static CycleSample skewedUpdates(long writeBytes, int reads) {
    CycleSample[] sample = new CycleSample[1];
    inEngine(
        Simulation.CALM,
        config()
            .tunerMode(TunerMode.FROZEN)
            .writeInitialBytes(writeBytes)
            .logMaxBytes(256 << 20)
            .build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          fill(tree, SKEWED_KEYS, 1000);
          Random random = new Random(1);
          Runnable updates =
              () -> {
                for (int i = 0; i < 60_000; i++) {
                  tree.put(skewed(random), new byte[1000]);
                  for (int read = 0; read < reads; read++) {
                    tree.get(skewed(random));
                  }
                }
              };
          CycleSampler sampler = sampler(engine.open());
          updates.run();
          sampler.endCycle(256 * MIB);
          updates.run();
          sample[0] = sampler.endCycle(256 * MIB);
        });
    return sample[0];
  }

  private static byte[] skewed(Random random) {
    return key((int) (SKEWED_KEYS * Math.pow(random.nextDouble(), 4)));
  }

  // ---- Decisions.

  @ParameterizedTest
  @CsvSource({"OBSERVE, false", "ADAPTIVE, true", "FROZEN, false"})
  void onlyAnAdaptiveTunerMovesMemory(TunerMode mode, boolean moves) {
    inEngine(
        Simulation.CALM,
        configForUpdates().tunerMode(mode).build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          Random random = new Random(1);
          for (int i = 0; i < 25_000; i++) {
            update(sim, tree, random);
          }
          EngineStatistics.Tuner tuner = engine.statistics().memory().tuner();
          assertThat(tuner.mode()).isEqualTo(mode.name());
          assertThat(tuner.writeBytes() > 4 * MIB).isEqualTo(moves);
          assertThat(cycles(engine) > 3).isEqualTo(mode != TunerMode.FROZEN);
          List<HistoryEntry> history =
              HistoryReader.read(sim.env().files(), HistoryReader.fileIn(sim.directory()))
                  .entries();
          assertThat(history).hasSize((int) cycles(engine));
          assertThat(history.stream().anyMatch(e -> e.decision().moves())).isEqualTo(moves);
          assertThat(history).allMatch(e -> e.mode().equals(mode.name()));
        });
  }

  /** Also of one to a size that is no whole number of pages, as most are. No tree grows. */
  @Test
  void whatBecameOfAMoveIsKnown() {
    inEngine(
        Simulation.CALM,
        configForUpdates().tunerMode(TunerMode.FROZEN).build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          fill(tree, UPDATED_KEYS, 1000);
          engine.configure("tuner.mode", "ADAPTIVE");
          Random random = new Random(1);
          while (cycles(engine) < 8) {
            update(sim, tree, random);
          }
          List<HistoryEntry> history =
              HistoryReader.read(sim.env().files(), HistoryReader.fileIn(sim.directory()))
                  .entries();
          int judged = 0;
          for (int i = 1; i < history.size(); i++) {
            Decision move = history.get(i - 1).decision();
            Decision next = history.get(i).decision();
            // One that undoes another is not judged, nor is one by a cycle that says too little.
            boolean isJudged =
                move.moves()
                    && move.origin() != Origin.UNDO
                    && next.rule() != Rule.IDLE
                    && next.rule() != Rule.SETTLING;
            if (isJudged && move.toBytes() / 4096 == next.fromBytes() / 4096) {
              assertThat(next.lastMove()).as("%s", next).isNotNull();
            }
            judged += next.lastMove() != null ? 1 : 0;
          }
          assertThat(judged).isPositive();
        });
  }

  /**
   * Write memory is full when readers want most of it, and flushes are so slow that a move needs
   * several cycles: these say where memory goes, and the one after them what became of the move.
   */
  @Test
  void aMoveThatOutlastsACycleGoesOnAndIsJudged() {
    inEngine(
        Simulation.CALM,
        config()
            .tunerMode(TunerMode.FROZEN)
            .writeInitialBytes(44 << 20)
            .logMaxBytes(128 << 20)
            .build(),
        (sim, engine) -> {
          int keys = 28_000;
          Tree tree = filled(engine, keys);
          for (int i = 0; i < 22_000; i++) {
            // Beside those that are read.
            tree.put(("key" + i + "+").getBytes(UTF_8), new byte[1500]);
          }
          engine.configure("io.limitBytesPerSecond", "1MiB");
          engine.configure("tuner.mode", "ADAPTIVE");
          MemoryArbiter memory = engine.open().memory().arbiter();
          Random random = new Random(1);
          int underWay = 0;
          TunerTask.Cycle seen = null;
          while (seen == null || seen.decision().lastMove() == null) {
            assertThat(tree.get(key(random.nextInt(keys)))).hasSize(1500);
            sim.env().waiter().pause(SECOND / 1000);
            TunerTask.Cycle last = engine.open().tuner().lastCycle();
            if (last != null && !last.equals(seen)) {
              seen = last;
              Decision decision = last.decision();
              assertThat(decision.toBytes() / 4096)
                  .as("%s", decision)
                  .isEqualTo(memory.targetBytes() / 4096);
              underWay += decision.moves() && decision.rule() == Rule.SETTLING ? 1 : 0;
              assertThat(last.number()).as("%s", decision).isLessThan(20);
            }
          }
          assertThat(underWay).isPositive();
        });
  }

  /** Readers and writers pay for no tuner that is frozen; one that begins late knows no past. */
  @Test
  void aFrozenTunerHasNothingWatched() {
    inEngine(
        Simulation.CALM,
        config().tunerMode(TunerMode.FROZEN).writeInitialBytes(40 << 20).build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          readsBeyondTheCache(tree);
          assertThat(ghostHits(engine)).isZero();
          engine.configure("tuner.mode", "OBSERVE");
          sim.env().waiter().pause(SECOND / 10);
          readsBeyondTheCache(tree);
          long seen = ghostHits(engine);
          assertThat(seen).isPositive();
          assertThat(nextDecision(sim, engine).cycle()).isEqualTo(1);
          engine.configure("tuner.mode", "FROZEN");
          sim.env().waiter().pause(20 * SECOND);
          long cycles = cycles(engine);
          readsBeyondTheCache(tree);
          sim.env().waiter().pause(20 * SECOND);
          assertThat(ghostHits(engine)).isEqualTo(seen);
          assertThat(cycles(engine)).isEqualTo(cycles);
          engine.configure("tuner.mode", "OBSERVE");
          assertThat(nextDecision(sim, engine).cycle()).isEqualTo(cycles + 1);
        });
  }

  private static long ghostHits(Engine engine) {
    return engine.statistics().memory().tuner().ghostHits().values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Twice what fits. */
  private static void readsBeyondTheCache(Tree tree) {
    fill(tree, 12_000, 1500);
    readAll(tree, 12_000, 2);
  }

  /** After a load the cache need not stay small until a clock ends the cycle. */
  @Test
  void readsFromDiskAloneEndACycle() {
    inEngine(
        Simulation.CALM,
        config()
            .tunerMode(TunerMode.OBSERVE)
            .tunerCycleSeconds(86_400)
            .writeInitialBytes(40 << 20)
            .build(),
        (sim, engine) -> {
          int keys = 12_000;
          Tree tree = filled(engine, keys);
          engine.configure("tuner.cycleBytes", "4MiB");
          sim.env().waiter().pause(10 * SECOND);
          assertThat(cycles(engine)).as("that of the load").isEqualTo(1);
          readAll(tree, keys, 3);
          sim.env().waiter().pause(2 * SECOND);
          assertThat(cycles(engine)).isGreaterThan(1);
        });
  }

  /** It begins with seven tenths of the memory as write memory; readers need nearly all of it. */
  @Test
  void aHighStartGoesAsLowAsReadersWantIt() {
    inEngine(
        Simulation.CALM,
        config()
            .tunerMode(TunerMode.ADAPTIVE)
            .writeInitialBytes(44 << 20)
            .logMaxBytes(64 << 20)
            .build(),
        (sim, engine) -> {
          int keys = 28_000;
          Tree tree = filled(engine, keys);
          Random random = new Random(1);
          for (int i = 0; cycles(engine) < 10; i++) {
            byte[] found = tree.get(key(random.nextInt(keys)));
            assertThat(found).isNotNull();
            if (i % 40 == 0) {
              tree.put(key(random.nextInt(keys)), new byte[1500]);
            }
            sim.env().waiter().pause(SECOND / 1000);
          }
          EngineStatistics.Tuner tuner = engine.statistics().memory().tuner();
          assertThat(tuner.writeBytes()).isLessThan(64 * MIB * 6 / 100);
        });
  }

  @Test
  void anIdleEngineMovesNothing() {
    inEngine(
        Simulation.CALM,
        config().tunerMode(TunerMode.ADAPTIVE).build(),
        (sim, engine) -> {
          engine.createTree("t").put(key(1), new byte[10]);
          for (int i = 0; i < 5; i++) {
            assertThat(nextDecision(sim, engine).rule()).isEqualTo("IDLE");
          }
          assertThat(engine.statistics().memory().tuner().writeBytes()).isEqualTo(4 * MIB);
        });
  }

  /** No file of decisions can be written: the engine does not need it. */
  @Test
  void aHistoryThatCannotBeWrittenStopsNothing() {
    inEngine(
        Simulation.CALM,
        config().build(),
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          sim.faults()
              .add(
                  Fault.of(FaultEffect.IO_ERROR)
                      .on(IoKind.CREATE)
                      .onPath(path -> path.toString().contains("tuner-history"))
                      .asSticky());
          nextDecision(sim, engine);
          tree.put(key(1), new byte[10]);
          sim.faults().clear();
          nextDecision(sim, engine);
          assertThat(engine.health().fence()).isNull();
          assertThat(
                  HistoryReader.read(sim.env().files(), HistoryReader.fileIn(sim.directory()))
                      .entries())
              .hasSize(1);
        });
  }

  /** A clock of processor time falls once, as after a change of the number of processors. */
  @Test
  void aCycleThatCannotBeSampledStopsNothing() {
    try (Simulation sim = Simulation.seeded(1)) {
      AtomicLong fallen = new AtomicLong();
      StorageEnv env = falling(sim.env(), fallen);
      sim.run(
          () -> {
            sim.env().waiter().pause(100 * SECOND);
            try (Engine engine = Engine.open(env, sim.directory(), config().build())) {
              nextDecision(sim, engine);
              fallen.set(20 * SECOND);
              sim.env().waiter().pause(60 * SECOND);
              assertThat(engine.health().fence()).isNull();
              engine.createTree("t").put(key(1), new byte[10]);
              assertThat(nextDecision(sim, engine).cycle()).isGreaterThan(1);
            }
          });
    }
  }

  /** First it cannot begin, and has nothing watched meanwhile; then a cycle fails. */
  @Test
  void aTunerWithoutHeapStopsNothing() {
    try (Simulation sim = Simulation.seeded(1)) {
      AtomicBoolean isExhausted = new AtomicBoolean(true);
      StorageEnv env = exhausted(sim.env(), isExhausted);
      EngineConfig config = config().writeInitialBytes(40 << 20).build();
      boolean isDone =
          sim.run(
              () -> {
                try (Engine engine = Engine.open(env, sim.directory(), config)) {
                  Tree tree = engine.createTree("t");
                  readsBeyondTheCache(tree);
                  assertThat(ghostHits(engine)).isZero();
                  assertThat(cycles(engine)).isZero();
                  isExhausted.set(false);
                  assertThat(nextDecision(sim, engine).cycle()).isEqualTo(1);
                  isExhausted.set(true);
                  sim.env().waiter().pause(20 * SECOND);
                  assertThat(cycles(engine)).isEqualTo(1);
                  isExhausted.set(false);
                  assertThat(nextDecision(sim, engine).cycle()).isEqualTo(2);
                  assertThat(engine.health().fence()).isNull();
                  tree.put(key(1), new byte[10]);
                }
              });
      assertThat(isDone).isTrue();
    }
  }

  /** An environment in which a sample finds no heap while that is set. */
  private static StorageEnv exhausted(StorageEnv plain, AtomicBoolean isExhausted) {
    return withBusyClock(
        plain,
        () -> {
          if (isExhausted.get() && Thread.currentThread().getName().startsWith("loam-tuner")) {
            throw new OutOfMemoryError("planned");
          }
          return plain.clock().nanoTime();
        });
  }

  /** What was counted in the other one is in no cycle, or costs for an operation would be wrong. */
  @Test
  void aCycleAfterOneThatFailedHasItsOwnCountsAlone() {
    try (Simulation sim = Simulation.seeded(1)) {
      AtomicLong fallen = new AtomicLong();
      StorageEnv env = falling(sim.env(), fallen);
      EngineConfig config = config().tunerMode(TunerMode.FROZEN).build();
      boolean isDone =
          sim.run(
              () -> {
                sim.env().waiter().pause(100 * SECOND);
                try (Engine engine = Engine.open(env, sim.directory(), config)) {
                  Tree tree = engine.createTree("t");
                  CycleSampler sampler = sampler(engine.open());
                  fallen.set(20 * SECOND);
                  tree.put(key(1), new byte[10]);
                  assertThatThrownBy(() -> sampler.endCycle(4 * MIB))
                      .isInstanceOf(IllegalArgumentException.class);
                  tree.put(key(2), new byte[10]);
                  tree.put(key(3), new byte[10]);
                  CycleSample next = sampler.endCycle(4 * MIB);
                  assertThat(next.operations()).isEqualTo(2);
                  assertThat(next.trees().get(0).written().entries()).isEqualTo(2);
                }
              });
      assertThat(isDone).isTrue();
    }
  }

  /** An environment whose clock of processor time has fallen by so much. */
  private static StorageEnv falling(StorageEnv plain, AtomicLong fallen) {
    return withBusyClock(plain, () -> plain.clock().nanoTime() - fallen.get());
  }

  private static StorageEnv withBusyClock(StorageEnv plain, LongSupplier busyNanos) {
    NanoClock clock =
        new NanoClock() {
          @Override
          public long nanoTime() {
            return plain.clock().nanoTime();
          }

          @Override
          public long busyNanos() {
            return busyNanos.getAsLong();
          }
        };
    return new StorageEnv(plain.files(), clock, plain.waiter(), plain.tasks(), plain.random());
  }

  /** Of all that is about memory one number is set, and it is the least. */
  @Test
  void theLeastMemoryOfAllIsEnoughForTheDefaults() {
    assertThatThrownBy(() -> EngineConfig.builder().memoryTotalBytes((64 << 20) - 1).build())
        .isInstanceOf(ConfigException.class)
        .hasMessage("memory.total: 67108863, must be in 64MiB..4TiB");
    inEngine(
        Simulation.CALM,
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .durability(Durability.PROCESS)
            .logSegmentBytes(256 << 10)
            .build(),
        (sim, engine) -> {
          assertThat(engine.config().tuner().mode()).isEqualTo(TunerMode.ADAPTIVE);
          engine.configure("tuner.cycleSeconds", "5");
          long atOpen = engine.statistics().memory().tuner().writeBytes();
          Tree tree = engine.createTree("t");
          int keys = 40_000;
          Random random = new Random(1);
          for (int i = 0; i < keys; i++) {
            tree.put(key(i), new byte[1500]);
            sim.env().waiter().pause(SECOND / 2000);
          }
          for (int i = 0; i < keys; i++) {
            assertThat(tree.get(key(random.nextInt(keys)))).hasSize(1500);
            sim.env().waiter().pause(SECOND / 1000);
          }
          assertThat(engine.statistics().memory().tuner().writeBytes()).isLessThan(atOpen);
          for (int i = 0; i < keys / 4; i++) {
            tree.put(key(i), new byte[500]);
          }
          assertThat(engine.verify().isSound()).isTrue();
        });
  }

  @Test
  void boundsThatDoNotFitAreRefused() {
    assertThatThrownBy(
            () -> inEngine(1, config().tunerLeastWriteBytes(53 << 20).build(), (sim, engine) -> {}))
        .hasMessageContaining("must be at least tuner.leastWriteBytes and tuner.leastCacheBytes");
    assertThatThrownBy(() -> config().tunerWriteWeight(0).tunerReadWeight(0).build())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tuner.writeWeight and tuner.readWeight: 0, one must be above 0");
    assertThatThrownBy(() -> config().tunerWriteWeight(-1).build())
        .hasMessageContaining("tuner.writeWeight: -1.0, must be in 0.0..1000000.0");
    inEngine(
        Simulation.CALM,
        config().build(),
        (sim, engine) ->
            assertThatThrownBy(() -> engine.configure("tuner.leastCacheBytes", "63MiB"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tuner.leastCacheBytes: 63MiB, must be at most the memory"));
  }

  /** The next one would have fewer buffers for merges, and so a larger pool. */
  @Test
  void aBoundThatOnlyTheNextEngineCouldKeepIsRefused() {
    inEngine(
        Simulation.CALM,
        config().l0Stop(60).build(),
        (sim, engine) -> {
          engine.configure("l0.stop", "12");
          long pool = engine.open().memory().arbiter().poolBytes();
          assertThatThrownBy(() -> engine.configure("tuner.leastCacheBytes", pool + MIB + "B"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("tuner.leastCacheBytes: ")
              .hasMessageContaining(", must be at most the memory of the tuner, ");
          nextDecision(sim, engine);
          assertThat(engine.health().fence()).isNull();
        });
  }
}
