package org.loam.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.sim.Simulation;
import org.loam.engine.host.HostLog;

/**
 * A host with transactions and a log, as AsterixDB has them: it undoes by writing back, redoes what
 * was committed, and flushes all trees of a dataset together while no client writes to it. Its log
 * and its checkpoints are on the heap; a crash leaves those that were forced and a random part of
 * the log's others.
 */
final class SimulatedHost implements HostLog {
  /** A record of the log; tree, key and images of updates only, a null image is no entry. */
  record Entry(
      long lsn,
      int transaction,
      boolean commits,
      String tree,
      String key,
      byte @Nullable [] before,
      byte @Nullable [] after) {
    boolean updates() {
      return !tree.isEmpty();
    }
  }

  private final Random random;

  /** Everything that survived, also what was truncated: to know what should be there. */
  private final List<Entry> archive = new ArrayList<>();

  /** By tree: what lies below is on disk. What a checkpoint says; forced at once. */
  private final Map<String, Long> lowWatermarks = new TreeMap<>();

  /** By tree: up to where the flush of this life that began last will have it on disk. */
  private final Map<String, Long> begun = new TreeMap<>();

  private final Set<String> wanted = new HashSet<>();
  private long endLsn = 1;
  private long keptBytes;
  private int lengthLooks;
  private long durableEnd = 1;
  private int nextTransaction;
  private int recordBytes;
  private @Nullable Waiter waiter;
  private @Nullable Monitor monitor;

  SimulatedHost(Random random) {
    this.random = random;
  }

  /** Lets the log end there, before an engine is opened. */
  void endAt(long lsn) {
    endLsn = lsn;
    durableEnd = lsn;
  }

  /** Has the log grow by so much more with each record: as if it had the values as well. */
  SimulatedHost withLargeRecords(int bytes) {
    recordBytes = bytes;
    return this;
  }

  /** Opens an engine below this host, in a process that begins with it. */
  Engine open(Simulation sim, EngineConfig config) {
    Waiter processWaiter = sim.env().waiter();
    waiter = processWaiter;
    monitor = processWaiter.newMonitor("host");
    return Engine.open(sim.env(), sim.directory(), config, OpenOptions.DEFAULT.withHostLog(this));
  }

  /** Runs an engine below this host from open to close. */
  void inEngine(Simulation sim, EngineConfig config, Consumer<Engine> work) {
    sim.run(
        () -> {
          try (Engine engine = open(sim, config)) {
            work.accept(engine);
          }
        });
  }

  /** The process died: what was not forced may be gone. */
  void crash() {
    long survivingEnd = durableEnd + (long) (random.nextDouble() * (endLsn - durableEnd + 1));
    archive.removeIf(e -> e.lsn() >= survivingEnd);
    endLsn += 10;
    durableEnd = endLsn;
    wanted.clear();
  }

  /** Guards what the trees of the host do together. */
  Monitor monitor() {
    if (monitor == null) {
      throw new AssertionError("not started");
    }
    return monitor;
  }

  int begin() {
    return ++nextTransaction;
  }

  // ---- The log.

  void update(
      int transaction, String tree, String key, byte @Nullable [] before, byte @Nullable [] after) {
    append(new Entry(endLsn, transaction, false, tree, key, before, after));
  }

  /** Returns the exclusive end of the record. */
  long commit(int transaction) {
    append(new Entry(endLsn, transaction, true, "", "", null, null));
    return endLsn;
  }

  private void append(Entry entry) {
    archive.add(entry);
    endLsn += recordBytes + 1 + random.nextInt(3);
  }

  void force(long end) {
    Waiter w = waiter;
    if (durableEnd < end && w != null) {
      long forced = endLsn;
      w.pause(1 + random.nextInt(100_000));
      durableEnd = Math.max(durableEnd, forced);
    }
  }

  /** The updates of a transaction, newest first. */
  List<Entry> updatesOf(int transaction) {
    List<Entry> updates = new ArrayList<>();
    for (Entry e : archive) {
      if (e.transaction() == transaction && e.updates()) {
        updates.add(0, e);
      }
    }
    return updates;
  }

  boolean isCommitted(int transaction) {
    return archive.stream().anyMatch(e -> e.transaction() == transaction && e.commits());
  }

  /** The updates of committed transactions, oldest first. */
  List<Entry> committedUpdates() {
    Set<Integer> committed = new HashSet<>();
    for (Entry e : archive) {
      if (e.commits()) {
        committed.add(e.transaction());
      }
    }
    return archive.stream()
        .filter(e -> e.updates() && committed.contains(e.transaction()))
        .toList();
  }

  // ---- Checkpoints.

  void flushBegins(String tree) {
    begun.put(tree, endLsn);
  }

  /**
   * Takes out the updates of committed transactions that a crash found on their way to disk: those
   * of the tree's flush that had not ended, oldest first.
   */
  List<Entry> takeHalfFlushed(String tree) {
    long end = Optional.ofNullable(begun.remove(tree)).orElse(0L);
    return committedUpdates().stream()
        .filter(e -> e.tree().equals(tree) && e.lsn() >= lowWatermark(tree) && e.lsn() < end)
        .toList();
  }

  void flushed(String tree, long lsn) {
    lowWatermarks.merge(tree, lsn, Math::max);
  }

  long lowWatermark(String tree) {
    return lowWatermarks.getOrDefault(tree, 0L);
  }

  /** Takes note of what was wanted. */
  Set<String> takeWanted() {
    Set<String> taken = new HashSet<>(wanted);
    wanted.clear();
    return taken;
  }

  boolean isShort() {
    return !wanted.isEmpty();
  }

  // ---- What the engine sees.

  @Override
  public long endLsn() {
    return endLsn;
  }

  @Override
  public long lengthBytes() {
    lengthLooks++;
    long lowest = lowWatermarks.values().stream().mapToLong(Long::longValue).min().orElse(0);
    return endLsn - lowest + keptBytes;
  }

  /** How often the engine has asked for the length of the log. */
  int lengthLooks() {
    return lengthLooks;
  }

  /** Has its log be longer by so much than what its trees need of it. */
  void keep(long bytes) {
    keptBytes = bytes;
  }

  @Override
  public void fenced(Throwable cause) {}

  /** The name of its dataset comes before that of a tree; or the tree is alone. */
  @Override
  public String flushUnit(String tree) {
    return tree.split("/", -1)[0];
  }

  @Override
  public void flushWanted(String tree) {
    wanted.add(tree);
  }
}
