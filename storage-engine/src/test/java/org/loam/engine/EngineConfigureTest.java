package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.common.config.ConfigException;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.FlushPolicy;
import org.loam.common.config.MergeScheduling;
import org.loam.common.config.Setting;
import org.loam.common.config.Settings;
import org.loam.common.config.TunerMode;
import org.loam.common.config.Units;
import org.loam.common.config.WriteScheme;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.error.ClosedException;
import org.loam.common.error.DeadlineException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TunerDecision;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.report.FlushChoice;
import org.loam.lsm.FlushCause;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.work.StallCause;

/** Settings that change while the engine runs: each by what the engine does differently then. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(QuietLog.class)
class EngineConfigureTest {
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofMillis(300));
  private static final long MANY_NANOS = 60_000_000_000L;

  /** What shows that a setting has changed. */
  private interface Effect {
    void show(Simulation sim, Engine engine);
  }

  private record Case(EngineConfigBuilder before, Effect effect) {}

  /** 1000 writes of 1000 bytes: the disks of 24 seeds took 160 to 610 ms for the log alone. */
  private static final long UNHINDERED_NANOS = 700_000_000;

  /**
   * Nothing happens by itself: much memory, a long log, merges that are never worthwhile. A flush
   * takes all of a tree.
   */
  private static EngineConfigBuilder calm() {
    return SmallEngine.calm()
        .writeScheme(WriteScheme.DYNAMIC)
        .levelRatio(100)
        .l0MinMerge(50)
        .l0ScanFreeRatio(1)
        .l0Stop(60)
        .mergesWhenQuiet(false)
        .tunerMode(TunerMode.FROZEN)
        .mergeThreads(1);
  }

  /** Cycles of two seconds of a tuner that decides. */
  private static EngineConfigBuilder tuned() {
    return calm()
        .writeInitialBytes(1 << 20)
        .tunerMode(TunerMode.ADAPTIVE)
        .tunerCycleBytes(1L << 40)
        .tunerCycleSeconds(2);
  }

  private static final Map<String, Case> CASES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "log.maxBytes", new Case(calm(), EngineConfigureTest::aShorterLogIsFullSooner)),
              Map.entry(
                  "write.scheme",
                  new Case(
                      calm().writeInitialBytes(1 << 20).flushThreshold(0.5),
                      EngineConfigureTest::aPartOfATreeIsFlushed)),
              Map.entry(
                  "write.activeBytes",
                  new Case(
                      calm().writeScheme(WriteScheme.LEVELS),
                      EngineConfigureTest::lessIsMergedInMemoryAtOnce)),
              Map.entry(
                  "write.partialFlushRatio",
                  new Case(
                      calm()
                          .writeScheme(WriteScheme.LEVELS)
                          .levelsActiveBytes(16 << 10)
                          .partialFlushRatio(1),
                      EngineConfigureTest::theOldestIsFlushedForTheLog)),
              Map.entry(
                  "write.activeDatasets",
                  new Case(
                      calm().writeInitialBytes(1 << 20).writeScheme(WriteScheme.STATIC),
                      EngineConfigureTest::sharesAreLarger)),
              Map.entry(
                  "write.targetBytes", new Case(calm(), EngineConfigureTest::writeMemoryMoves)),
              Map.entry(
                  "write.flushThreshold",
                  new Case(
                      calm().writeInitialBytes(1 << 20).flushThreshold(1.0),
                      EngineConfigureTest::memoryIsFlushedSooner)),
              Map.entry(
                  "write.flushPolicy",
                  new Case(
                      calm()
                          .writeInitialBytes(1 << 20)
                          .flushThreshold(0.5)
                          .flushPolicy(FlushPolicy.MAX_MEMORY),
                      EngineConfigureTest::anotherTreeIsFlushed)),
              Map.entry("sstable.bytes", new Case(calm(), EngineConfigureTest::tablesEndSooner)),
              Map.entry(
                  "disk.levelRatio", new Case(calm(), EngineConfigureTest::aSmallerL0IsMerged)),
              Map.entry(
                  "disk.sizedForBytes",
                  new Case(
                      calm().levelRatio(4).l0MinMerge(2).sstableBytes(128 << 10),
                      EngineConfigureTest::thereAreMoreLevels)),
              Map.entry("l0.minMerge", new Case(calm(), EngineConfigureTest::fewerGroupsAreMerged)),
              Map.entry(
                  "l0.scanFreeRatio",
                  new Case(
                      calm().l0MinMerge(5).l0ScanFreeRatio(10),
                      EngineConfigureTest::fewerGroupsAreMergedWithoutScans)),
              Map.entry("l0.stop", new Case(calm(), EngineConfigureTest::fewerGroupsStopWriters)),
              Map.entry(
                  "l0.stopRatio",
                  new Case(calm().levelRatio(2), EngineConfigureTest::fewerBytesStopWriters)),
              Map.entry(
                  "write.control", new Case(calm(), EngineConfigureTest::writersSlowDownInTime)),
              Map.entry(
                  "write.limitBytesPerSecond",
                  new Case(
                      calm().writeControl(WriteSlowdown.LIMIT).writeLimitBytesPerSecond(1L << 40),
                      EngineConfigureTest::writersKeepToALowerLimit)),
              Map.entry(
                  "write.constraint",
                  new Case(
                      calm().l0MinMerge(1), EngineConfigureTest::theDepthOfAllLevelsStopsWriters)),
              Map.entry(
                  "merge.scheduler",
                  new Case(
                      calm().ioLimitBytesPerSecond(1 << 20).mergeScheduler(MergeScheduling.FAIR),
                      EngineConfigureTest::whatRelievesAFullTreeGoesFirst)),
              Map.entry(
                  "merge.greedy",
                  new Case(
                      calm().ioLimitBytesPerSecond(1 << 20),
                      EngineConfigureTest::moreMergesGoFirst)),
              Map.entry(
                  "bloom.bitsPerKey",
                  new Case(calm().bloomBitsPerKey(0), EngineConfigureTest::tablesHaveFilters)),
              Map.entry(
                  "io.forceBytes",
                  // With a limit steps are short, and between steps is when a force may come.
                  new Case(
                      calm().ioForceBytes(1 << 30).ioLimitBytesPerSecond(1 << 20),
                      EngineConfigureTest::tablesAreForcedOften)),
              Map.entry(
                  "io.limitBytesPerSecond",
                  new Case(calm(), EngineConfigureTest::flushesTakeTheirTime)),
              Map.entry("tuner.mode", new Case(tuned(), EngineConfigureTest::theTunerIsFrozen)),
              Map.entry(
                  "tuner.policy", new Case(tuned(), EngineConfigureTest::theTunerGoesByItsGhosts)),
              Map.entry("tuner.cost", new Case(tuned(), EngineConfigureTest::theTunerCountsPages)),
              Map.entry(
                  "tuner.leastWriteBytes",
                  new Case(tuned(), EngineConfigureTest::writeMemoryGetsItsLeast)),
              Map.entry(
                  "tuner.leastCacheBytes",
                  new Case(
                      tuned().l0MinMerge(2).levelRatio(4),
                      EngineConfigureTest::theCacheGetsItsLeast)),
              Map.entry(
                  "tuner.writeWeight", new Case(tuned(), EngineConfigureTest::writesCountMore)),
              Map.entry("tuner.readWeight", new Case(tuned(), EngineConfigureTest::readsCountMore)),
              Map.entry(
                  "tuner.cycleBytes",
                  new Case(
                      tuned().tunerCycleSeconds(3600), EngineConfigureTest::cyclesEndWithTheLog)),
              Map.entry(
                  "tuner.cycleSeconds",
                  new Case(tuned().tunerCycleSeconds(3600), EngineConfigureTest::cyclesEndSooner)),
              Map.entry("l0.elastic", new Case(calm(), EngineConfigureTest::mergesTakeWhatIsDue)),
              Map.entry(
                  "l0.mergeWhenQuiet",
                  new Case(calm(), EngineConfigureTest::fewGroupsAreMergedWhenQuiet))));

  private static Stream<String> liveSettings() {
    return CASES.keySet().stream();
  }

  @Test
  void everyLiveSettingIsTested() {
    TreeSet<String> live = new TreeSet<>();
    Settings.ALL.stream().filter(Setting::isLive).map(Setting::name).forEach(live::add);
    assertThat(CASES.keySet()).isEqualTo(live);
  }

  @ParameterizedTest
  @MethodSource("liveSettings")
  void aLiveSettingHasItsEffect(String name) {
    Case aCase = CASES.get(name);
    inEngine(aCase.before().build(), aCase.effect());
  }

  private static void inEngine(EngineConfig config, Effect body) {
    try (Simulation sim = Simulation.seeded(6)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              engine.createTree("t");
              body.show(sim, engine);
              sim.faults().clear();
            }
          });
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  /** The dataset that was not written to for longest gives its place up, whatever its name. */
  @ParameterizedTest
  @CsvSource({"lines, orders", "orders, lines"})
  void datasetsKeepTheirPlacesWhenAnotherSettingChanges(String first, String second) {
    inEngine(
        calm().writeScheme(WriteScheme.STATIC).activeDatasets(2).build(),
        (sim, engine) -> {
          engine.createTree(first).put(key(1), new byte[1000]);
          engine.createTree(second).put(key(1), new byte[1000]);
          Tree third = engine.createTree("people");
          engine.configure("log.maxBytes", "15MiB");
          engine.configure("write.flushPolicy", "MIN_LSN");
          third.put(key(1), new byte[1000]);
          assertThat(engine.flushChoices())
              .extracting(choice -> choice.rule() + " " + choice.chosen().tree())
              .containsExactly("LEAST_RECENT " + first);
        });
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static void write(Tree tree, int count) {
    for (int i = 0; i < count; i++) {
      tree.put(key(i), new byte[1000]);
    }
  }

  /** Writes the same keys into a number of L0 groups. */
  private static void writeGroups(Tree tree, int groups) {
    for (int g = 0; g < groups; g++) {
      write(tree, 100);
      tree.flush();
    }
  }

  private static void await(Simulation sim, BooleanSupplier done) {
    long end = sim.env().clock().nanoTime() + MANY_NANOS;
    while (!done.getAsBoolean()) {
      assertThat(sim.env().clock().nanoTime() - end).as("waits in vain").isNegative();
      sim.env().waiter().pause(1_000_000);
    }
  }

  private static LevelStatistics level(Engine engine, String tree, int number) {
    return engine.statistics().trees().stream()
        .filter(t -> t.name().equals(tree))
        .flatMap(t -> t.levels().stream())
        .filter(level -> level.level() == number)
        .findAny()
        .orElse(new LevelStatistics(number, 0, 0, 0, 0, 0));
  }

  private static void refusedFor(StallCause cause, Engine engine) {
    long before = engine.statistics().stalls().totals().get(cause).count();
    assertThatThrownBy(() -> engine.tree("t").put(key(0), new byte[1000], IN_TIME))
        .isExactlyInstanceOf(DeadlineException.class)
        .hasMessageContaining(cause.name());
    assertThat(engine.statistics().stalls().totals().get(cause).count()).isEqualTo(before + 1);
  }

  // ---- Effects, one per live setting.

  private static void aShorterLogIsFullSooner(Simulation sim, Engine engine) {
    sim.faults()
        .add(
            Fault.of(FaultEffect.IO_ERROR)
                .on(IoKind.CREATE)
                .onPath(path -> path.toString().endsWith(".sst"))
                .asSticky());
    Tree tree = engine.tree("t");
    for (int i = 0; i < 300; i++) {
      tree.put(key(i), new byte[1000], IN_TIME);
    }
    engine.configure("log.maxBytes", "128KiB");
    refusedFor(StallCause.LOG_FULL, engine);
    engine.configure("log.maxBytes", "4MiB");
    tree.put(key(0), new byte[1000], IN_TIME);
    engine.configure("log.maxBytes", "128KiB");
    sim.faults().clear();
    write(tree, 300);
    assertThat(engine.statistics().log().lengthBytes()).isLessThanOrEqualTo(128 << 10);
  }

  private static void aPartOfATreeIsFlushed(Simulation sim, Engine engine) {
    long whole = bytesOfNextFlush(sim, engine);
    engine.configure("write.scheme", "RANGES");
    for (int i = 0; i < 400; i++) {
      writeSpread(engine, i);
    }
    engine.flush();
    assertThat(bytesOfNextFlush(sim, engine)).isLessThan(whole / 4);
  }

  /** Half of an eighth of the write memory, then half of all of it. */
  private static void sharesAreLarger(Simulation sim, Engine engine) {
    long small = bytesOfNextFlush(sim, engine);
    assertThat(small).isLessThan((1 << 20) / 8);
    engine.configure("write.activeDatasets", "1");
    engine.flush();
    assertThat(bytesOfNextFlush(sim, engine)).isGreaterThan(4 * small);
  }

  /** Writes keys from everywhere until one flush has ended. */
  private static long bytesOfNextFlush(Simulation sim, Engine engine) {
    var before = engine.statistics().work();
    for (int i = 0; engine.statistics().work().flushes() == before.flushes(); i++) {
      writeSpread(engine, i);
      sim.env().waiter().pause(1_000_000);
    }
    return engine.statistics().work().flushedBytes() - before.flushedBytes();
  }

  private static void writeSpread(Engine engine, int i) {
    engine.tree("t").put(key(i * 377 % 1000), new byte[1000]);
  }

  private static void lessIsMergedInMemoryAtOnce(Simulation sim, Engine engine) {
    write(engine.tree("t"), 100);
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(engine.statistics().trees().get(0).mergedInMemoryBytes()).isZero();
    engine.configure("write.activeBytes", "16KiB");
    write(engine.tree("t"), 1);
    await(sim, () -> engine.statistics().trees().get(0).mergedInMemoryBytes() > 0);
    assertThat(engine.statistics().work().flushes()).isZero();
  }

  private static void theOldestIsFlushedForTheLog(Simulation sim, Engine engine) {
    List<FlushChoice> all = choicesForTheLog(sim, engine);
    assertThat(all).hasSizeGreaterThan(8).hasSize(all.get(0).chosen().ranges() - 1);
    engine.configure("write.partialFlushRatio", "0");
    List<FlushChoice> some = choicesForTheLog(sim, engine);
    assertThat(some).hasSize(1);
    assertThat(some.get(0).chosen().ranges()).isGreaterThan(8);
  }

  /** The first choices when the log is too long for what is in memory. */
  private static List<FlushChoice> choicesForTheLog(Simulation sim, Engine engine) {
    for (int i = 0; i < 300; i++) {
      writeSpread(engine, i);
    }
    sim.env().waiter().pause(MANY_NANOS);
    int before = engine.flushChoices().size();
    engine.configure("log.maxBytes", "256KiB");
    engine.tree("t").put(key(0), new byte[1]);
    engine.configure("log.maxBytes", "16MiB");
    List<FlushChoice> choices = engine.flushChoices();
    long endLsn = choices.get(before).compared().endLsn();
    assertThat(choices.get(before).cause()).isEqualTo(FlushCause.LOG);
    return choices.subList(before, choices.size()).stream()
        .filter(choice -> choice.compared().endLsn() == endLsn)
        .toList();
  }

  private static void memoryIsFlushedSooner(Simulation sim, Engine engine) {
    Tree other = engine.createTree("other");
    write(engine.tree("t"), 300);
    write(other, 300);
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(engine.statistics().work().flushes()).isZero();
    engine.configure("write.flushThreshold", "0.5");
    write(other, 1);
    await(sim, () -> engine.statistics().work().flushes() > 0);
  }

  private static void anotherTreeIsFlushed(Simulation sim, Engine engine) {
    Tree old = engine.tree("t");
    Tree large = engine.createTree("large");
    write(old, 50);
    writeUntilFlushed(sim, engine, large);
    await(sim, () -> level(engine, "large", 0).groups() > 0);
    assertThat(level(engine, "t", 0).groups()).isZero();
    engine.configure("write.flushPolicy", "MIN_LSN");
    writeUntil(sim, large, () -> level(engine, "t", 0).groups() > 0);
    // By now nearly all writes were to the large one: any other memory is too much.
    Tree small = engine.createTree("small");
    write(small, 50);
    engine.configure("write.flushPolicy", "MAX_MEMORY");
    writeUntilFlushed(sim, engine, large);
    assertThat(level(engine, "small", 0).groups()).isZero();
    engine.configure("write.flushPolicy", "OPTIMAL");
    writeUntil(sim, large, () -> level(engine, "small", 0).groups() > 0);
  }

  private static void writeUntilFlushed(Simulation sim, Engine engine, Tree tree) {
    long before = engine.statistics().work().flushes();
    writeUntil(sim, tree, () -> engine.statistics().work().flushes() > before);
  }

  /** What is frozen already goes first, whatever the policy is by then. */
  private static void writeUntil(Simulation sim, Tree tree, BooleanSupplier done) {
    long end = sim.env().clock().nanoTime() + MANY_NANOS;
    for (int i = 0; !done.getAsBoolean(); i++) {
      assertThat(sim.env().clock().nanoTime() - end).as("writes in vain").isNegative();
      tree.put(key(i), new byte[1000]);
      sim.env().waiter().pause(1_000_000);
    }
  }

  private static void tablesEndSooner(Simulation sim, Engine engine) {
    Tree tree = engine.tree("t");
    write(tree, 500);
    tree.compact();
    assertThat(level(engine, "t", 1).tables()).isEqualTo(1);
    engine.configure("sstable.bytes", "64KiB");
    write(tree, 500);
    tree.compact();
    assertThat(level(engine, "t", 1).tables()).isBetween(6, 10);
  }

  private static void aSmallerL0IsMerged(Simulation sim, Engine engine) {
    fewerIsEnough(sim, engine, 50, "disk.levelRatio", "2");
  }

  /** And less again when they are sized for the write memory that there is. */
  private static void thereAreMoreLevels(Simulation sim, Engine engine) {
    assertThat(levelsAfterWrites(sim, engine)).isEqualTo(1);
    engine.configure("disk.sizedForBytes", "256KiB");
    assertThat(levelsAfterWrites(sim, engine)).isGreaterThan(1);
    engine.configure("disk.sizedForBytes", "0B");
    assertThat(levelsAfterWrites(sim, engine)).isEqualTo(1);
  }

  /** The levels below L0 once keys were overwritten and merges have come to rest. */
  private static long levelsAfterWrites(Simulation sim, Engine engine) {
    for (int round = 0; round < 4; round++) {
      write(engine.tree("t"), 3000);
      engine.flush();
      sim.env().waiter().pause(MANY_NANOS);
    }
    return engine.statistics().trees().get(0).levels().stream()
        .filter(level -> level.level() > 0)
        .count();
  }

  private static void writeMemoryMoves(Simulation sim, Engine engine) {
    for (String size : List.of("16MiB", "1MiB")) {
      engine.configure("write.targetBytes", size);
      long bytes = Units.parseBytes(size);
      await(sim, () -> engine.open().memory().arbiter().ownBytes() == bytes);
    }
    engine.configure("write.targetBytes", "0B");
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(engine.statistics().memory().writeTargetBytes()).isEqualTo(1 << 20);
  }

  private static void fewerGroupsAreMerged(Simulation sim, Engine engine) {
    fewerIsEnough(sim, engine, 5, "l0.minMerge", "5");
  }

  private static void fewerGroupsAreMergedWithoutScans(Simulation sim, Engine engine) {
    fewerIsEnough(sim, engine, 5, "l0.scanFreeRatio", "1");
  }

  private static void fewerIsEnough(
      Simulation sim, Engine engine, int groups, String name, String value) {
    writeGroups(engine.tree("t"), groups - 1);
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(engine.statistics().work().merges()).isZero();
    engine.configure(name, value);
    writeGroups(engine.tree("t"), 1);
    await(sim, () -> engine.statistics().work().mergedBytes() > 0);
  }

  private static void mergesTakeWhatIsDue(Simulation sim, Engine engine) {
    writeGroups(engine.tree("t"), 5);
    engine.configure("l0.elastic", "false");
    engine.configure("l0.minMerge", "3");
    await(sim, () -> level(engine, "t", 0).groups() < 5);
    assertThat(level(engine, "t", 0).groups()).isEqualTo(2);
    engine.configure("l0.elastic", "true");
    engine.configure("l0.minMerge", "50");
    writeGroups(engine.tree("t"), 3);
    engine.configure("l0.minMerge", "3");
    await(sim, () -> level(engine, "t", 0).groups() < 5);
    assertThat(level(engine, "t", 0).groups()).isZero();
  }

  private static void fewGroupsAreMergedWhenQuiet(Simulation sim, Engine engine) {
    writeGroups(engine.tree("t"), 2);
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(engine.statistics().work().merges()).isZero();
    engine.configure("l0.mergeWhenQuiet", "true");
    await(sim, () -> level(engine, "t", 0).groups() == 0);
    assertThat(engine.statistics().work().mergedBytes()).isPositive();
  }

  private static void fewerGroupsStopWriters(Simulation sim, Engine engine) {
    writeGroups(engine.tree("t"), 5);
    failMerges(sim);
    engine.configure("l0.minMerge", "3");
    engine.configure("l0.stop", "6");
    engine.tree("t").put(key(0), new byte[1000], IN_TIME);
    engine.configure("l0.stop", "5");
    refusedFor(StallCause.L0_STOP, engine);
    engine.configure("l0.stop", "6");
    engine.tree("t").put(key(0), new byte[1000], IN_TIME);
  }

  /** Merges read chunks, all others read single pages. */
  private static void failMerges(Simulation sim) {
    sim.faults()
        .add(
            Fault.of(FaultEffect.IO_ERROR)
                .where(call -> call.kind() == IoKind.READ && call.length() > 8192)
                .asSticky());
  }

  private static void fewerBytesStopWriters(Simulation sim, Engine engine) {
    failMerges(sim);
    // A little more than twice half of the write memory, of which a full L1 has as many bytes.
    writeGroups(engine.tree("t"), 45);
    engine.tree("t").put(key(0), new byte[1000], IN_TIME);
    engine.configure("l0.stopRatio", "1");
    refusedFor(StallCause.L0_STOP, engine);
    engine.configure("l0.stopRatio", "2");
    engine.tree("t").put(key(0), new byte[1000], IN_TIME);
    engine.configure("l0.stopRatio", "1");
    refusedFor(StallCause.L0_STOP, engine);
    engine.configure("write.targetBytes", "8MiB");
    await(sim, () -> engine.tree("t").lsm().gate().violation() == null);
    engine.tree("t").put(key(0), new byte[1000], IN_TIME);
  }

  private static void whatRelievesAFullTreeGoesFirst(Simulation sim, Engine engine) {
    engine.createTree("small");
    reliefNanos(sim, engine);
    long fair = reliefNanos(sim, engine);
    engine.configure("merge.scheduler", "GREEDY");
    // Seven of eight bytes instead of every second one.
    assertThat(reliefNanos(sim, engine)).isLessThan(fair / 4 * 3);
  }

  private static void moreMergesGoFirst(Simulation sim, Engine engine) {
    engine.createTree("small");
    reliefNanos(sim, engine);
    long alone = reliefNanos(sim, engine);
    engine.configure("merge.greedy", "2");
    // Every second byte instead of seven of eight.
    assertThat(alone).isLessThan(reliefNanos(sim, engine) / 4 * 3);
  }

  /** How long a tree that nearly stops its writers waits for its merge beside a large one. */
  private static long reliefNanos(Simulation sim, Engine engine) {
    Tree large = engine.tree("t");
    Tree small = engine.tree("small");
    large.setMergeOptions(new MergeOptions(100, 50, 60));
    small.setMergeOptions(new MergeOptions(100, 5, 6));
    for (int g = 0; g < 5; g++) {
      write(large, 400);
      large.flush();
    }
    for (int g = 0; g < 4; g++) {
      write(small, 20);
      small.flush();
    }
    large.setMergeOptions(new MergeOptions(100, 5, 60));
    write(small, 20);
    small.flush();
    long begin = sim.env().clock().nanoTime();
    await(sim, () -> level(engine, "small", 0).groups() == 0);
    long nanos = sim.env().clock().nanoTime() - begin;
    assertThat(level(engine, "t", 0).groups()).as("still merging").isEqualTo(5);
    await(sim, () -> level(engine, "t", 0).groups() == 0);
    return nanos;
  }

  private static void writersSlowDownInTime(Simulation sim, Engine engine) {
    // Nothing leaves L0.
    failMerges(sim);
    engine.configure("write.control", "STOP");
    engine.configure("l0.minMerge", "2");
    engine.configure("l0.stop", "6");
    writeGroups(engine.tree("t"), 3);
    assertThat(writeNanos(sim, engine)).isLessThan(UNHINDERED_NANOS);
    engine.configure("write.control", "PACE");
    // Time to find out that nothing leaves L0; the next flush sets the pace.
    sim.env().waiter().pause(2_000_000_000);
    writeGroups(engine.tree("t"), 1);
    // At the least rate, 1 MiB a second, less what costs nothing at first.
    assertThat(writeNanos(sim, engine)).isBetween(900_000_000L, 1_500_000_000L);
    assertThat(engine.statistics().stalls().totals().get(StallCause.WRITE_CONTROL).count())
        .isPositive();
    engine.configure("write.control", "STOP");
    assertThat(writeNanos(sim, engine)).isLessThan(UNHINDERED_NANOS);
  }

  private static void writersKeepToALowerLimit(Simulation sim, Engine engine) {
    assertThat(writeNanos(sim, engine)).isLessThan(UNHINDERED_NANOS);
    engine.configure("write.limitBytesPerSecond", "1MiB");
    assertThat(writeNanos(sim, engine)).isBetween(900_000_000L, 1_500_000_000L);
    assertThat(engine.statistics().stalls().totals().get(StallCause.WRITE_CONTROL).nanos())
        .isPositive();
    engine.configure("write.limitBytesPerSecond", "1TiB");
    assertThat(writeNanos(sim, engine)).isLessThan(UNHINDERED_NANOS);
  }

  private static void theDepthOfAllLevelsStopsWriters(Simulation sim, Engine engine) {
    failMerges(sim);
    writeGroups(engine.tree("t"), 8);
    engine.configure("write.constraint", "TREE");
    refusedFor(StallCause.COMPONENT_CONSTRAINT, engine);
    engine.configure("write.constraint", "L0");
    engine.tree("t").put(key(0), new byte[1000], IN_TIME);
  }

  /** Time for 1000 writes of 1000 bytes. */
  private static long writeNanos(Simulation sim, Engine engine) {
    long begin = sim.env().clock().nanoTime();
    write(engine.tree("t"), 1000);
    return sim.env().clock().nanoTime() - begin;
  }

  private static void tablesHaveFilters(Simulation sim, Engine engine) {
    Tree tree = engine.tree("t");
    write(tree, 1000);
    tree.compact();
    long without = level(engine, "t", 1).bytes();
    engine.configure("bloom.bitsPerKey", "20");
    write(tree, 1000);
    tree.compact();
    // 20,000 bits, in whole pages.
    assertThat(level(engine, "t", 1).bytes() - without).isBetween(2500L, 4 * 4096L);
  }

  private static void tablesAreForcedOften(Simulation sim, Engine engine) {
    long[] forces = new long[1];
    sim.faults()
        .add(
            Fault.of(FaultEffect.IO_ERROR)
                .where(
                    call -> {
                      if (call.kind() == IoKind.FORCE && call.path().toString().endsWith(".sst")) {
                        forces[0]++;
                      }
                      return false;
                    }));
    write(engine.tree("t"), 1000);
    engine.flush();
    long before = forces[0];
    engine.configure("io.forceBytes", "64KiB");
    write(engine.tree("t"), 1000);
    engine.flush();
    // Of 1 MB that is written 256 KiB at a time.
    assertThat(forces[0] - before).isBetween(before + 3, before + 5);
  }

  private static void flushesTakeTheirTime(Simulation sim, Engine engine) {
    long fast = flushNanos(sim, engine);
    engine.configure("io.limitBytesPerSecond", "1MiB");
    // 1 MB less what may pass at once, 20 ms of it.
    assertThat(flushNanos(sim, engine)).isGreaterThan(900_000_000).isGreaterThan(10 * fast);
    engine.configure("io.limitBytesPerSecond", "0");
    assertThat(flushNanos(sim, engine)).isLessThan(2 * fast);
  }

  private static long flushNanos(Simulation sim, Engine engine) {
    write(engine.tree("t"), 1000);
    long before = sim.env().clock().nanoTime();
    engine.flush();
    return sim.env().clock().nanoTime() - before;
  }

  // ---- The call itself.

  @Test
  void aWriterThatWaitsGoesOnWhenItsReasonIsGone() {
    inEngine(
        calm().build(),
        (sim, engine) -> {
          writeGroups(engine.tree("t"), 5);
          failMerges(sim);
          engine.configure("l0.minMerge", "3");
          engine.configure("l0.stop", "5");
          var helper =
              sim.env()
                  .tasks()
                  .start(
                      "configures",
                      () -> {
                        await(sim, () -> isStalled(engine));
                        engine.configure("l0.stop", "60");
                      });
          engine.tree("t").put(key(0), new byte[1000]);
          helper.join();
          assertThat(isStalled(engine)).isFalse();
        });
  }

  private static boolean isStalled(Engine engine) {
    return engine.statistics().stalls().totals().get(StallCause.L0_STOP).activeCount() > 0;
  }

  @Test
  void itTellsWhatWasAndWhatIs() {
    inEngine(
        calm().build(),
        (sim, engine) -> {
          assertThat(engine.configure("log.maxBytes", "8388608"))
              .isEqualTo(new SettingChange("log.maxBytes", "16MiB", "8MiB", "8MiB"));
          assertThat(engine.config().log().maxBytes()).isEqualTo(8 << 20);
          assertThat(engine.config()).isEqualTo(calm().logMaxBytes(8 << 20).build());
        });
  }

  @Test
  void writesStopNoLaterThanMergesCanReadWithTheirBuffers() {
    EngineConfig config = calm().l0MinMerge(4).l0Stop(12).build();
    inEngine(
        config,
        (sim, engine) -> {
          assertThat(engine.configure("l0.stop", "20"))
              .isEqualTo(new SettingChange("l0.stop", "12", "20", "12"));
          assertThat(engine.config()).isEqualTo(config);
          assertThat(engine.configure("l0.stop", "11").effectiveValue()).isEqualTo("11");
        });
  }

  @Test
  void whatAnOpenWouldRefuseIsRefusedAndNothingChanges() {
    EngineConfig config = calm().build();
    inEngine(
        config,
        (sim, engine) -> {
          assertThatThrownBy(() -> engine.configure("l0.stop", "200"))
              .isExactlyInstanceOf(IllegalArgumentException.class)
              .hasMessageContainingAll("memory.total is 64MiB", "buffers");
          assertThatThrownBy(() -> engine.configure("l0.minMerge", "60"))
              .isExactlyInstanceOf(ConfigException.class)
              .hasMessageContaining("l0.stop: 60, must be above l0.minMerge, 60");
          assertThatThrownBy(() -> engine.configure("threads.merge", "1"))
              .isExactlyInstanceOf(ConfigException.class)
              .hasMessageContainingAll("fixed while an engine runs", "next open");
          assertThat(engine.config()).isEqualTo(config);
        });
  }

  @Test
  void aChangeLastsUntilTheEngineIsClosed() {
    EngineConfig config = calm().build();
    try (Simulation sim = Simulation.seeded(6)) {
      sim.run(
          () -> {
            Engine engine = Engine.open(sim.env(), sim.directory(), config);
            engine.configure("l0.stop", "55");
            engine.close();
            assertThatThrownBy(() -> engine.configure("l0.stop", "56"))
                .isExactlyInstanceOf(ClosedException.class);
            try (Engine again = Engine.open(sim.env(), sim.directory(), config)) {
              assertThat(again.config()).isEqualTo(config);
            }
          });
    }
  }

  @Test
  void changesAndNewTreesAtOnceLoseNothing() {
    for (int seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] engine = new Engine[1];
        sim.run(() -> engine[0] = Engine.open(sim.env(), sim.directory(), calm().build()));
        sim.run(
            () -> change(engine[0], "disk.levelRatio", 30),
            () -> change(engine[0], "l0.minMerge", 20),
            () -> {
              for (int i = 0; i < 5; i++) {
                engine[0].createTree("t" + i);
              }
            });
        assertThat(engine[0].config())
            .as("seed %d", seed)
            .isEqualTo(calm().levelRatio(30).l0MinMerge(20).build());
        for (Tree tree : engine[0].trees()) {
          var policy =
              (PartitionedLeveling) tree.open().trees().componentsOf(tree.lsm()).mergePolicy();
          assertThat(policy.settings().levelRatio()).as("seed %d", seed).isEqualTo(30);
          assertThat(policy.settings().l0MinMerge()).as("seed %d", seed).isEqualTo(20);
        }
        sim.run(engine[0]::close);
      }
    }
  }

  private static void change(Engine engine, String name, int last) {
    for (int i = last - 10; i <= last; i++) {
      engine.configure(name, Integer.toString(i));
    }
  }

  /** On real threads, since a simulated one changes a configuration without a break. */
  @Test
  void changesOfSeveralThreadsLoseNothing(@TempDir Path directory) throws InterruptedException {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (Engine engine = Engine.open(directory, calm().build())) {
      engine.createTree("t");
      List<Thread> threads = new ArrayList<>();
      for (String name : List.of("disk.levelRatio", "l0.minMerge")) {
        Thread thread = new Thread(() -> changeOften(engine, name));
        thread.setUncaughtExceptionHandler((dead, cause) -> failures.add(cause));
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(failures).isEmpty();
  }

  /** What was set, no other thread has set back. */
  private static void changeOften(Engine engine, String name) {
    engine.configure(name, "10");
    for (int i = 1; i < 5000; i++) {
      SettingChange change = engine.configure(name, Integer.toString(10 + i % 30));
      assertThat(change.oldValue()).isEqualTo(Integer.toString(10 + (i - 1) % 30));
    }
  }

  // ---- The tuner.

  private static long tunerCycles(Engine engine) {
    TunerDecision last = engine.statistics().memory().tuner().last();
    return last == null ? 0 : last.cycle();
  }

  /** The decision of a cycle with 3,000 writes and 500 reads of what is not in memory any more. */
  private static TunerDecision decided(Simulation sim, Engine engine) {
    long before = tunerCycles(engine);
    write(engine.tree("t"), 3000);
    for (int i = 0; i < 500; i++) {
      engine.tree("t").get(key(i * 5));
    }
    await(sim, () -> tunerCycles(engine) > before);
    return Objects.requireNonNull(engine.statistics().memory().tuner().last());
  }

  private static void theTunerIsFrozen(Simulation sim, Engine engine) {
    assertThat(decided(sim, engine).rule()).isNotEqualTo("FROZEN");
    engine.configure("tuner.mode", "FROZEN");
    sim.env().waiter().pause(10_000_000_000L);
    long cycles = tunerCycles(engine);
    write(engine.tree("t"), 3000);
    sim.env().waiter().pause(100_000_000_000L);
    assertThat(tunerCycles(engine)).isEqualTo(cycles);
  }

  /** An operation reads and writes a few pages, each of which takes 16 µs and more. */
  private static void theTunerCountsPages(Simulation sim, Engine engine) {
    assertThat(decided(sim, engine).cost()).isGreaterThan(1000);
    engine.configure("tuner.cost", "PAGES");
    decided(sim, engine);
    assertThat(decided(sim, engine).cost()).isBetween(0.01, 100.0);
  }

  private static void theTunerGoesByItsGhosts(Simulation sim, Engine engine) {
    assertThat(decided(sim, engine).rule()).isNotIn("FEW_HITS", "NO_SLOPE");
    engine.configure("tuner.policy", "PAPER");
    decided(sim, engine);
    assertThat(decided(sim, engine).rule()).isIn("FEW_HITS", "NO_SLOPE");
  }

  private static void writeMemoryGetsItsLeast(Simulation sim, Engine engine) {
    engine.configure("tuner.leastWriteBytes", "30MiB");
    await(
        sim,
        () -> {
          decided(sim, engine);
          return engine.statistics().memory().tuner().targetBytes() >= 30 << 20;
        });
  }

  private static void theCacheGetsItsLeast(Simulation sim, Engine engine) {
    engine.configure("tuner.leastCacheBytes", "49MiB");
    EngineStatistics.Memory memory = engine.statistics().memory();
    long most = memory.writeTargetBytes() + memory.cacheTargetBytes() - (49 << 20);
    for (int i = 0; i < 5; i++) {
      assertThat(decided(sim, engine).toBytes()).isLessThanOrEqualTo(most);
    }
    engine.configure("tuner.leastCacheBytes", "0");
    await(sim, () -> decided(sim, engine).toBytes() > most);
  }

  private static void writesCountMore(Simulation sim, Engine engine) {
    engine.configure("tuner.mode", "OBSERVE");
    decided(sim, engine);
    double before = decided(sim, engine).cost();
    engine.configure("tuner.writeWeight", "1000");
    decided(sim, engine);
    assertThat(decided(sim, engine).cost()).isGreaterThan(10 * before);
  }

  private static void readsCountMore(Simulation sim, Engine engine) {
    engine.configure("tuner.mode", "OBSERVE");
    decided(sim, engine);
    double before = decided(sim, engine).cost();
    engine.configure("tuner.readWeight", "1000");
    decided(sim, engine);
    assertThat(decided(sim, engine).cost()).isGreaterThan(10 * before);
  }

  private static void cyclesEndWithTheLog(Simulation sim, Engine engine) {
    write(engine.tree("t"), 3000);
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(tunerCycles(engine)).isZero();
    engine.configure("tuner.cycleBytes", "1MiB");
    await(sim, () -> tunerCycles(engine) == 1);
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(tunerCycles(engine)).isEqualTo(1);
  }

  private static void cyclesEndSooner(Simulation sim, Engine engine) {
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(tunerCycles(engine)).isZero();
    engine.configure("tuner.cycleSeconds", "5");
    sim.env().waiter().pause(MANY_NANOS);
    assertThat(tunerCycles(engine)).isBetween(9L, 13L);
  }
}
