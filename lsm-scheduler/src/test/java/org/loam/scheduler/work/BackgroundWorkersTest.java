package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;
import org.loam.scheduler.merge.RunMode;

class BackgroundWorkersTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  private static final BackgroundWorkers.Settings ONE_OF_EACH =
      settings(BackgroundWorkers.Settings.NEVER);

  private static final PartitionedLeveling MERGE_TWO =
      new PartitionedLeveling(
          new PartitionedLeveling.Settings(3, 2, 2, 1.5, Selection.CHOOSE_BEST, true, true));

  private static final ComponentConstraint STOP = ComponentConstraint.l0Stop(3);

  private static BackgroundWorkers.Settings settings(long quietNanos) {
    return new BackgroundWorkers.Settings(1, 1, 4, 10, MILLISECOND, 100 * MILLISECOND, quietNanos);
  }

  private Simulation sim;
  private StorageEnv env;
  private FakeEngine engine;
  private RateLimiter limiter;

  @BeforeEach
  void open() {
    sim = Simulation.seeded(1);
    env = sim.env();
    engine = new FakeEngine(env, 1);
    engine.stepNanos = MILLISECOND;
    limiter = new RateLimiter(env, 0);
  }

  @AfterEach
  void close() {
    if (engine.workers != null) {
      engine.workers.close();
    }
    assertThat(engine.done + engine.aborted).isEqualTo(engine.begun);
    assertThat(engine.doneTold).isEqualTo(engine.done);
    sim.close();
  }

  private static List<Integer> keys(int from, int count) {
    return IntStream.range(from, from + count).boxed().toList();
  }

  private FakeEngine.Tree treeWithMergeDue(int entries) {
    FakeEngine.Tree tree = engine.newTree(MERGE_TWO, STOP, 10_000);
    tree.flushNow(keys(0, entries));
    tree.flushNow(keys(0, entries));
    return tree;
  }

  /** The level above the last is over its target of a third of the last one. */
  private FakeEngine.Tree treeWithLevelMergeDue() {
    FakeEngine.Tree tree = engine.newTree(MERGE_TWO, STOP, 120);
    tree.flushNow(keys(0, 1000));
    move(tree, Level.L0, Level.LAST);
    tree.flushNow(keys(0, 500));
    move(tree, Level.L0, Level.LAST - 1);
    return tree;
  }

  @Test
  void openMergesAdvanceInTurns() {
    for (int i = 0; i < 3; i++) {
      treeWithMergeDue(1000);
    }
    List<Integer> turns = new ArrayList<>();
    engine.hook = (operation, quantumBytes) -> turns.add(operation.tree.id);
    engine.start(limiter, ONE_OF_EACH);
    env.waiter().pause(150 * MILLISECOND);
    List<Integer> allOpen = turns.subList(turns.indexOf(2), turns.size());
    assertThat(allOpen).hasSizeGreaterThan(60);
    for (int i = 3; i < allOpen.size(); i++) {
      assertThat(allOpen.get(i)).as("turn " + i).isEqualTo(allOpen.get(i - 3));
    }
  }

  @Test
  void aPausedMergeDoesNotCatchUp() {
    treeWithMergeDue(1000);
    treeWithMergeDue(1000);
    int[] turns = new int[2];
    engine.hook = (operation, quantumBytes) -> turns[operation.tree.id]++;
    MergeScheduler onlyFirst = (merges, shares) -> shares[0] = 1;
    BackgroundWorkers workers = engine.start(onlyFirst, limiter, ONE_OF_EACH);
    env.waiter().pause(100 * MILLISECOND);
    assertThat(turns[1]).isZero();
    int before = turns[0];
    assertThat(before).isGreaterThan(40);
    workers.setMergeScheduler(new FairScheduler());
    env.waiter().pause(50 * MILLISECOND);
    assertThat(turns[1] - (turns[0] - before)).isBetween(-1, 1);
  }

  @Test
  void aLimitedNumberOfMergesIsOpen() {
    for (int i = 0; i < 7; i++) {
      treeWithMergeDue(100);
    }
    engine.start((merges, shares) -> {}, limiter, ONE_OF_EACH);
    env.waiter().pause(100 * MILLISECOND);
    assertThat(engine.begun).isEqualTo(4);
    assertThat(engine.done).isZero();
  }

  /** Four open merges of levels, and two more because they are out of L0; a seventh waits. */
  @Test
  void mergesOfLevelsDoNotKeepOneOutOfL0Waiting() {
    for (int i = 0; i < 6; i++) {
      treeWithLevelMergeDue();
    }
    BackgroundWorkers workers = engine.start((merges, shares) -> {}, limiter, ONE_OF_EACH);
    env.waiter().pause(100 * MILLISECOND);
    assertThat(engine.begun).isEqualTo(4);
    treeWithMergeDue(100);
    treeWithMergeDue(100);
    treeWithMergeDue(100);
    workers.signal();
    env.waiter().pause(100 * MILLISECOND);
    assertThat(engine.begun).isEqualTo(6);
    assertThat(engine.done).isZero();
  }

  /** Four open merges of other trees, and a fifth because its tree nearly stops its writers. */
  @Test
  void mergesThatRelieveNothingDoNotKeepAnUrgentOneWaiting() {
    for (int i = 0; i < 4; i++) {
      FakeEngine.Tree calm = engine.newTree(MERGE_TWO, ComponentConstraint.l0Stop(100), 10_000);
      calm.flushNow(keys(0, 100));
      calm.flushNow(keys(0, 100));
    }
    BackgroundWorkers workers = engine.start(new GreedyScheduler(1), limiter, ONE_OF_EACH);
    env.waiter().pause(MILLISECOND);
    assertThat(engine.begun).isEqualTo(4);
    FakeEngine.Tree near = engine.newTree(MERGE_TWO, ComponentConstraint.l0Stop(4), 10_000);
    near.flushNow(keys(0, 100));
    near.flushNow(keys(0, 100));
    near.flushNow(keys(0, 100));
    workers.signal();
    env.waiter().pause(100 * MILLISECOND);
    assertThat(engine.done).as("first of all").isEqualTo(1);
    assertThat(near.shape().l0()).isEmpty();
  }

  /** Trees whose L0 is due at all times leave a slot to the tree whose levels are worse off. */
  @Test
  void mergesOutOfL0DoNotKeepTheLevelsWaiting() {
    List<FakeEngine.Tree> busy = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      FakeEngine.Tree tree = engine.newTree(MERGE_TWO, ComponentConstraint.l0Stop(10), 10_000);
      tree.flushNow(keys(0, 100));
      tree.flushNow(keys(0, 100));
      busy.add(tree);
    }
    engine.hook =
        (operation, quantumBytes) -> {
          FakeEngine.Tree tree = operation.tree;
          if (busy.contains(tree) && tree.shape().l0Depth() < 4) {
            tree.flushNow(keys(0, 10)); // two more by the time that these two are merged
          }
        };
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    env.waiter().pause(20 * MILLISECOND);
    FakeEngine.Tree behind = treeWithLevelMergeDue();
    workers.signal();
    env.waiter().pause(10 * SECOND);
    assertThat(behind.shape().level(Level.LAST - 1)).isEmpty();
    assertThat(busy).anyMatch(tree -> !tree.shape().l0().isEmpty());
  }

  /** A scheduler that pauses everything cannot pause what stopped writers wait for. */
  @Test
  void aMergeThatStoppedWritersWaitForIsNeverPaused() {
    FakeEngine.Tree tree = treeWithMergeDue(100);
    BackgroundWorkers workers = engine.start((merges, shares) -> {}, limiter, ONE_OF_EACH);
    env.waiter().pause(100 * MILLISECOND);
    assertThat(engine.begun).isEqualTo(1);
    assertThat(engine.done).isZero();
    tree.flushNow(keys(0, 100)); // the third group: writes stop
    assertThat(tree.gate.violation()).isEqualTo(StallCause.L0_STOP);
    workers.signal();
    env.waiter().pause(100 * MILLISECOND);
    assertThat(engine.done).isEqualTo(1);
    assertThat(tree.gate.violation()).isNull();
  }

  /** The merge into the last level is paused, until it stands in the way of the urgent one. */
  @Test
  void whatBlocksAnUrgentMergeBecomesAsUrgent() {
    FakeEngine.Tree tree = treeWithLevelMergeDue();
    List<IoClass> classes = new ArrayList<>();
    MergeScheduler pauseAll =
        (merges, shares) -> merges.forEach(merge -> classes.add(merge.ioClass()));
    BackgroundWorkers workers = engine.start(pauseAll, limiter, ONE_OF_EACH);
    env.waiter().pause(10 * MILLISECOND);
    assertThat(engine.begun).isEqualTo(1);
    assertThat(classes).isNotEmpty().containsOnly(IoClass.MERGE);

    tree.flushNow(keys(0, 100));
    tree.flushNow(keys(0, 100));
    workers.signal();
    env.waiter().pause(10 * MILLISECOND);
    assertThat(classes).as("two groups make a merge").endsWith(IoClass.L0);
    assertThat(engine.done).isZero();

    tree.flushNow(keys(0, 100));
    workers.signal();
    env.waiter().pause(10 * MILLISECOND);
    assertThat(classes).as("three groups stop the writers").contains(IoClass.FLUSH);
    env.waiter().pause(SECOND);
    assertThat(tree.gate.violation()).isNull();
    assertThat(engine.done).isEqualTo(2);
  }

  private static void move(FakeEngine.Tree tree, int from, int to) {
    MergePlan plan = MergePlan.of(tree.id, tree.shape().l0().get(0), from, to, 1);
    tree.model.finish(tree.model.start(plan, tree.shape()));
  }

  @Test
  void aFullDiskRestsAllMergesLongerAndLonger() {
    for (int i = 0; i < 10; i++) {
      treeWithMergeDue(100);
    }
    List<Long> attempts = new ArrayList<>();
    engine.hook =
        (operation, quantumBytes) -> {
          attempts.add(env.clock().nanoTime());
          throw new DiskFullException("full", 1, 0);
        };
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    env.waiter().pause(10 * SECOND);
    // The five that were open, then one at a time: after 1, 2, 4, ... 64 ms, then every 100 ms.
    assertThat(attempts).hasSizeBetween(5 + 7 + 95, 5 + 7 + 100);
    assertThat(engine.faults).hasSameSizeAs(attempts);
    assertThat(engine.faults.get(0).retryNanos()).isEqualTo(MILLISECOND);
    assertThat(engine.faults.get(engine.faults.size() - 1).retryNanos())
        .isEqualTo(100 * MILLISECOND);

    engine.hook = (operation, quantumBytes) -> {};
    workers.retryNow();
    workers.awaitIdle();
    assertThat(engine.done).isEqualTo(10);
  }

  @Test
  void aFailedFlushIsTriedAgainAfterARest() {
    FakeEngine.Tree tree = engine.newTree(MERGE_TWO, STOP, 10);
    int[] attempts = new int[1];
    engine.hook =
        (operation, quantumBytes) -> {
          if (attempts[0]++ < 3) {
            throw new DiskFullException("full", 1, 0);
          }
        };
    engine.start(limiter, ONE_OF_EACH);
    for (int key = 0; key < 11; key++) {
      tree.put(key);
    }
    long start = env.clock().nanoTime();
    while (engine.done == 0) {
      env.waiter().pause(MILLISECOND);
    }
    assertThat(env.clock().nanoTime() - start).isBetween(7 * MILLISECOND, 12 * MILLISECOND);
    assertThat(engine.faults)
        .extracting(FakeEngine.Fault::retryNanos)
        .containsExactly(MILLISECOND, 2 * MILLISECOND, 4 * MILLISECOND);
  }

  /** A device is gone, say, and the rests of its tree are as long as they get. */
  @Test
  void aTreeThatCannotBeFlushedKeepsNoOtherTreeFromItsFlush() {
    ComponentConstraint late = ComponentConstraint.l0Stop(100);
    FakeEngine.Tree bad = engine.newTree(MERGE_TWO, late, 10);
    FakeEngine.Tree good = engine.newTree(MERGE_TWO, late, 10);
    engine.hook =
        (operation, quantumBytes) -> {
          if (operation.tree == bad) {
            throw new StorageIoException("the device is gone");
          }
        };
    engine.start(limiter, ONE_OF_EACH);
    for (int key = 0; bad.pending.isEmpty(); key++) {
      bad.put(key);
    }
    env.waiter().pause(10 * SECOND);
    int failed = engine.faults.size();
    for (int key = 0; key <= 100; key++) {
      good.put(key);
      env.waiter().pause(MILLISECOND);
      // A flush of ten takes a step, perhaps with a force.
      assertThat(good.pending).hasSizeLessThan(2);
    }
    env.waiter().pause(10 * MILLISECOND);
    assertThat(engine.events).filteredOn("done flush of tree 1"::equals).hasSize(10);
    assertThat(engine.faults).as("attempts in 110 ms").hasSizeBetween(failed + 1, failed + 2);
    env.waiter().pause(SECOND);
    assertThat(engine.faults).as("attempts in a second").hasSizeBetween(failed + 9, failed + 13);
    engine.hook = (operation, quantumBytes) -> {};
    env.waiter().pause(100 * MILLISECOND);
    assertThat(bad.pending).isEmpty();
  }

  /** No worker is woken for it. */
  @Test
  void aRestThatEndsWhileAWorkerLooksIsNoticed() {
    FakeEngine.Tree tree = engine.newTree(MERGE_TWO, STOP, 10);
    int[] attempts = new int[1];
    engine.hook =
        (operation, quantumBytes) -> {
          if (attempts[0]++ == 0) {
            throw new StorageIoException("refused once");
          }
        };
    engine.onTakeFlush = () -> env.waiter().pause(2 * MILLISECOND);
    engine.start(limiter, ONE_OF_EACH);
    for (int key = 0; key < 11; key++) {
      tree.put(key);
    }
    env.waiter().pause(SECOND);
    assertThat(engine.faults).singleElement().matches(fault -> fault.retryNanos() == MILLISECOND);
    assertThat(tree.pending).isEmpty();
  }

  /** Nothing is written meanwhile, and no worker is woken. */
  @Test
  void scansCallForAMergeOfAnL0ThatIsNotDueWithoutThem() {
    PartitionedLeveling twoToFour =
        new PartitionedLeveling(
            new PartitionedLeveling.Settings(3, 2, 4, 1.5, Selection.CHOOSE_BEST, true, true));
    FakeEngine.Tree tree = engine.newTree(twoToFour, ComponentConstraint.l0Stop(6), 10_000);
    for (int i = 0; i < 3; i++) {
      tree.flushNow(keys(0, 100));
    }
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    workers.awaitIdle();
    env.waiter().pause(10 * SECOND);
    assertThat(engine.begun).isZero();
    tree.model.scanned(0);
    env.waiter().pause(2 * SECOND);
    assertThat(engine.done).isEqualTo(1);
    assertThat(tree.shape().l0Depth()).isZero();
  }

  private FakeEngine.Tree treeAtItsStop() {
    FakeEngine.Tree tree = engine.newTree(MERGE_TWO, STOP, 10_000);
    stop(tree);
    return tree;
  }

  private static void stop(FakeEngine.Tree tree) {
    for (int i = 0; i < 3; i++) {
      tree.flushNow(keys(0, 100));
    }
    assertThat(tree.gate.violation()).isNotNull();
  }

  /** The first of them is as urgent as the others, and its merges fail for good. */
  @Test
  void aTreeThatCannotBeReadKeepsNoOtherTreeFromItsMerges() {
    FakeEngine.Tree bad = treeAtItsStop();
    List<FakeEngine.Tree> others = List.of(treeWithMergeDue(100), treeWithMergeDue(100));
    engine.hook =
        (operation, quantumBytes) -> {
          if (operation.tree == bad) {
            throw new StorageIoException("a sector cannot be read");
          }
        };
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    env.waiter().pause(SECOND);
    for (int round = 0; round < 3; round++) {
      others.forEach(BackgroundWorkersTest::stop);
      workers.signal();
      env.waiter().pause(SECOND);
      for (FakeEngine.Tree tree : others) {
        assertThat(tree.gate.violation()).as("tree %d, round %d", tree.id, round).isNull();
      }
    }
    assertThat(bad.gate.violation()).isNotNull();
    assertThat(engine.faults).hasSizeGreaterThan(30);
  }

  /** Of trees that all fail, none is tried for ever before the others. */
  @Test
  void treesThatFailAreTriedInTurn() {
    for (int i = 0; i < 3; i++) {
      treeAtItsStop();
    }
    List<Integer> failed = new ArrayList<>();
    engine.hook =
        (operation, quantumBytes) -> {
          failed.add(operation.tree.id);
          throw new StorageIoException("the device is gone");
        };
    engine.start(limiter, ONE_OF_EACH);
    env.waiter().pause(10 * SECOND);
    for (int id = 0; id < 3; id++) {
      assertThat(Collections.frequency(failed, id)).as("tree %d", id).isGreaterThan(25);
    }
  }

  @Test
  void workersThatStartedEndAlthoughAnotherOneCannotBeStarted() {
    treeWithMergeDue(1000);
    List<String> started = new ArrayList<>();
    TaskRunner tasks =
        (name, body) -> {
          if (started.size() == 2) {
            throw new OutOfMemoryError("no thread is left");
          }
          started.add(name);
          return env.tasks().start(name, body);
        };
    StorageEnv few = new StorageEnv(env.files(), env.clock(), env.waiter(), tasks, env.random());
    BackgroundWorkers workers =
        new BackgroundWorkers(
            few,
            engine,
            new FairScheduler(),
            limiter,
            engine,
            new BackgroundWorkers.Settings(
                1, 2, 4, 10, MILLISECOND, 100 * MILLISECOND, BackgroundWorkers.Settings.NEVER));
    assertThatThrownBy(workers::start).isInstanceOf(OutOfMemoryError.class);
    env.waiter().pause(10 * MILLISECOND);
    int begun = engine.begun;
    assertThat(begun).isPositive();
    List<String> beside = new ArrayList<>();
    engine.hook = (operation, quantumBytes) -> beside.add("a step while it is aborted");
    workers.close();
    int aborted = engine.aborted;
    assertThat(aborted + engine.done).isEqualTo(begun);
    beside.clear();
    env.waiter().pause(SECOND);
    assertThat(beside).isEmpty();
  }

  /** A merge that writers waited for is one of many when they wait no more. */
  @Test
  void theClassOfAMergeGoesBackToItsOwn() {
    FakeEngine.Tree tree = treeAtItsStop();
    OpenMerges open = new OpenMerges(new FairScheduler());
    MergePlanner.Candidate urgent =
        new MergePlanner().survey(List.of(tree), List.of(), RunMode.RUNNING).candidates().get(0);
    assertThat(urgent.ioClass()).isEqualTo(IoClass.FLUSH);
    BackgroundOperation merge = tree.open(urgent.plan());
    RateLimiter.Claim claim = limiter.newClaim(urgent.ioClass());
    open.add(new OpenMerges.Slot(urgent, merge, claim));
    open.setUrgencies(List.of());
    assertThat(claim.ioClass()).isEqualTo(IoClass.L0);
    merge.abort();
  }

  @Test
  void corruptionRestsItsComponentsAndNothingElse() {
    engine.stepNanos = 1_000;
    FakeEngine.Tree bad = treeWithMergeDue(100);
    for (int i = 0; i < 5; i++) {
      treeWithMergeDue(100);
    }
    engine.hook =
        (operation, quantumBytes) -> {
          if (operation.tree == bad) {
            throw new CorruptionException("bad page");
          }
        };
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    workers.awaitIdle();
    assertThat(engine.done).as("all others").isEqualTo(5);
    assertThat(engine.faults).hasSize(1);
    assertThat(engine.faults.get(0).retryNanos()).isEqualTo(100 * MILLISECOND);

    env.waiter().pause(10 * SECOND);
    // After 100, 200, 400, ... 6400 ms.
    assertThat(engine.faults).hasSize(7);
    bad.flushNow(keys(0, 100));
    workers.signal();
    env.waiter().pause(10 * MILLISECOND);
    assertThat(engine.faults).as("another plan, the same bad input").hasSize(7);

    engine.hook = (operation, quantumBytes) -> {};
    workers.retryNow();
    workers.awaitIdle();
    assertThat(engine.done).isEqualTo(6);
    assertThat(bad.gate.violation()).isNull();
  }

  @Test
  void aBrokenInvariantStopsTheWorkers() {
    treeWithMergeDue(100);
    treeWithMergeDue(100);
    AssertionError broken = new AssertionError("levels overlap");
    engine.hook =
        (operation, quantumBytes) -> {
          if (operation.tree.id == 1) {
            throw broken;
          }
        };
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    env.waiter().pause(SECOND);
    assertThat(engine.broken).containsExactly(broken);
    assertThat(engine.done).isZero();
    workers.awaitIdle(); // does not hang
    workers.close();
    assertThat(engine.aborted).isEqualTo(2);
    assertThat(engine.faults).isEmpty();
  }

  @Test
  void afterAFenceNothingIsTried() {
    treeWithMergeDue(100);
    engine.hook =
        (operation, quantumBytes) -> {
          throw new FencedException("fenced");
        };
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    env.waiter().pause(SECOND);
    assertThat(engine.faults).hasSize(1);
    workers.retryNow();
    env.waiter().pause(SECOND);
    assertThat(engine.begun).isEqualTo(1);
    assertThat(engine.broken).isEmpty();
  }

  @Test
  void closeAbortsWhatRunsEvenIfTheLimiterHasNothingToGive() {
    treeWithMergeDue(20_000);
    FakeEngine.Tree flushed = engine.newTree(MERGE_TWO, STOP, 1000);
    limiter.setBytesPerSecond(10);
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    for (int key = 0; key < 1001; key++) {
      flushed.put(key);
    }
    env.waiter().pause(10 * SECOND);
    long start = env.clock().nanoTime();
    workers.close();
    assertThat(env.clock().nanoTime() - start).isLessThan(10 * MILLISECOND);
    assertThat(engine.aborted).isEqualTo(2);
    assertThat(engine.done).isZero();
    assertThat(limiter.bytesPerSecond()).isZero();
  }

  /** It may wait for long before it writes, and writers are slowed down meanwhile. */
  @Test
  void aFlushIsToldOfBeforeItsFirstStep() {
    FakeEngine.Tree tree = engine.newTree(MERGE_TWO, STOP, 100);
    List<Integer> told = new ArrayList<>();
    engine.hook = (operation, quantumBytes) -> told.add(engine.flushTold);
    engine.start(limiter, ONE_OF_EACH);
    for (int key : keys(0, 101)) {
      tree.put(key);
    }
    env.waiter().pause(SECOND);
    assertThat(told.get(0)).isEqualTo(1);
  }

  @Test
  void flushesAreServedBeforeMergesByTheLimiter() {
    engine.stepNanos = 1_000;
    treeWithMergeDue(20_000);
    FakeEngine.Tree flushed = engine.newTree(MERGE_TWO, ComponentConstraint.l0Stop(99), 1000);
    limiter.setBytesPerSecond(10_000);
    engine.start(limiter, ONE_OF_EACH);
    long start = env.clock().nanoTime();
    for (int key = 0; key < 2001; key++) {
      flushed.put(key);
    }
    while (engine.done < 2) {
      env.waiter().pause(MILLISECOND);
    }
    // 2000 entries at the full rate, although the merge wants all of it too.
    assertThat((env.clock().nanoTime() - start) / (double) SECOND).isBetween(0.19, 0.23);
  }

  @Test
  void mergesPauseWhileAFlushIsLate() {
    treeWithMergeDue(20_000);
    assertThat(mergeStepsBesideALateFlush()).as("those that had begun").isLessThanOrEqualTo(1);
    env.waiter().pause(100 * SECOND);
    assertThat(engine.done).isEqualTo(2);
  }

  @Test
  void aMergeOfATreeThatNearlyStopsItsWritersGoesOnBesideALateFlush() {
    FakeEngine.Tree near = engine.newTree(MERGE_TWO, ComponentConstraint.l0Stop(4), 10_000);
    for (int group = 0; group < 3; group++) {
      near.flushNow(keys(0, 20_000));
    }
    assertThat(mergeStepsBesideALateFlush()).isGreaterThan(50);
  }

  /** How many steps of a merge there are between the first and the last step of a flush. */
  private int mergeStepsBesideALateFlush() {
    engine.stepNanos = MILLISECOND;
    FakeEngine.Tree flushed = engine.newTree(MERGE_TWO, ComponentConstraint.l0Stop(99), 1000);
    int[] steps = {0, 0};
    engine.hook =
        (operation, quantumBytes) -> {
          if (operation.ioClass() == IoClass.FLUSH) {
            steps[0]++;
          } else if (steps[0] > 0 && steps[0] < 100) {
            steps[1]++;
          }
        };
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    workers.setFlushLate(true);
    env.waiter().pause(100 * MILLISECOND);
    assertThat(engine.begun).as("there is no flush, so a merge has begun").isEqualTo(1);
    for (int key = 0; key < 1001; key++) {
      flushed.put(key);
    }
    env.waiter().pause(SECOND);
    assertThat(steps[0]).isEqualTo(100);
    return steps[1];
  }

  /** An engine at rest does nothing: no timer ticks, no look at the trees. */
  @Test
  void idleWorkersWaitForASignal() {
    FakeEngine.Tree tree = engine.newTree(MERGE_TWO, STOP, 10);
    BackgroundWorkers workers = engine.start(limiter, ONE_OF_EACH);
    workers.awaitIdle();
    sim.settle();
    long before = sim.counters().steps();
    env.waiter().pause(3600 * SECOND);
    assertThat(sim.counters().steps() - before).as("the pause itself").isEqualTo(1);
    tree.flushNow(keys(0, 10));
    tree.flushNow(keys(0, 10));
    env.waiter().pause(SECOND);
    assertThat(engine.begun).as("not signalled").isZero();
    workers.signal();
    workers.awaitIdle();
    assertThat(engine.done).isEqualTo(1);
  }

  /** Once a second; then they rest. */
  @Test
  void idleWorkersLookAtFilesUntilAllAreDeleted() {
    int[] looks = new int[1];
    boolean[] areLeft = {true};
    engine.unusedFiles =
        () -> {
          looks[0]++;
          return areLeft[0];
        };
    engine.start(limiter, ONE_OF_EACH);
    env.waiter().pause(10 * SECOND + MILLISECOND);
    assertThat(looks[0]).isEqualTo(11);
    areLeft[0] = false;
    env.waiter().pause(SECOND);
    assertThat(looks[0]).isEqualTo(12);
    sim.settle();
    long before = sim.counters().steps();
    env.waiter().pause(3600 * SECOND);
    assertThat(sim.counters().steps() - before).as("the pause itself").isEqualTo(1);
  }

  /** Ten entries in L0 and thirty below: not due, but worth it while no write comes. */
  private FakeEngine.Tree treeToTidy() {
    FakeEngine.Tree tree = engine.newTree(MERGE_TWO, STOP, 10_000);
    tree.flushNow(keys(0, 30));
    move(tree, Level.L0, Level.LAST);
    tree.flushNow(keys(0, 10));
    return tree;
  }

  @Test
  void l0IsMergedOnceNoWriteComes() {
    FakeEngine.Tree tree = treeToTidy();
    FakeEngine.Tree other = treeToTidy();
    FakeEngine.Tree written = engine.newTree(MERGE_TWO, STOP, 10_000);
    engine.start(limiter, settings(100 * MILLISECOND));
    for (int key = 0; key < 100; key++) {
      written.put(key);
      env.waiter().pause(50 * MILLISECOND);
    }
    assertThat(engine.begun).isZero();
    env.waiter().pause(SECOND);
    assertThat(engine.done).isEqualTo(2);
    assertThat(tree.shape().l0()).isEmpty();
    assertThat(other.shape().l0()).isEmpty();
  }

  /** One at a time, so that merges that become due find the slots free. */
  @Test
  void mergesOfQuietTimesRunOneByOne() {
    for (int i = 0; i < 3; i++) {
      treeToTidy();
    }
    BackgroundWorkers workers =
        engine.start((merges, shares) -> {}, limiter, settings(100 * MILLISECOND));
    env.waiter().pause(SECOND);
    assertThat(engine.begun).isEqualTo(1);
    treeWithMergeDue(100);
    workers.signal();
    env.waiter().pause(SECOND);
    assertThat(engine.begun).isEqualTo(2);
  }

  /** An engine at rest looks once more when it has been quiet, then waits for a signal. */
  @Test
  void quietWorkersWaitForASignal() {
    treeToTidy();
    engine.start(limiter, settings(100 * MILLISECOND));
    env.waiter().pause(SECOND);
    sim.settle();
    long before = sim.counters().steps();
    env.waiter().pause(3600 * SECOND);
    assertThat(sim.counters().steps() - before).as("the pause itself").isEqualTo(1);
  }

  @Test
  void settingsAreChecked() {
    assertThatThrownBy(() -> new BackgroundWorkers.Settings(1, 3, 2, 1, 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("openMerges is 2, must be at least mergeWorkers");
    assertThat(Arrays.stream(IoClass.values()).sorted())
        .containsExactly(IoClass.FLUSH, IoClass.L0, IoClass.MERGE);
  }
}
