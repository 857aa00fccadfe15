package org.loam.it.crash;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.engine.OpenOptions;

/** The lives of one database under one seed. */
final class CrashRun {
  /** Lives after the planned ones, for a fault that has not struck yet. */
  private static final int MAX_MORE_LIVES = 20;

  /** Failed forces are the most dangerous, and rare among all calls. */
  private static final List<IoKind> FAULTY_KINDS =
      List.of(
          IoKind.FORCE,
          IoKind.FORCE,
          IoKind.FORCE,
          IoKind.FORCE_DIRECTORY,
          IoKind.WRITE,
          IoKind.READ,
          IoKind.CREATE,
          IoKind.RENAME);

  /** A small database in its later lives makes few of these calls, and hardly any for its log. */
  private static final Set<IoKind> RARE_KINDS = EnumSet.of(IoKind.CREATE, IoKind.RENAME);

  private static final WriteScheme[] SCHEMES = WriteScheme.values();

  private final long seed;
  private final int lives;
  private final SplittableRandom random;

  /** Of its own, since it came later: other seeds stay what they were. */
  private final SplittableRandom looks;

  private final Durability durability;
  private final EngineConfig config;

  /** Named in another order at each open. */
  private final List<Path> directories = new ArrayList<>();

  private final Random directoryOrder = new Random();
  private final Simulation sim;
  private final SharedWorld world;
  private final @Nullable SharedOrders orders;
  private final CrashTotals totals = new CrashTotals();

  /** How the last life ended; null if it closed in order. */
  private @Nullable CrashKind lastKind;

  /** Whether a fault in the last life may have cost what was not forced, as power loss does. */
  private boolean lastFaulty;

  /** I/O calls of the last recovery that came to its end. */
  private long recoveryCalls = 60;

  /** Faults that had struck when the engine was last opened. */
  private long struckAtOpen;

  /**
   * @param datasets whether the clients have datasets, too
   */
  CrashRun(long seed, int lives, boolean datasets) {
    this.seed = seed;
    this.lives = lives;
    this.random = new SplittableRandom(seed);
    this.looks = new SplittableRandom(~seed);
    this.durability = random.nextBoolean() ? Durability.SYNC : Durability.PROCESS;
    // Some databases are large enough for several levels.
    boolean wide = random.nextInt(4) == 0;
    this.config = config(wide);
    this.sim = Simulation.seeded(seed);
    for (long i = seed % 3; i > 0; i--) {
      directories.add(Path.of("/disk" + i));
    }
    directoryOrder.setSeed(seed);
    int clients = 1 + random.nextInt(3);
    this.orders = datasets ? new SharedOrders() : null;
    this.world = new SharedWorld(sim, wide ? 750 / clients : 60, wide ? 900 : 300, orders);
    for (int i = 0; i < clients; i++) {
      world.add(new CrashClient(i, world));
    }
  }

  private EngineConfig config(boolean wide) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(durability)
        .writeScheme(SCHEMES[Math.floorMod(seed, SCHEMES.length)])
        .partialFlushRatio((seed & 1) == 0 ? 0 : 0.5)
        .writeInitialBytes(wide ? 256 << 10 : (256L << random.nextInt(2)) << 10)
        .logSegmentBytes((64L << random.nextInt(2)) << 10)
        .logMaxBytes((256L << random.nextInt(2)) << 10)
        .sstableBytes((64L << random.nextInt(2)) << 10)
        .levelRatio(wide ? 2 : 10)
        .ioForceBytes(64 << 10)
        .l0MinMerge(2 + random.nextInt(3))
        .l0ScanFreeRatio((seed & 4) == 0 ? 1 : 2)
        .l0Stop(6 + random.nextInt(4))
        .bulkLoads(3)
        .flushThreads(1)
        .mergeThreads(1 + random.nextInt(2))
        .tunerMode((seed & 2) == 0 ? TunerMode.ADAPTIVE : TunerMode.FROZEN)
        .tunerCycleSeconds(1)
        .build();
  }

  /** The n-th seed, from 0 on, whose database has a write scheme. */
  static long seedOf(WriteScheme scheme, long n) {
    return n * SCHEMES.length + scheme.ordinal();
  }

  /** Runs all lives; throws with the seed if anything was lost or wrong. */
  CrashTotals run() {
    try (sim) {
      try {
        for (int life = 0; life < lives - 1; life++) {
          live(true);
        }
        boolean pending = false;
        for (int more = 0; more == 0 || (pending && more < MAX_MORE_LIVES); more++) {
          // A fault that was pending has struck in this life at best: the next one must verify it.
          pending = isFaultPending();
          live(false);
          pending |= isFaultPending();
        }
      } catch (Throwable t) {
        throw new AssertionError(
            "seed " + seed + " (" + durability + "): " + t.getMessage() + "\n" + sim.trace(), t);
      }
      totals.faultsPlanned = sim.faults().planned();
      totals.faultsFired = sim.faults().fired();
    }
    totals.runs = 1;
    totals.operations = world.clients().stream().mapToLong(CrashClient::operations).sum();
    totals.loads = world.clients().stream().mapToLong(CrashClient::loads).sum();
    totals.excused = world.excused();
    if (orders != null) {
      totals.queries = orders.queries();
      totals.multiGets = orders.multiGets();
      totals.indexChanges = orders.indexChanges();
      totals.indexChangesCrashed = orders.doubts();
    }
    return totals;
  }

  /** Of all lives: equal if and only if the runs were. */
  long traceHash() {
    return sim.traceHash();
  }

  private boolean isFaultPending() {
    return sim.faults().planned() > sim.faults().fired();
  }

  private void live(boolean crashes) {
    recoverThroughCrashes();
    boolean unforcedMayBeLost =
        durability == Durability.PROCESS
            && (lastFaulty || isFaultPending() || lastKind == CrashKind.POWER_LOSS);
    List<Long> required = new ArrayList<>();
    for (CrashClient client : world.clients()) {
      required.add(unforcedMayBeLost ? client.forced() : client.visible());
    }
    CrashKind next = random.nextBoolean() ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
    boolean ended = sim.run(() -> work(required, !unforcedMayBeLost, crashes ? next : null));
    if (!ended) {
      totals.crashes++;
      lastKind = next;
    } else {
      sim.crash(CrashKind.PROCESS_DEATH);
      lastKind = null;
    }
    world.faulty(false);
    world.healDisk();
  }

  /** Opens the database a few times only to crash, or to find the disk failing, in recovery. */
  private void recoverThroughCrashes() {
    while (lastKind != null && random.nextInt(3) == 0) {
      CrashKind kind = random.nextBoolean() ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
      boolean failing = random.nextInt(4) == 0 && !isFaultPending();
      long at = recoveryPoint();
      world.faulty(failing || isFaultPending());
      boolean ended =
          sim.run(
              () -> {
                if (failing) {
                  plan(at);
                } else {
                  sim.crashAtCall(at, kind);
                }
                openAndClose();
              });
      lastFaulty |= failing;
      if (ended) {
        // It must not strike later.
        sim.crash(CrashKind.PROCESS_DEATH);
      } else {
        totals.crashes++;
        totals.crashesInRecovery++;
      }
      if (!ended && kind == CrashKind.POWER_LOSS) {
        lastKind = kind;
      }
    }
  }

  /** Any I/O call of a recovery, with a preference for its end, where it comes to count. */
  private long recoveryPoint() {
    long last = recoveryCalls + 2;
    return random.nextInt(3) == 0
        ? 1 + random.nextLong(last)
        : Math.max(1, last - random.nextLong(30));
  }

  private Engine open() {
    struckAtOpen = sim.faults().fired();
    Collections.shuffle(directories, directoryOrder);
    return Engine.open(
        sim.env(), sim.directory(), config, OpenOptions.DEFAULT.withDirectories(directories));
  }

  private void openAndClose() {
    long before = sim.counters().calls();
    try {
      Engine engine = open();
      recoveryCalls = sim.counters().calls() - before;
      engine.close();
    } catch (StorageException e) {
      world.excuse(e);
    }
  }

  /** Plans a fault for the n-th call, or for an early one of a kind. */
  private void plan(long nth) {
    FaultEffect[] effects = FaultEffect.values();
    FaultEffect effect = effects[random.nextInt(effects.length)];
    IoKind kind = FAULTY_KINDS.get(random.nextInt(FAULTY_KINDS.size()));
    boolean special = random.nextBoolean() && effect.appliesTo(kind);
    Fault fault = Fault.of(effect);
    if (special && RARE_KINDS.contains(kind)) {
      fault = fault.on(kind);
    } else if (special) {
      // All trees may live in additional directories, and then no table is in "/data/data".
      String place = random.nextBoolean() ? "/log" : random.nextBoolean() ? "/data/data|/disk" : "";
      Pattern pattern = Pattern.compile(place);
      fault = fault.on(kind).onPath(p -> pattern.matcher(p.toString()).find()).nth(1 + nth % 4);
    } else {
      fault = fault.nth(effect == FaultEffect.SHORT_WRITE ? 1 + nth / 4 : nth);
    }
    sim.faults().add(fault);
  }

  private void work(List<Long> required, boolean allAcknowledged, @Nullable CrashKind crash) {
    long before = sim.counters().calls();
    Engine opened = openAtLast();
    recoveryCalls = sim.counters().calls() - before;
    Engine engine = verified(opened, required, allAcknowledged);
    makeTrouble(crash);
    losePowerAfterALook(crash);
    long acknowledgedBefore = acknowledged();
    try {
      List<Task> tasks = new ArrayList<>();
      for (CrashClient client : world.clients()) {
        SplittableRandom own = random.split();
        int count = 100 + random.nextInt(500);
        tasks.add(sim.env().tasks().start("client", () -> client.work(engine, own, count)));
      }
      tasks.forEach(Task::join);
      note(engine.statistics());
      end(engine);
    } finally {
      totals.acknowledged += acknowledged() - acknowledgedBefore;
    }
  }

  private void end(Engine engine) {
    List<Task> readers = new ArrayList<>();
    try {
      if (orders != null) {
        verifyIndexes(engine, orders);
        for (CrashClient client : world.clients()) {
          SplittableRandom own = random.split();
          readers.add(sim.env().tasks().start("reader", () -> client.readToTheEnd(own)));
        }
      }
      engine.close();
    } catch (StorageException e) {
      world.excuse(e);
    }
    readers.forEach(Task::join);
  }

  /**
   * A force of the log that is on its way when the engine is fenced still publishes what it makes
   * durable. So the records may be of the moment before, and an index of the one after; once.
   */
  private static void verifyIndexes(Engine engine, SharedOrders orders) {
    try {
      orders.verifyIndexes();
    } catch (AssertionError e) {
      if (!isFenced(engine)) {
        throw e;
      }
      orders.verifyIndexes();
    }
  }

  private static boolean isFenced(Engine engine) {
    try {
      engine.flush();
      return false;
    } catch (FencedException e) {
      return true;
    }
  }

  private long acknowledged() {
    return world.clients().stream().mapToLong(CrashClient::acknowledged).sum();
  }

  /** A fault that was planned for an earlier life may strike while opening; only once. */
  private Engine openAtLast() {
    world.faulty(isFaultPending());
    try {
      return open();
    } catch (StorageException e) {
      world.excuse(e);
      return open();
    }
  }

  /**
   * Verifies what a reopened engine has. A fault that was planned for an earlier life may strike
   * meanwhile; only once, so the next opening has no excuse, and all is verified again.
   */
  private Engine verified(Engine opened, List<Long> required, boolean allAcknowledged) {
    try {
      world.verify(opened, required, allAcknowledged);
      return opened;
    } catch (StorageException e) {
      world.faulty(hasStruckSinceOpen());
      world.excuse(e);
      closeAfterFault(opened);
    }
    Engine again = open();
    world.verify(again, required, allAcknowledged);
    return again;
  }

  private void closeAfterFault(Engine engine) {
    try {
      engine.close();
    } catch (StorageException e) {
      world.excuse(e);
    }
  }

  private boolean hasStruckSinceOpen() {
    return sim.faults().fired() > struckAtOpen;
  }

  /** What a client has seen must stay, so the worst moment for a crash is right after it. */
  private void losePowerAfterALook(@Nullable CrashKind crash) {
    world.afterLooks(0, () -> {});
    if (crash == CrashKind.POWER_LOSS && durability == Durability.SYNC && looks.nextInt(3) == 0) {
      world.afterLooks(1 + looks.nextInt(4), () -> sim.crashAtStep(1, crash));
    }
  }

  private void makeTrouble(@Nullable CrashKind crash) {
    if (crash != null) {
      if (random.nextBoolean()) {
        sim.crashAtCall(1 + random.nextInt(400), crash);
      } else {
        sim.crashAtStep(1 + random.nextInt(6000), crash);
      }
      int dice = random.nextInt(8);
      if (dice < 2 && !isFaultPending()) {
        plan(1 + random.nextInt(30));
      } else if (dice == 2) {
        world.fillDisk(random.nextInt(512 << 10));
        world.faulty(true);
        totals.fullDisks++;
      }
    }
    lastFaulty = isFaultPending() || hasStruckSinceOpen();
    if (lastFaulty) {
      world.faulty(true);
    }
  }

  private void note(EngineStatistics statistics) {
    totals.flushes += statistics.work().flushes();
    totals.merges += statistics.work().merges();
    if (statistics.memory().tuner().targetBytes() != config.write().initialBytes()) {
      totals.livesWithMove++;
    }
  }
}
