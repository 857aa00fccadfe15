package org.loam.asterix.node;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.RealEnv;
import org.loam.engine.Engine;
import org.loam.engine.EngineHealth;
import org.loam.engine.EngineStatistics;
import org.loam.engine.OpenOptions;
import org.loam.engine.SettingChange;
import org.loam.engine.Tree;
import org.loam.engine.host.HostLog;
import org.loam.engine.report.FlushChoice;

/**
 * The engine of a node controller, with a tree for each B+-tree index, below AsterixDB's log. One
 * thread takes to the indexes what the engine would like to have flushed. Thread-safe.
 */
public final class LoamNode implements AutoCloseable {
  /** Used part of write memory at which operations have to wait before they begin. */
  private static final double FULL = 0.8;

  /** Write memory has room for smaller records until the flushes that the engine wants are made. */
  private static final int LARGE_BYTES = 64 << 10;

  /** An index that AsterixDB has open. */
  public interface OpenIndex {
    /**
     * Has the index's dataset flushed as soon as no operation is inside; if it is already, does
     * nothing. If it fails, it is called again.
     */
    void requestFlush() throws Exception;

    /**
     * Flushes the index alone, during a recovery that is not inside and has redone the log up to an
     * LSN.
     *
     * @param lsn of the last record that counts as flushed
     */
    default void flushRedone(long lsn) throws Exception {
      requestFlush();
    }

    /** A recovery has redone everything. */
    default void redone() throws Exception {}
  }

  /** The node that the engine is in. Thread-safe. */
  public interface Host {
    /** The end of AsterixDB's log. */
    long endLsn();

    /**
     * The engine takes no more writes, and so the node can do nothing but end; it recovers when it
     * is started again. Called once, under locks of the engine: must not call it, or throw.
     */
    default void fenced(Throwable cause) {}
  }

  /**
   * An open index.
   *
   * @param unit the same for all indexes of a partition, which AsterixDB flushes together
   */
  private record Opened(OpenIndex index, String unit) {}

  private final Engine engine;

  private final NodeTrees trees;

  /** By the names of their trees. */
  private final ConcurrentHashMap<String, Opened> open = new ConcurrentHashMap<>();

  private final FlushRequests flushes;

  private final RedoFlushes redo = new RedoFlushes();

  private final LargeWrites largeWrites;

  /**
   * Opens the engine in a directory that has all trees.
   *
   * @param host the node that the engine is in
   */
  public LoamNode(Path directory, EngineConfig config, Host host) {
    this(List.of(directory), config, host);
  }

  /**
   * Opens the engine in directories on one device each; the first also has what all trees share.
   *
   * @param host the node that the engine is in
   * @throws IllegalArgumentException if one that trees are in is missing, or one is of another
   *     engine or has other files; names it and says what to do
   */
  public LoamNode(List<Path> directories, EngineConfig config, Host host) {
    this(RealEnv.create(config.io().pageCache()), directories, config, host);
  }

  /** Opens the engine like the others do, in an environment of the caller's. */
  public LoamNode(StorageEnv env, List<Path> directories, EngineConfig config, Host host) {
    OpenOptions options =
        OpenOptions.DEFAULT
            .withHostLog(new Log(host))
            .withDirectories(directories.subList(1, directories.size()));
    engine = Engine.open(env, directories.get(0), config, options);
    trees = new NodeTrees(env.waiter(), engine);
    largeWrites = new LargeWrites(env, engine.host());
    // Last: the engine asks for nothing before there are trees to write to.
    flushes = new FlushRequests(env, this::requestFlush, engine.host()::fence);
  }

  private final class Log implements HostLog {
    private final Host host;

    Log(Host host) {
      this.host = host;
    }

    @Override
    public long endLsn() {
      return host.endLsn();
    }

    @Override
    public void fenced(Throwable cause) {
      host.fenced(cause);
    }

    /** AsterixDB's checkpoints bound its log: they ask for the flushes that they need. */
    @Override
    public long lengthBytes() {
      return 0;
    }

    @Override
    public void flushWanted(String tree) {
      flushes.want(tree);
    }

    @Override
    public String flushUnit(String tree) {
      Opened opened = open.get(tree);
      return opened == null ? tree : opened.unit();
    }
  }

  // ---- Flushes.

  private void requestFlush(String tree) throws Exception {
    if (redo.hold(tree)) {
      return;
    }
    Opened opened = open.get(tree);
    if (opened != null) {
      opened.index().requestFlush();
    }
  }

  /** A recovery begins: it makes the flushes that the engine wants, by {@link #flushRedone}. */
  public void beginRedo() {
    redo.begin();
  }

  /**
   * Makes the flushes that the engine wants, for a recovery that is in no index now.
   *
   * @param lsn of the last log record that was redone
   */
  public void flushRedone(long lsn) throws Exception {
    for (String tree : redo.take()) {
      Opened opened = open.get(tree);
      if (opened != null) {
        opened.index().flushRedone(lsn);
      }
    }
  }

  /**
   * Flushes what was redone, if the next write may not find room: it would wait for a flush that
   * the recovery itself has to make.
   *
   * @param recordBytes of its log record
   * @param lsn of the last log record that was redone
   */
  public void makeRoomForRedo(long recordBytes, long lsn) throws Exception {
    if (recordBytes > LARGE_BYTES && recordBytes > engine.host().freeWriteMemoryBytes() / 2) {
      for (Opened opened : open.values()) {
        opened.index().flushRedone(lsn);
      }
    }
  }

  /** Everything is redone, so that AsterixDB's flushes may come again. */
  public void endRedo() throws Exception {
    List<String> waiting = redo.end();
    for (Opened opened : open.values()) {
      opened.index().redone();
    }
    waiting.forEach(flushes::want);
  }

  // ---- Trees.

  /** The trees of the indexes, open or not. */
  public NodeTrees trees() {
    return trees;
  }

  /**
   * The tree of an index that is opened. A new one is made on the device of the index; if the node
   * has no directory there, in that of the engine.
   *
   * @param path of the index, relative to its device
   * @param device where AsterixDB keeps the index
   * @param isNew whether AsterixDB has never flushed or loaded it: what the tree may have is the
   *     rest of an index that was dropped, or of a load that did not end
   */
  public Tree openTree(String path, Path device, boolean isNew, OpenIndex index) {
    String name = trees.name(path);
    if (isNew) {
      trees.dropIfThere(name);
    }
    Tree tree = trees.openOrMake(name, device);
    open.put(name, new Opened(index, TreeNames.partitionOf(path)));
    return tree;
  }

  /** The index is closed; its tree stays. */
  public void closeTree(Tree tree) {
    open.remove(tree.name());
  }

  // ---- Memory.

  /** Whether operations must not begin; asks for a flush then. */
  public boolean isFull() {
    if (largeWrites.isInside()) {
      return false;
    }
    if (largeWrites.isAnyWaiting()) {
      return true;
    }
    if (engine.host().writeMemoryFill() < FULL) {
      return false;
    }
    engine.host().relieveWriteMemory();
    return engine.host().writeMemoryFill() >= FULL;
  }

  /**
   * Does work that may write large records, when there is memory for them. No operation of the
   * thread may be inside of a dataset yet.
   *
   * @param bytes that it may write
   * @param waits is told if it has to wait
   * @throws InterruptedException if the thread is interrupted before there is memory
   */
  public <E extends Exception> void writeLarge(long bytes, Runnable waits, Work<E> work)
      throws E, InterruptedException {
    if (bytes < LargeWrites.LARGE_BYTES || largeWrites.isInside()) {
      work.run();
      return;
    }
    largeWrites.begin(bytes, waits);
    try {
      work.run();
    } finally {
      largeWrites.end();
    }
  }

  /** Work that may fail. */
  public interface Work<E extends Exception> {
    /** Does it. */
    void run() throws E;
  }

  /** The longest key that a tree takes. */
  public int maxKeyBytes() {
    return engine.maxKeyBytes();
  }

  /** Bytes of the largest key and value together that a tree takes. */
  public int largestRecordBytes() {
    return engine.host().largestRecordBytes();
  }

  public EngineStatistics statistics() {
    return engine.statistics();
  }

  /**
   * Changes a live setting of the engine until it is closed.
   *
   * @throws IllegalArgumentException if it is refused, with all reasons; nothing has changed then
   */
  public SettingChange configure(String name, String value) {
    return engine.configure(name, value);
  }

  /** What the engine chose to flush lately, and why. */
  public List<FlushChoice> flushChoices() {
    return engine.flushChoices();
  }

  /** What the engine holds and has done, and what keeps it from its work. */
  public NodeReport report() {
    return NodeReport.of(engine.health(), engine.statistics(), trees::path);
  }

  /** Whether writes are refused because a disk has no room. */
  public boolean isDiskFull() {
    return engine.health().disks().stream().anyMatch(EngineHealth.Disk::isFull);
  }

  /** Closes the engine; AsterixDB has flushed before what is to survive without its log. */
  @Override
  public void close() {
    flushes.close();
    engine.close();
  }
}
