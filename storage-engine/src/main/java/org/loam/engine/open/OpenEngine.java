package org.loam.engine.open;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.Units;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.engine.background.Background;
import org.loam.engine.background.GuardedTasks;
import org.loam.engine.background.LogTruncation;
import org.loam.engine.background.Maintenance;
import org.loam.engine.background.MemoryMoves;
import org.loam.engine.commit.WritePath;
import org.loam.engine.dataset.DatasetCatalog;
import org.loam.engine.dataset.DatasetIndexes;
import org.loam.engine.dataset.DatasetWriter;
import org.loam.engine.load.Loads;
import org.loam.engine.notify.Events;
import org.loam.engine.operation.Closing;
import org.loam.engine.operation.Latencies;
import org.loam.engine.operation.Operations;
import org.loam.engine.read.ReadPath;
import org.loam.engine.report.RecoveryReport;
import org.loam.engine.tree.Installer;
import org.loam.engine.tree.LiveSettings;
import org.loam.engine.tree.Schema;
import org.loam.engine.tree.TreeCatalog;
import org.loam.engine.tuning.CycleSampler;
import org.loam.engine.tuning.Processors;
import org.loam.engine.tuning.TunerTask;
import org.loam.engine.tuning.Watches;
import org.loam.engine.verify.Verification;
import org.loam.lsm.FlushCause;
import org.loam.lsm.disk.SSTableOptions;
import org.loam.scheduler.work.BackgroundWorkers;

/**
 * An engine from its opening to its close: the parts that {@link Kernel} wired, and what works on
 * open trees. Thread-safe.
 */
public final class OpenEngine implements AutoCloseable {
  private final Kernel kernel;
  private final RecoveryReport recovery;
  private final Background background;
  private final Maintenance maintenance;
  private final MemoryMoves memoryMoves;
  private final TunerTask tuner;
  private final Schema schema;
  private final SettingChanges settingChanges;
  private final DatasetCatalog datasets;
  private final DatasetWriter datasetWriter;
  private final DatasetIndexes datasetIndexes;
  private final Loads loads;
  private final Checkpoints checkpoints;
  private final Latencies latencies;
  private final Monitor closeLock;

  @GuardedBy("closeLock")
  private boolean closed;

  /**
   * Refuses a configuration that an engine is not opened with.
   *
   * @param isHosted whether the engine is below a host's log
   * @throws IllegalArgumentException if the memory does not suffice, with the rule
   */
  public static void requireFits(EngineConfig config, boolean isHosted) {
    MemoryLayout.of(config, isHosted);
  }

  /**
   * Opens the database in a directory, creating it if there is none.
   *
   * @param given what beside directory and settings it is opened with
   */
  public static OpenEngine open(
      StorageEnv env, Path directory, EngineConfig config, Opening.Given given) {
    MemoryLayout layout = MemoryLayout.of(config, given.hostLog() != null);
    GuardedTasks tasks = new GuardedTasks(env);
    StorageEnv own = tasks.in(env);
    List<Runnable> closers = new ArrayList<>();
    try {
      // Before anything is created: the system may refuse it.
      EngineMemory memory = allocate(layout, config, own);
      closers.add(memory::close);
      DataDirectories.create(env, directory);
      DirectoryLock lock = env.files().lock(directory.resolve("lock"));
      closers.add(lock::close);
      Events events = new Events(own, directory, given.listener());
      closers.add(events::close);
      StorageEnv owned = OwnedFiles.in(own, lock);
      OpenEngine engine =
          new OpenEngine(
              Recovery.open(
                  new Opening(owned, directory, lock, config, layout, memory, events, given)));
      closers.clear(); // the engine closes all of them
      closers.add(engine::close);
      tasks.onBroken(engine.writes().latch()::fence);
      lock.onLost(engine.writes().latch()::fence);
      engine.background.start();
      engine.memoryMoves.followSetting();
      engine.tuner.reconfigure();
      engine.datasets.load(engine.storage().manifest(), engine.trees());
      return engine;
    } catch (Throwable t) {
      Closing.run(() -> Closing.inReverse(closers), t);
      throw t;
    }
  }

  private static EngineMemory allocate(MemoryLayout layout, EngineConfig config, StorageEnv env) {
    try {
      return new EngineMemory(layout, config.memory().pageBytes(), env);
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException(
          "memory.total is "
              + Units.formatBytes(config.memory().totalBytes())
              + ", which this process does not get ("
              + e.getMessage()
              + "); lower it",
          e);
    }
  }

  private OpenEngine(Recovery.Recovered recovered) {
    this.kernel = recovered.kernel();
    this.recovery = recovered.report();
    StorageEnv env = storage().env();
    Operations operations = reads().operations();
    this.latencies = new Latencies(env.clock());
    this.closeLock = env.waiter().newMonitor("engine close");
    LogTruncation truncation = new LogTruncation(storage().log(), settings(), installer());
    var cleaning = new Background.Cleaning(truncation, memory().fileEpochs());
    this.background = new Background(env, settings(), trees(), writes(), cleaning, kernel.events());
    this.maintenance =
        new Maintenance(
            operations, storage().log(), writes().latch(), writes().memory(), trees(), background);
    this.memoryMoves =
        new MemoryMoves(
            env,
            memory().arbiter(),
            () -> settings().config().memory().writeTargetBytes(),
            this::tunerDecides,
            maintenance);
    this.tuner =
        new TunerTask(
            env,
            settings()::config,
            new CycleSampler.Sources(
                new CycleSampler.AllTrees(
                    trees(),
                    writes().latch(),
                    settings()::merging,
                    () -> settings().config().disk().sizedForBytes()),
                storage().log(),
                operations,
                memory().cacheCounters(),
                new Watches(memory().pageWatch(), memory().writeWatch()),
                memory().arbiter(),
                memory().fileEpochs(),
                new Processors(env.clock(), background::processorNanos)),
            memoryMoves::setTarget,
            storage().directory());
    this.schema =
        new Schema(
            operations, writes().latch(), kernel.edits(), installer(), trees(), kernel.factory());
    this.settingChanges =
        new SettingChanges(
            schema,
            settings(),
            memory().arbiter(),
            storage().log().isHosted(),
            new SettingChanges.Followers(background, tuner, memoryMoves));
    this.datasets = new DatasetCatalog(env, writes().stalls(), operations, schema);
    this.datasetWriter = new DatasetWriter(writes(), reads().reader(), env.clock(), maxKeyBytes());
    this.datasetIndexes = new DatasetIndexes(schema, reads(), writes(), maxKeyBytes());
    this.loads =
        new Loads(
            env.waiter(),
            new Loads.Parts(
                operations, writes(), installer(), trees(), background.limiter(), kernel.events()));
    this.checkpoints =
        new Checkpoints(
            storage(), operations, writes().latch(), memory().fileEpochs(), background.limiter());
  }

  private boolean tunerDecides() {
    return settings().config().tuner().mode() == TunerMode.ADAPTIVE;
  }

  /**
   * Lets pass what begins before the close.
   *
   * @throws org.loam.common.error.ClosedException after it has begun
   */
  public void requireOpen() {
    reads().operations().requireOpen();
  }

  /** What opening found. */
  public RecoveryReport recovery() {
    return recovery;
  }

  /** The merges that are open now, for statistics. */
  public BackgroundWorkers.OpenWork openWork() {
    return background.openWork();
  }

  /** The longest key: a quarter of a page. */
  public int maxKeyBytes() {
    return SSTableOptions.maxKeyBytes(settings().config().memory().pageBytes());
  }

  // ---- The parts.

  public LiveSettings settings() {
    return kernel.settings();
  }

  /** Changes the settings. */
  public SettingChanges settingChanges() {
    return settingChanges;
  }

  public Storage storage() {
    return kernel.storage();
  }

  public EngineMemory memory() {
    return kernel.memory();
  }

  public TreeCatalog trees() {
    return kernel.trees();
  }

  public WritePath writes() {
    return kernel.writes();
  }

  public ReadPath reads() {
    return kernel.reads();
  }

  public Installer installer() {
    return kernel.installer();
  }

  public Schema schema() {
    return schema;
  }

  public Maintenance maintenance() {
    return maintenance;
  }

  /** Moves memory between write memory and buffer cache. */
  public MemoryMoves memoryMoves() {
    return memoryMoves;
  }

  /** Decides how memory is divided. */
  public TunerTask tuner() {
    return tuner;
  }

  public DatasetCatalog datasets() {
    return datasets;
  }

  public DatasetWriter datasetWriter() {
    return datasetWriter;
  }

  public DatasetIndexes datasetIndexes() {
    return datasetIndexes;
  }

  /** How long operations take. */
  public Latencies latencies() {
    return latencies;
  }

  public Loads loads() {
    return loads;
  }

  /** Makes databases with the state of this one. */
  public Checkpoints checkpoints() {
    return checkpoints;
  }

  /** A check of everything that is there now. */
  public Verification verification() {
    return new Verification(
        reads(),
        memory().fileEpochs(),
        settings().config().memory().pageBytes(),
        maxKeyBytes(),
        trees().list(),
        datasets.states());
  }

  // ---- End.

  /**
   * Flushes, unless there is a host's log, seals and closes. Closing twice is harmless.
   *
   * @throws org.loam.common.error.StorageException the first fault on the way; everything is
   *     released all the same
   */
  @Override
  public void close() {
    if (!kernel.events().isTelling()) {
      closeLock.lock();
    } else if (!closeLock.tryLock()) {
      return; // The thread that closes waits for the listener to come back.
    }
    try {
      if (closed) {
        return;
      }
      closed = true;
      @Nullable Throwable first = Closing.run(tuner::close, null);
      first = Closing.run(memoryMoves::close, first);
      first = Closing.run(this::quiesce, first);
      first = Closing.run(background::close, first);
      if (first == null && !writes().latch().isFenced()) {
        first = Closing.run(storage()::seal, null);
      }
      first = Closing.run(storage().log()::close, first);
      first = Closing.run(storage().manifest()::close, first);
      first = Closing.run(kernel::close, first);
      first = Closing.run(storage().lock()::close, first);
      first = Closing.run(kernel.events()::close, first);
      Closing.rethrow(first);
    } finally {
      closeLock.unlock();
    }
  }

  /**
   * Refuses new operations, lets those inside end, ends what was not committed, and flushes if that
   * is the engine's to do, as fast as it can: below a limit that could take hours.
   */
  private void quiesce() {
    // A change of trees goes on to its end, or sees that it is too late.
    trees().changes().lock();
    try {
      reads().operations().refuse();
    } finally {
      trees().changes().unlock();
    }
    // From now on no change of settings could lift it.
    background.limiter().setBytesPerSecond(0);
    writes().admission().stop();
    reads().operations().close();
    schema.deleteFilesAtClose();
    loads.close();
    if (!storage().log().isHosted() && !writes().latch().isFenced()) {
      maintenance.flushAll(FlushCause.CLOSE);
    }
  }
}
