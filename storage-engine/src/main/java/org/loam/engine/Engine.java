package org.loam.engine;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.LoadedClasses;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.Arguments;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageException;
import org.loam.engine.commit.PreparedBatch;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.host.HostEngine;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.report.CheckpointReport;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.RecoveryReport;
import org.loam.engine.report.VerifyProgress;
import org.loam.engine.report.VerifyReport;
import org.loam.lsm.FlushCause;
import org.loam.lsm.manifest.Manifest;

/**
 * An embedded storage engine: any number of ordered trees of byte keys and values in one directory,
 * with one memory budget. All methods are thread-safe. {@link #close} is so too: threads that are
 * inside get {@link ClosedException}.
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
  private final OpenEngine open;
  private final Trees trees;
  private final Datasets datasets;
  private @Nullable EngineBean bean;

  private Engine(OpenEngine open) {
    this.open = open;
    this.trees = new Trees(open);
    this.datasets = new Datasets(open);
  }

  /** Whether a directory holds a database. If it does not, {@link #open} creates one. */
  public static boolean exists(Path directory) {
    return Manifest.exists(RealEnv.create(), Arguments.require(directory, "directory"));
  }

  /**
   * Refuses a configuration that no database is opened with, without opening one.
   *
   * @throws IllegalArgumentException if the memory does not suffice for the settings
   */
  public static void requireFits(EngineConfig config) {
    OpenEngine.requireFits(Arguments.require(config, "config"), false);
  }

  /**
   * As {@link #requireFits}, for an engine below the log of a host.
   *
   * @throws IllegalArgumentException if the memory does not suffice for the settings
   */
  public static void requireFitsBelowHost(EngineConfig config) {
    OpenEngine.requireFits(Arguments.require(config, "config"), true);
  }

  /**
   * Opens the database in a directory, creating it if there is none.
   *
   * @throws org.loam.common.error.InUseException if another engine has it open
   * @throws org.loam.common.error.CorruptionException if something is damaged, naming it
   * @throws org.loam.common.error.UnsupportedFormatException if a newer version wrote it
   * @throws IllegalArgumentException if the memory does not suffice for the settings, or the system
   *     does not give so much, before anything changes; or if the configuration or the data
   *     directories do not fit the database
   */
  public static Engine open(Path directory, EngineConfig config) {
    return open(directory, config, OpenOptions.DEFAULT);
  }

  /** Opens like {@link #open(Path, EngineConfig)}, with options such as a listener for events. */
  public static Engine open(Path directory, EngineConfig config, OpenOptions options) {
    return open(realEnv(config), directory, config, options);
  }

  private static StorageEnv realEnv(EngineConfig config) {
    return RealEnv.create(Arguments.require(config, "config").io().pageCache());
  }

  /**
   * Opens a database in an environment of the caller. This environment decides how files are
   * opened, so that {@code io.pageCache} has no effect. JMX shows the engine if they are the
   * operating system's.
   */
  public static Engine open(StorageEnv env, Path directory, EngineConfig config) {
    return open(env, directory, config, OpenOptions.DEFAULT);
  }

  /** Opens like {@link #open(StorageEnv, Path, EngineConfig)}, with options. */
  public static Engine open(
      StorageEnv env, Path directory, EngineConfig config, OpenOptions options) {
    Arguments.require(env, "env");
    Arguments.require(directory, "directory");
    Arguments.require(options, "options");
    Arguments.require(config, "config");
    // From this class on: no class of a room names the environment of the real system.
    LoadedClasses.loadFrom(Engine.class, "org.loam.");
    Engine engine = new Engine(OpenEngine.open(env, directory, config, options.given()));
    if (RealEnv.isReal(env)) {
      engine.open.latencies().start();
      engine.bean =
          EngineBean.register(
              directory,
              engine::statistics,
              engine::health,
              engine::flushChoices,
              engine::configure,
              engine::checkpoint);
    }
    return engine;
  }

  OpenEngine open() {
    return open;
  }

  void requireOpen() {
    open.requireOpen();
  }

  /** What opening found. */
  public RecoveryReport recovery() {
    return open.recovery();
  }

  /** The longest key: a quarter of a page. */
  public int maxKeyBytes() {
    return open.maxKeyBytes();
  }

  // ---- Settings.

  /** The configuration that the engine runs with now. */
  public EngineConfig config() {
    return open.settings().config();
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
    return SettingChange.of(name, open.settingChanges().change(name, value));
  }

  // ---- Trees.

  /** Creates a tree with the default options. */
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
    return trees.create(name, options);
  }

  /** The data directories by number; 0 is that of the database. */
  public SortedMap<Integer, Path> directories() {
    return Collections.unmodifiableSortedMap(open.storage().directories());
  }

  /**
   * The tree of a name.
   *
   * @throws IllegalArgumentException if there is none, with the nearest name there is; or if it is
   *     a part of a dataset
   */
  public Tree tree(String name) {
    return trees.of(name);
  }

  /** Whether there is a tree of that name. */
  public boolean hasTree(String name) {
    return trees.has(name);
  }

  /** All trees but those of datasets, by name. */
  public List<Tree> trees() {
    return trees.all();
  }

  /**
   * Drops a tree and everything in it; durable when it returns. Readers and writers inside get
   * {@link ClosedException}.
   *
   * @throws IllegalArgumentException if there is none of that name, or it is a part of a dataset
   * @throws StorageException if it could not be dropped; unless the engine is fenced now, the tree
   *     is as before
   */
  public void dropTree(String name) {
    trees.drop(name);
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
    PreparedBatch writes = Arguments.require(batch, "batch").writesOf(open);
    WriteTerms terms = Arguments.require(options, "options").terms();
    long begun = open.latencies().begin();
    open.writes().committer().write(writes, terms);
    open.latencies().wrote(begun);
  }

  /** The state of all trees at this moment, until it is closed. */
  public Snapshot snapshot() {
    return new Snapshot(open);
  }

  /**
   * Writes everything that is in memory to disk components.
   *
   * @throws StorageException if that failed; it is tried again in the background
   */
  public void flush() {
    requireOpen();
    open.maintenance().flushAll(FlushCause.USER);
  }

  /** What the engine does for a program with transactions of its own. */
  public HostEngine host() {
    return new EngineForHost(open);
  }

  /** What the engine has done and what it holds, at about this moment. */
  public EngineStatistics statistics() {
    return StatisticsReader.read(open);
  }

  /**
   * The last choices of memory to flush, at most 1,000, the latest last. Below a host a choice is
   * what the host was asked for; all that a tree has is frozen when the host asks for its flush.
   */
  public List<FlushChoice> flushChoices() {
    requireOpen();
    return open.maintenance().flushChoices();
  }

  /** Whether anything keeps the engine from its work, and how much room its disks have. */
  public EngineHealth health() {
    requireOpen();
    return StatisticsReader.health(open);
  }

  /** Checks everything, without reports of its progress; see {@link #verify(VerifyProgress)}. */
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
    return open.verification().run(progress);
  }

  /**
   * Makes a database in another directory with the state of this one at a moment during the call:
   * every write that was acknowledged before it is there, and each batch as a whole or not at all.
   * It is durable on return, and opens as after the death of a process. Readers, writers, flushes
   * and merges go on meanwhile. SSTables are hard links where the file system allows it, and copies
   * elsewhere; the log is copied. After a failure this database is as before, and the directory
   * holds none. The trees of all data directories are in the one of the checkpoint.
   *
   * <p>Its log is in its directory {@code log}: open it without {@code log.directory}, or move the
   * log there first.
   *
   * @param target does not exist, or is empty
   * @throws IllegalArgumentException if it is not, or lies in the directory of this database; or if
   *     the database lies below the log of a host
   * @throws org.loam.common.error.InUseException if another checkpoint is being made there
   * @throws org.loam.common.error.DiskFullException if there is no room for the log or for copies
   * @throws ClosedException if the engine is closed meanwhile
   */
  public CheckpointReport checkpoint(Path target) {
    requireOpen();
    return open.checkpoints().make(Arguments.require(target, "target"));
  }

  // ---- End.

  /**
   * Flushes, unless there is a {@link org.loam.engine.host.HostLog}, seals and closes. Closing
   * twice is harmless. Returns when the {@link org.loam.engine.report.EventListener}, if there is
   * one, was told everything, or after five seconds; to a listener that calls it while another
   * thread closes, at once.
   *
   * @throws StorageException the first fault on the way; everything is released all the same, and
   *     what was acknowledged is in the log
   */
  @Override
  public void close() {
    if (bean != null) {
      bean.close();
    }
    open.close();
  }
}
