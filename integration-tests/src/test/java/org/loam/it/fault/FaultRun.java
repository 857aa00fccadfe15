package org.loam.it.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.Monitor;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.IoCall;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.engine.ScanOptions;
import org.loam.engine.Snapshot;
import org.loam.engine.WriteOptions;
import org.loam.it.fault.Script.Step;
import org.loam.it.model.Ledger;

/** The script once, with one strike. */
final class FaultRun {
  /** Far more than anything takes that is not stuck. */
  private static final int MAX_ATTEMPTS = 60;

  private static final long PAUSE_NANOS = 200_000_000;
  private static final long DYING_PAUSE_NANOS = 50_000;
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofSeconds(3));

  private final Simulation sim;
  private final Strike strike;
  private final long nth;
  private final EngineConfig config;
  private final StruckCalls calls;
  private final List<Step> steps;
  private final Ledger ledger;
  private final Facts facts = new Facts();

  private int position;
  private boolean treesCreated;
  private boolean writeFound;
  private boolean closedCleanly;
  private @Nullable CrashKind lastCrash;

  /** The crash that is about to happen, if it is not the strike. */
  private @Nullable CrashKind dyingOf;

  private boolean crashPending;
  private @Nullable Engine engine;
  private @Nullable Snapshot snapshot;
  private TreeMap<String, byte[]> snapshotContent = new TreeMap<>();

  /**
   * What a life finds.
   *
   * @param number of the life in the script
   * @param disk not to be used itself, only copies of it
   */
  record Beginning(int number, SimDisk disk, Ledger ledger, boolean closedCleanly) {}

  /** What a run was made of. */
  static final class Facts {
    long flushes;
    long merges;
    int levels;
    int segments;
    int orphans;
    boolean struck;
    @Nullable IoKind struckKind;
    int refusals;
    int fences;
  }

  /**
   * @param sim over a copy of the beginning's disk
   * @param nth the call that is struck, from 1; 0 for none
   */
  FaultRun(Simulation sim, Beginning beginning, EngineConfig config, Strike strike, long nth) {
    this.sim = sim;
    this.config = config;
    this.strike = strike;
    this.nth = nth;
    this.calls = new StruckCalls(sim, strike, nth);
    this.crashPending = strike.crashesAtCall() && nth > 0;
    this.ledger = beginning.ledger().copy();
    this.treesCreated = beginning.number() > 0;
    this.closedCleanly = beginning.closedCleanly();
    this.steps = new ArrayList<>(Script.lives().get(beginning.number()));
    if (nth > 0) {
      steps.addAll(Script.afterwards());
    }
  }

  static EngineConfig config(Durability durability, WriteScheme scheme) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(durability)
        .writeScheme(scheme)
        .writeInitialBytes(256 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(256 << 10)
        .sstableBytes(64 << 10)
        .ioForceBytes(64 << 10)
        .l0MinMerge(2)
        .l0ScanFreeRatio(1)
        .flushThreads(1)
        .mergeThreads(1)
        .build();
  }

  /** Plays the script to its end, whatever happens on the way. */
  Facts run() {
    calls.plan();
    while (position < steps.size()) {
      if (!sim.run(this::play)) {
        CrashKind crash = dyingOf == null ? strike.crash : dyingOf;
        // Until it has been opened, the database has suffered the worst of its crashes.
        lastCrash = lastCrash == CrashKind.POWER_LOSS ? lastCrash : crash;
        dyingOf = null;
        engine = null;
        snapshot = null;
        closedCleanly = false;
        calls.processEnded();
      }
    }
    facts.struck |= calls.struck() != null;
    IoCall struck = calls.struck();
    facts.struckKind = struck == null ? null : struck.kind();
    return facts;
  }

  /** What the next life finds, after {@link #run} of a run without a strike. */
  Beginning next(int number) {
    sim.close();
    return new Beginning(number, sim.disk().copy(), ledger.copy(), closedCleanly);
  }

  private void play() {
    if (crashPending && sim.counters().calls() < nth) {
      sim.crashAtCall(nth - sim.counters().calls(), strike.crash);
    } else if (crashPending) {
      crashPending = false;
      facts.struck = true;
    }
    while (position < steps.size()) {
      Step step = steps.get(position);
      if (step.kind() == Script.Kind.DIE) {
        die();
      }
      perform(step);
      position++;
      String repeated = calls.repeatedForce();
      require(repeated == null, String.valueOf(repeated));
    }
  }

  /** Flushes, and dies when files show that a merge is under way, or after a while. */
  private void die() {
    Engine open = engine;
    if (open != null) {
      sim.env().tasks().start("flusher", () -> flushQuietly(open));
    }
    for (int i = 0; open != null && i < MAX_ATTEMPTS && filesIn("/data/") <= tables(open); i++) {
      pause(DYING_PAUSE_NANOS);
    }
    position++;
    dyingOf = CrashKind.PROCESS_DEATH;
    sim.crash(CrashKind.PROCESS_DEATH);
  }

  /** Does a step until it has succeeded. */
  private void perform(Step step) {
    StorageException last = null;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        apply(engine == null ? open() : engine, step);
        return;
      } catch (StorageException e) {
        last = e;
        examine(e);
        if (e instanceof FencedException) {
          endFenced();
        } else {
          pause(PAUSE_NANOS);
        }
        if (step.kind() == Script.Kind.CLOSE && engine == null) {
          return;
        }
      }
    }
    throw new AssertionError("no progress after " + MAX_ATTEMPTS + " attempts of " + step, last);
  }

  /** Whether that is an exception that may come now. */
  private void examine(StorageException e) {
    IoCall struck = calls.struck();
    require(struck != null, "no call has failed yet, but: " + e);
    require(
        e instanceof StorageIoException
            || e instanceof DiskFullException
            || e instanceof FencedException
            || e instanceof DeadlineException,
        "not the exception for a fault: " + e);
    facts.refusals++;
    if (e instanceof FencedException) {
      require(
          strike.sticky || struck.kind() != IoKind.READ, "one failed read fenced the engine: " + e);
      require(strike != Strike.DISK_FILLS, "a full disk fenced the engine: " + e);
    }
    if (e instanceof DiskFullException full && strike == Strike.DISK_FILLS) {
      require(full.freeBytes() >= 0, "free bytes are missing: " + full.getMessage());
    }
    if (strike.sticky) {
      defy();
      calls.heal();
    }
  }

  /** While the disk is broken, nothing that is answered may be wrong. */
  private void defy() {
    Engine open = engine;
    if (open == null) {
      return;
    }
    for (int i = 0; i < 2; i++) {
      try {
        long number = ledger.verify(open, ledger.acknowledged());
        require(number <= ledger.last(), "batch " + number);
      } catch (StorageException e) {
        require(e instanceof StorageIoException, "not the exception for a read that failed: " + e);
        require(strike != Strike.DISK_FILLS, "a full disk keeps us from reading: " + e);
      }
    }
  }

  private void endFenced() {
    facts.fences++;
    Engine fenced = engine;
    if (strike == Strike.FORCE_FAILS_POWER_LOSS) {
      dyingOf = CrashKind.POWER_LOSS;
      sim.crash(CrashKind.POWER_LOSS);
    }
    if (fenced != null) {
      ledger.verify(fenced, ledger.acknowledged());
      requireFenced(fenced);
      closeQuietly(fenced);
    }
  }

  /** Once fenced, it stays so. */
  private void requireFenced(Engine fenced) {
    if (!treesCreated) {
      return;
    }
    try {
      fenced.createTree("another");
      throw new AssertionError("a fenced engine created a tree");
    } catch (FencedException expected) {
      // As it must be.
    }
  }

  private void closeQuietly(Engine closing) {
    dropSnapshot();
    try {
      closing.close();
    } catch (StorageException e) {
      closedCleanly = false;
    }
    closedCleanly = false;
    ended();
  }

  private void ended() {
    engine = null;
    calls.processEnded();
    long leaked = sim.liveBytes();
    require(leaked == 0, leaked + " bytes of off-heap memory leaked\n" + Mem.describeLive());
  }

  private Engine open() {
    Engine opened;
    try {
      opened = Engine.open(sim.env(), sim.directory(), config);
    } catch (StorageException e) {
      closedCleanly = false;
      ended();
      throw e;
    }
    engine = opened;
    facts.orphans = Math.max(facts.orphans, opened.recovery().orphansDeleted());
    if (closedCleanly) {
      require(
          opened.recovery().created() || opened.recovery().cleanlyClosed(), "the seal is missing");
    }
    closedCleanly = false;
    // A failed force loses what power loss would have taken.
    boolean cacheLost = lastCrash == CrashKind.POWER_LOSS || calls.logForceFailed();
    boolean onlyForced = cacheLost && config.log().durability() == Durability.PROCESS;
    long open = ledger.last();
    long number = ledger.verify(opened, onlyForced ? ledger.forced() : ledger.acknowledged());
    calls.reopened();
    boolean inFlight = ledger.last() > ledger.acknowledged();
    writeFound = inFlight && number == open;
    ledger.rebase(number);
    lastCrash = null;
    for (String tree : ledger.treeNames()) {
      require(!treesCreated || opened.hasTree(tree), "tree " + tree + " is lost");
    }
    return opened;
  }

  private void apply(Engine open, Step step) {
    switch (step.kind()) {
      case CREATE_TREES -> createTrees(open);
      case WRITE -> write(open, step, IN_TIME);
      case WRITE_FORCED -> {
        write(open, step, IN_TIME.sync());
        ledger.force();
      }
      case GET -> get(open, Script.key(step.random()));
      case SCAN -> scan(open);
      case TAKE_SNAPSHOT -> {
        snapshot = open.snapshot();
        snapshotContent = ledger.contentAt(ledger.acknowledged()).get(0);
      }
      case CHECK_SNAPSHOT -> checkSnapshot(open);
      case FLUSH -> {
        open.flush();
        ledger.force();
        note(open.statistics());
      }
      case COMPACT -> {
        open.tree(Script.TREES.get(0)).compact();
        ledger.force();
        note(open.statistics());
      }
      case CREATE_AND_DROP_TREE -> createAndDrop(open);
      case BULK_LOAD -> LoadStep.perform(open);
      case DIE -> throw new AssertionError("handled before");
      case CLOSE -> close(open);
    }
  }

  private void createTrees(Engine open) {
    for (String name : Script.TREES) {
      if (!open.hasTree(name)) {
        open.createTree(name);
      }
    }
    treesCreated = true;
  }

  private static void createAndDrop(Engine open) {
    if (!open.hasTree("passing")) {
      open.createTree("passing");
    }
    open.tree("passing").put("k".getBytes(UTF_8), new byte[100]);
    open.dropTree("passing");
  }

  private void write(Engine open, Step step, WriteOptions options) {
    if (writeFound) {
      writeFound = false;
      return;
    }
    ledger.begin(Script.changes(step));
    try {
      open.write(ledger.toWrite(open), options);
      ledger.acknowledge();
    } catch (FencedException e) {
      // Whether it survives is not known.
      throw e;
    } catch (StorageException e) {
      ledger.withdraw();
      throw e;
    }
  }

  private void get(Engine open, String key) {
    for (int t = 0; t < Script.TREES.size(); t++) {
      byte[] found = open.tree(Script.TREES.get(t)).get(key.getBytes(UTF_8));
      Ledger.compare(key, found, ledger.contentAt(ledger.acknowledged()).get(t).get(key));
    }
  }

  private void scan(Engine open) {
    for (int t = 0; t < Script.TREES.size(); t++) {
      Map<String, byte[]> content = ledger.contentAt(ledger.acknowledged()).get(t).descendingMap();
      try (Cursor cursor = open.tree(Script.TREES.get(t)).scan(ScanOptions.all().reverse())) {
        Ledger.compare("reverse scan", cursor, content);
      }
    }
  }

  private void checkSnapshot(Engine open) {
    Snapshot taken = snapshot;
    if (taken != null) {
      try (Cursor cursor = taken.scan(open.tree(Script.TREES.get(0)), ScanOptions.all())) {
        Ledger.compare("snapshot", cursor, snapshotContent);
      }
      dropSnapshot();
    }
  }

  private void dropSnapshot() {
    Snapshot taken = snapshot;
    snapshot = null;
    if (taken != null) {
      taken.close();
    }
  }

  private void close(Engine open) {
    note(open.statistics());
    dropSnapshot();
    boolean clean = false;
    try {
      open.close();
      clean = true;
    } finally {
      ended();
      // After a fault of a merge the engine is fenced, closes all the same, but leaves no seal.
      closedCleanly = clean && calls.struck() == null;
    }
    ledger.force();
  }

  private void note(EngineStatistics statistics) {
    facts.flushes = Math.max(facts.flushes, statistics.work().flushes());
    facts.merges = Math.max(facts.merges, statistics.work().merges());
    for (EngineStatistics.TreeStatistics tree : statistics.trees()) {
      facts.levels = Math.max(facts.levels, tree.levels().size());
    }
    facts.segments = Math.max(facts.segments, filesIn("/log/"));
  }

  private static void flushQuietly(Engine open) {
    try {
      open.flush();
    } catch (StorageException e) {
      // The process dies anyway.
    }
  }

  private static int tables(Engine open) {
    int tables = 0;
    for (EngineStatistics.TreeStatistics tree : open.statistics().trees()) {
      for (EngineStatistics.LevelStatistics level : tree.levels()) {
        tables += level.tables();
      }
    }
    return tables;
  }

  private int filesIn(String directory) {
    int files = 0;
    for (Path path : sim.disk().files()) {
      files += path.startsWith(sim.directory() + directory) ? 1 : 0;
    }
    return files;
  }

  private void pause(long nanos) {
    Monitor monitor = sim.env().waiter().newMonitor("pause");
    monitor.lock();
    try {
      monitor.await(nanos);
    } finally {
      monitor.unlock();
    }
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
