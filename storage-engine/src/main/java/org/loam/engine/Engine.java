package org.loam.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.env.real.LoadedClasses;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageException;
import org.loam.engine.Schema.NewTree;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;
import org.loam.lsm.manifest.Manifest;

/**
 * An embedded storage engine: any number of ordered trees of byte keys and values in one directory,
 * with one memory budget. Thread-safe, all of it; closing while other threads are inside is safe
 * too, they get {@link ClosedException}.
 *
 * <pre>{@code
 * try (Engine engine = Engine.open(Path.of("data"), config)) {
 *   Tree orders = engine.createTree("orders");
 *   orders.put(key, value);
 *   try (Cursor cursor = orders.scan(ScanOptions.all().prefix(prefix))) {
 *     while (cursor.next()) {
 *       use(cursor.key(), cursor.value());
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>A write is acknowledged when its call returns: in a SYNC database it then survives power loss,
 * in a PROCESS database the death of the process. Faults are subclasses of {@link
 * StorageException}; after one that could have lost a write the engine is fenced: it refuses writes
 * and goes on reading.
 */
public final class Engine implements AutoCloseable {
  private final Kernel kernel;
  private final Background background;
  private final Schema schema;
  private final Datasets datasets;
  private final BulkLoads loads;
  private final DirectoryLock directoryLock;
  private final RecoveryReport recovery;
  private final Monitor closeLock;
  private volatile boolean closing;
  private boolean closed;

  private Engine(Recovery.Recovered recovered, DirectoryLock directoryLock) {
    this.kernel = recovered.kernel();
    this.recovery = recovered.report();
    this.directoryLock = directoryLock;
    this.closeLock = kernel.env.waiter().newMonitor("engine close");
    this.background = new Background(kernel);
    this.schema = new Schema(kernel);
    this.datasets = new Datasets(this, kernel, schema);
    this.loads = new BulkLoads(kernel, background.limiter());
  }

  /** Whether a directory holds a database, which {@link #open} would not have to create. */
  public static boolean exists(Path directory) {
    return Manifest.exists(RealEnv.create(), Arguments.require(directory, "directory"));
  }

  /**
   * Opens the database in a directory, creating it if there is none.
   *
   * @throws org.loam.common.error.InUseException if another engine has it open
   * @throws org.loam.common.error.CorruptionException if something is damaged, naming it
   * @throws org.loam.common.error.UnsupportedFormatException if a newer version wrote it
   * @throws IllegalArgumentException if the memory does not suffice for the settings, before
   *     anything changes, or if the configuration or the data directories do not fit the database
   */
  public static Engine open(Path directory, EngineConfig config) {
    return open(directory, config, OpenOptions.DEFAULT);
  }

  /** Opens like {@link #open(Path, EngineConfig)}, with somebody who listens for example. */
  public static Engine open(Path directory, EngineConfig config, OpenOptions options) {
    return open(realEnv(config), directory, config, options);
  }

  private static StorageEnv realEnv(EngineConfig config) {
    return RealEnv.create(Arguments.require(config, "config").io().pageCache());
  }

  /**
   * Opens a database in an environment of the caller's, who decides how files are opened: {@code
   * io.pageCache} does not count.
   */
  public static Engine open(StorageEnv env, Path directory, EngineConfig config) {
    return open(env, directory, config, OpenOptions.DEFAULT);
  }

  /** Opens like {@link #open(StorageEnv, Path, EngineConfig)}, with options. */
  public static Engine open(
      StorageEnv env, Path directory, EngineConfig config, OpenOptions options) {
    Arguments.require(directory, "directory");
    Arguments.require(options, "options");
    MemoryLayout layout = MemoryLayout.of(Arguments.require(config, "config"));
    LoadedClasses.loadFrom(Engine.class, "org.loam.");
    DataDirectories.create(env, directory);
    DirectoryLock lock = env.files().lock(directory.resolve("lock"));
    Engine engine = null;
    Events events = null;
    try {
      GuardedTasks tasks = new GuardedTasks(env);
      StorageEnv own = tasks.in(env);
      events = new Events(own, options.listener());
      Opening opening =
          new Opening(OwnedFiles.in(own, lock), directory, lock, config, layout, events, options);
      engine = new Engine(Recovery.open(opening), lock);
      tasks.onBroken(engine.kernel.committer::fence);
      lock.onLost(engine.kernel.committer::fence);
      engine.background.start();
      engine.datasets.load();
      return engine;
    } catch (Throwable t) {
      Closing.run(engine == null ? lock::close : engine::close, t);
      if (events != null) {
        Closing.run(events::close, t);
      }
      throw t;
    }
  }

  Kernel kernel() {
    return kernel;
  }

  BulkLoads loads() {
    return loads;
  }

  Background background() {
    return background;
  }

  void requireOpen() {
    if (closing) {
      throw new ClosedException("the engine was closed");
    }
  }

  /** What opening found. */
  public RecoveryReport recovery() {
    return recovery;
  }

  /** The longest key: a quarter of a page. */
  public int maxKeyBytes() {
    return kernel.config().memory().pageBytes() / 4;
  }

  // ---- Settings.

  /** The configuration that the engine runs with now. */
  public EngineConfig config() {
    return kernel.config();
  }

  /**
   * Changes a live setting while the engine runs; {@link org.loam.common.config.Settings} says
   * which are live. It takes effect at once: for writers that wait, and for flushes and merges that
   * begin from now on. It is not kept: the next open has what its configuration says.
   *
   * @param name such as {@code io.limitBytesPerSecond}
   * @param value as in the YAML form, such as {@code 64MiB}
   * @throws org.loam.common.config.ConfigException if there is no such setting, if it is fixed, or
   *     if the value is not allowed, by itself or beside the others; nothing has changed then
   * @throws IllegalArgumentException if the memory would not suffice to open the engine like that;
   *     nothing has changed then
   */
  public SettingChange configure(String name, String value) {
    requireOpen();
    Arguments.require(name, "name");
    Arguments.require(value, "value");
    SettingChange[] done = new SettingChange[1];
    underChanges(
        () -> {
          EngineConfig before = kernel.config();
          EngineConfig wanted = before.changed(name, value);
          EngineConfig changed = kernel.servable(wanted);
          kernel.reconfigure(changed);
          background.reconfigure();
          done[0] = SettingChange.of(name, before, wanted, changed);
        });
    return done[0];
  }

  /** Changes settings, or which trees there are: one caller after the other, until the close. */
  void underChanges(Runnable change) {
    kernel.trees.changes().lock();
    try {
      requireOpen();
      change.run();
    } finally {
      kernel.trees.changes().unlock();
    }
  }

  // ---- Trees.

  /** Creates a tree whose keys have nothing in common. */
  public Tree createTree(String name) {
    return createTree(name, TreeOptions.DEFAULT);
  }

  /**
   * Creates a tree; durable when it returns.
   *
   * @param name not empty, at most 255 bytes in UTF-8
   * @throws IllegalArgumentException if there is one of that name, or no data directory of the
   *     number that the options say
   */
  public Tree createTree(String name, TreeOptions options) {
    requireOpen();
    Arguments.require(options, "options");
    DataDirectories.require(directories(), options.directory());
    NewTree tree =
        new NewTree(requireName(name), options.keyPrefixLength(), options.directory(), "");
    LsmTree[] made = new LsmTree[1];
    underChanges(() -> schema.create(List.of(tree), trees -> made[0] = trees.get(0)));
    return new Tree(this, made[0]);
  }

  /** The data directories by number; 0 is that of the database. */
  public SortedMap<Integer, Path> directories() {
    return kernel.directories;
  }

  /**
   * The tree of a name.
   *
   * @throws IllegalArgumentException if there is none, with the nearest name there is
   */
  public Tree tree(String name) {
    requireOpen();
    LsmTree tree = kernel.trees.byName(requireName(name));
    if (tree == null) {
      List<String> names = trees().stream().map(Tree::name).toList();
      throw new IllegalArgumentException(
          "there is no tree '"
              + name
              + "'"
              + Names.hint(name, names, "; create it with createTree"));
    }
    String owner = datasets.ownerOf(tree);
    if (owner != null) {
      throw new IllegalArgumentException(
          "tree '" + name + "' is a part of dataset '" + owner + "'; open that with datasets()");
    }
    return new Tree(this, tree);
  }

  /** Whether there is a tree of that name. */
  public boolean hasTree(String name) {
    requireOpen();
    return kernel.trees.byName(requireName(name)) != null;
  }

  private static String requireName(String name) {
    return Arguments.require(name, "tree name");
  }

  /** All trees but those of datasets, by name. */
  public List<Tree> trees() {
    requireOpen();
    List<Tree> trees = new ArrayList<>();
    for (LsmTree tree : kernel.trees.list()) {
      if (datasets.ownerOf(tree) == null) {
        trees.add(new Tree(this, tree));
      }
    }
    trees.sort((a, b) -> a.name().compareTo(b.name()));
    return trees;
  }

  /**
   * Drops a tree and everything in it; durable when it returns. Readers and writers inside get
   * {@link ClosedException}.
   *
   * @throws StorageException if it could not be dropped; unless the engine is fenced now, the tree
   *     is as before
   */
  public void dropTree(String name) {
    requireOpen();
    underChanges(() -> schema.drop(List.of(tree(name).lsm())));
  }

  /** Records with secondary indexes. */
  public Datasets datasets() {
    requireOpen();
    return datasets;
  }

  // ---- Writing and reading over trees.

  /** Writes a batch with the default options. */
  public void write(WriteBatch batch) {
    write(batch, WriteOptions.DEFAULT);
  }

  /**
   * Writes a batch: all of it shows at once, in all its trees, and survives as a whole or not at
   * all.
   *
   * @throws IllegalArgumentException if the batch is too large, in bytes or for the write memory,
   *     or for another engine
   * @throws org.loam.common.error.DeadlineException if it was not admitted in time
   * @throws org.loam.common.error.DiskFullException if the disk is full
   * @throws org.loam.common.error.FencedException if the engine is fenced; whether this very write
   *     survives is not known then
   */
  public void write(WriteBatch batch, WriteOptions options) {
    requireOpen();
    Arguments.require(batch, "batch").requireOnly(this);
    Arguments.require(options, "options");
    Committer committer = kernel.committer;
    committer.write(batch, options, committer.deadlineNanos(options), null);
  }

  /** The state of all trees at this moment, until it is closed. */
  public Snapshot snapshot() {
    OperationContext context = kernel.operations.enter();
    try {
      return new Snapshot(this, kernel.reads.register());
    } finally {
      kernel.operations.exit(context);
    }
  }

  /**
   * Writes everything that is in memory to disk components.
   *
   * @throws StorageException if that failed; it is tried again in the background
   */
  public void flush() {
    requireOpen();
    List<LsmTree> trees = kernel.trees.list();
    background.awaitFlushed(trees, freezeAll(FlushCause.USER));
  }

  /** Freezes all trees; returns the end of what is in them. */
  private long freezeAll(FlushCause cause) {
    long[] end = new long[1];
    kernel.committer.underLatch(
        () -> {
          end[0] = kernel.log.endLsn();
          kernel.writeMemory.freezeAll(end[0], cause);
        });
    return end[0];
  }

  void flush(LsmTree tree) {
    awaitFlushed(tree, beginFlush(tree));
  }

  long beginFlush(LsmTree tree) {
    requireOpen();
    long[] end = new long[1];
    kernel.committer.underLatch(
        () -> {
          end[0] = kernel.log.endLsn();
          kernel.writeMemory.freeze(tree, end[0], FlushCause.USER);
        });
    return end[0];
  }

  void awaitFlushed(LsmTree tree, long endLsn) {
    background.awaitFlushed(List.of(tree), endLsn);
  }

  void compact(LsmTree tree) {
    flush(tree);
    tree.requestCompaction();
    background.awaitCompacted(tree);
  }

  /** The used part of write memory, 1.0 if there is none left. Cheap; for every write. */
  public double writeMemoryFill() {
    return kernel.writeMemory.fill();
  }

  /**
   * Has the tree that the flush policy chooses flushed, unless a flush is on its way; below a
   * {@link HostLog} that is said to the host. For a host that keeps new writers out while memory is
   * short, since else only writes look whether it is.
   */
  public void relieveWriteMemory() {
    requireOpen();
    kernel.committer.underLatch(() -> kernel.writeMemory.flushForMemory(kernel.log.endLsn()));
    // What was flushed while somebody read it is free only when it is looked for, and nobody
    // writes.
    kernel.memoryEpochs.collect();
  }

  /** What the engine has done and what it holds, at about this moment. */
  public EngineStatistics statistics() {
    OperationContext context = kernel.operations.enter();
    try {
      return StatisticsReader.read(kernel, datasets.states());
    } finally {
      kernel.operations.exit(context);
    }
  }

  /** Checks everything without telling how far it is; see {@link #verify(VerifyProgress)}. */
  public VerifyReport verify() {
    return verify(VerifyProgress.NONE);
  }

  /**
   * Checks everything: each page of each disk component, read from its file and not from the cache,
   * and, as of one moment for each dataset, that its indexes have the entries of its records and no
   * others. Readers, writers, flushes and merges go on meanwhile. What is wrong is reported, and
   * the check goes on with the next; nothing is changed. A dataset that no program has opened
   * cannot be compared with its indexes, and the report says so: open it first.
   *
   * @param progress is told how far it is
   * @throws ClosedException if the engine is closed meanwhile
   */
  public VerifyReport verify(VerifyProgress progress) {
    requireOpen();
    Arguments.require(progress, "progress");
    return new Verification(this, datasets.states()).run(progress);
  }

  // ---- End.

  /**
   * Takes no more writes, for a program that cannot do its part of the work any more. Reads go on;
   * opening the database again recovers.
   */
  public void fence(Throwable cause) {
    kernel.committer.fence(Arguments.require(cause, "cause"));
  }

  /**
   * Flushes, unless there is a {@link HostLog}, seals and closes. Closing twice is harmless.
   * Returns when the {@link EventListener}, if there is one, was told everything, or after five
   * seconds; to a listener that calls it while another thread closes, at once.
   *
   * @throws StorageException the first fault on the way; everything is released all the same, and
   *     what was acknowledged is in the log
   */
  @Override
  public void close() {
    if (!kernel.events.isTelling()) {
      closeLock.lock();
    } else if (!closeLock.tryLock()) {
      return; // The thread that closes waits for the listener to come back.
    }
    try {
      if (closed) {
        return;
      }
      closed = true;
      @Nullable Throwable first = Closing.run(this::quiesce, null);
      first = Closing.run(background::close, first);
      if (first == null && !kernel.committer.isFenced()) {
        first = Closing.run(() -> kernel.seal(directoryLock), null);
      }
      first = Closing.run(kernel.log::close, first);
      first = Closing.run(kernel.manifest::close, first);
      first = Closing.run(kernel::close, first);
      first = Closing.run(directoryLock::close, first);
      first = Closing.run(kernel.events::close, first);
      Closing.rethrow(first);
    } finally {
      closeLock.unlock();
    }
  }

  /**
   * Refuses new operations, lets those inside end, ends what was not committed, and flushes if that
   * is the engine's to do.
   */
  private void quiesce() {
    // Whoever creates or drops a tree goes on to the end, or sees that it is too late.
    kernel.trees.changes().lock();
    try {
      closing = true;
    } finally {
      kernel.trees.changes().unlock();
    }
    kernel.committer.stopAdmission();
    kernel.operations.close();
    loads.close();
    if (!kernel.log.isHosted() && !kernel.committer.isFenced()) {
      background.awaitFlushed(kernel.trees.list(), freezeAll(FlushCause.CLOSE));
    }
  }
}
