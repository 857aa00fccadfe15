package org.loam.lsm;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.loam.common.error.ClosedException;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.version.DiskVersion;
import org.loam.scheduler.run.WriteGate;

/**
 * An LSM B+-tree as writers and readers know it: an active memory component for each range of keys,
 * frozen ones on their way to disk, L0 groups and levels (MemoryWalls §4.1, Stability §2.1). {@link
 * ComponentChanges} of the same {@link TreeState} flushes and merges it.
 *
 * <p>Writes come with an LSN, from Loam's own log or a host's, one at a time and in LSN order,
 * under the commit latch of the log's owner. Reads are lock-free.
 *
 * <p>Nothing here takes the install lock, which is held across the manifest edit: what is called
 * under the commit latch must not wait for that.
 */
public final class LsmTree {
  private final TreeState state;

  /**
   * What was done to a tree since it was opened.
   *
   * @param writtenEntries puts and deletions
   * @param writtenBytes their keys and values
   * @param flushedBytes tables of flushes that were not for the log
   * @param flushedForLogBytes tables of flushes that were
   * @param mergedBytes tables that merges wrote
   */
  public record Work(
      long writtenEntries,
      long writtenBytes,
      long flushedBytes,
      long flushedForLogBytes,
      long mergedBytes) {
    /** Nothing. */
    public static final Work NONE = new Work(0, 0, 0, 0, 0);
  }

  /** The side of a tree for those that write and read it. */
  public LsmTree(TreeState state) {
    this.state = state;
  }

  public int treeId() {
    return state.treeId();
  }

  public String name() {
    return state.name();
  }

  /** Name of the dataset that it belongs to; its own name if it belongs to none. */
  public String dataset() {
    return state.dataset();
  }

  /** Number of the data directory where its tables are. */
  public int directory() {
    return services().store().number();
  }

  /** Where the file of a table of it is. */
  public Path tablePath(int fileId) {
    return services().store().path(fileId);
  }

  /** An entry was written, of a key and a value with so many bytes. Under the commit latch. */
  public void noteWritten(long bytes) {
    state.noteWritten(bytes);
  }

  /**
   * Some of the tree is to be frozen, since memory or the log is full: its levels follow the part
   * of write memory that it has at such times (MemoryWalls §4.1.3). Under the commit latch.
   *
   * @param fillableBytes what a tree fills before it is flushed if it is the only one that is
   *     written
   */
  public void noteMemory(long fillableBytes) {
    state.memoryShare().add((double) memoryBytes() / fillableBytes);
  }

  /** What was done to it. Under the commit latch. */
  public Work work() {
    return state.work();
  }

  /** Memory that merges in memory have filled since the tree was opened. */
  public long mergedInMemoryBytes() {
    return state.mergedInMemoryBytes();
  }

  /** Keys and values written since the tree was opened. Under the commit latch. */
  public long writtenBytes() {
    return state.writtenBytes();
  }

  /** Holds writers back while the tree has too many components. */
  public WriteGate gate() {
    return state.gate();
  }

  TreeServices services() {
    return state.services();
  }

  TreeVersion version() {
    return state.version();
  }

  /** Where writes of a key go now; changes only under the commit latch. */
  public MemoryComponent active(byte[] key) {
    return version().memory.of(key).active();
  }

  /** Where writes of a key go now; changes only under the commit latch. */
  public MemoryComponent active(long key, int keyLength) {
    return version().memory.of(key, keyLength).active();
  }

  /** Where writes go now, in the order of keys: one component for each range of keys. */
  public List<MemoryComponent> actives() {
    return version().memory.actives();
  }

  /** The active components of those ranges of keys in which nothing is frozen. */
  public List<MemoryComponent> activesAlone() {
    return version().memory.activesAlone();
  }

  /**
   * Freezes all active components, so that they can be flushed. Under the commit latch. Memory of
   * records that were prepared in them and not inserted goes with them, flush or not.
   *
   * @param sizes how ranges of keys are divided and joined on this occasion
   * @param endLsn end of the log now
   * @return false if nothing was written to them
   */
  public boolean freeze(RangeSizes sizes, long endLsn, FlushCause cause) {
    List<MemoryComponent> actives = actives();
    boolean isUnused =
        runs().isEmpty() && actives.stream().allMatch(a -> a.maxLsn() < 0 && a.usedBytes() == 0);
    boolean isJoined = actives.size() <= sizes.most();
    return !(isUnused && isJoined) && freeze(Set.copyOf(actives), sizes, endLsn, cause);
  }

  /**
   * Like {@link #freeze(RangeSizes, long, FlushCause)}, of some of the active components, or of
   * runs, with all older ones that overlap them.
   */
  public boolean freeze(
      Set<MemoryComponent> chosen, RangeSizes sizes, long endLsn, FlushCause cause) {
    List<MemoryRun> order = flushOrder();
    Changed changed =
        change(
            before -> {
              if (!before.levels.isEmpty()) {
                return withRunsFrozen(before, chosen, endLsn, cause);
              }
              MemoryRanges.Occasion occasion = before.occasion(endLsn, cause);
              return before.frozen(
                  before.memory.freeze(chosen, sizes, state::newComponent, occasion));
            });
    List<Frozen> frozen = changed.frozen();
    if (cause != FlushCause.LOG && !changed.after().levels.isEmpty()) {
      state.notePartlyFlushed(frozen.stream().mapToLong(Frozen::usedBytes).sum());
      order.stream()
          .filter(run -> chosen.contains(run.component()))
          .forEach(run -> state.setNextFlushKey(run.keys().end()));
    }
    return !frozen.isEmpty();
  }

  /** Freezes runs; with the active component, which is newer than they are, all of them. */
  private TreeVersion withRunsFrozen(
      TreeVersion before, Set<MemoryComponent> chosen, long endLsn, FlushCause cause) {
    MemoryComponent active = before.memory.range(0).active();
    MemoryLevels levels = before.levels;
    if (!chosen.contains(active)) {
      List<MemoryRun> runs =
          levels.all().stream().filter(run -> chosen.contains(run.component())).toList();
      List<MemoryRun> leaving = MemoryLeveling.withOlder(levels.shape(), runs);
      return leaving.isEmpty() ? before : before.leaving(leaving, endLsn, cause);
    }
    TreeVersion settled =
        active.maxLsn() < 0
            ? before.withActive(state.newComponent())
            : before.settled(runOf(active), state.newComponent());
    return settled.leaving(settled.levels.all(), endLsn, cause);
  }

  private MemoryRun runOf(MemoryComponent component) {
    return MemoryRun.of(component, services().memoryEpochs());
  }

  /**
   * Lets the active component be followed by an empty one and stay in memory, to be merged there.
   * Under the commit latch.
   *
   * @return false if nothing was written to it, or if the tree has several ranges of keys: all of
   *     it must be frozen once to have one range
   */
  public boolean settle() {
    Changed changed =
        change(
            before -> {
              MemoryComponent active = before.memory.range(0).active();
              boolean isKept = before.memory.count() == 1 && active.maxLsn() >= 0;
              return isKept ? before.settled(runOf(active), state.newComponent()) : before;
            });
    return changed.after() != changed.before();
  }

  /** The active components, and after them the runs that stay in memory, newest first. */
  public List<MemoryComponent> parts() {
    TreeVersion now = version();
    return Stream.concat(
            now.memory.actives().stream(), now.levels.all().stream().map(MemoryRun::component))
        .toList();
  }

  /** The runs that stay in memory, newest first. A merge in memory may change them any time. */
  public List<MemoryRun> runs() {
    return version().levels.all();
  }

  /** The runs by level. */
  MemoryLeveling.Shape<MemoryRun> shapeInMemory() {
    return version().levels.shape();
  }

  /**
   * The runs in the order in which they are to be flushed when memory is short: those of the last
   * level round robin, from that on which was flushed last. Under the commit latch.
   */
  public List<MemoryRun> flushOrder() {
    return MemoryLeveling.flushOrder(shapeInMemory(), state.nextFlushKey());
  }

  /**
   * Memory of runs that were frozen for the sake of memory, while others stayed. Under the commit
   * latch.
   */
  public long partlyFlushedBytes() {
    return state.partlyFlushedBytes();
  }

  /** Changes which components take writes and which are frozen. */
  private Changed change(UnaryOperator<TreeVersion> change) {
    TreeVersion before;
    TreeVersion after;
    int slot = services().memoryEpochs().enter();
    try {
      do {
        // A drop takes the version without the latch, and retires what it takes: so this must
        // decide by the version that it replaces. A merge in memory takes no latch either.
        before = version();
        after = change.apply(before);
      } while (!state.replaceVersion(before, after));
    } finally {
      services().memoryEpochs().exit(slot);
    }
    Set<MemoryComponent> goOn = Set.copyOf(after.memory.actives());
    for (MemoryComponent active : before.memory.actives()) {
      if (!goOn.contains(active)) {
        active.freeze();
        if (active.maxLsn() < 0) {
          services().memory().retire(active);
        }
      }
    }
    return new Changed(before, after);
  }

  /** A version, and that which took its place. */
  private record Changed(TreeVersion before, TreeVersion after) {
    /** What is frozen now and was not before. */
    List<Frozen> frozen() {
      return List.of(after.frozen).subList(0, after.frozen.length - before.frozen.length);
    }
  }

  /**
   * Takes the newest version of a key away, for the rollback of a host's transaction; the version
   * below shows again. Versions are taken back in the opposite order of their writing, before the
   * transaction counts as ended for the {@link TreeServices.CommitGate}. Under the commit latch,
   * inside a memory epoch.
   *
   * @return false if the newest version in memory has another LSN, or there is none: the write was
   *     undone before, or never came here
   */
  public boolean undo(long key, int keyLength, long lsn) {
    MemoryRanges.Range range = version().memory.of(key, keyLength);
    if (range.active().find(key, keyLength, Long.MAX_VALUE) > 0) {
      return range.active().undo(key, keyLength, lsn);
    }
    for (Frozen frozen : range.frozen()) {
      MemoryComponent component = frozen.runs().get(0).component();
      if (component.find(key, keyLength, Long.MAX_VALUE) > 0) {
        if (services().gate().mayFlush(frozen.endLsn())) {
          throw new AssertionError("undo of LSN " + lsn + ", which may have been flushed");
        }
        return component.undo(key, keyLength, lsn);
      }
    }
    return false;
  }

  /** Whether a frozen component holds writes below an LSN. */
  public boolean hasFrozenBelow(long endLsn) {
    return version().hasFrozenBelow(endLsn);
  }

  /**
   * The greatest LSN such that every write of the tree up to it is on disk, or was undone: what a
   * host's log may be told. Under the commit latch.
   *
   * @param endLsn end of the log now
   */
  public long durableThroughLsn(long endLsn) {
    return Math.min(endLsn, minUnflushedLsn(List.of())) - 1;
  }

  /** Whether a frozen component waits to be flushed, or is being flushed. */
  public boolean hasFrozen() {
    return version().frozen.length > 0;
  }

  /** Memory of the frozen components, which comes back once they are flushed. */
  public long frozenBytes() {
    return version().frozenBytes();
  }

  /**
   * The smallest LSN that is in memory only, {@code Long.MAX_VALUE} if all is on disk. Under the
   * commit latch.
   *
   * @param without components that do not count
   */
  public long minUnflushedLsn(Collection<MemoryComponent> without) {
    return version().minUnflushedLsn(without);
  }

  /** Bytes that merges have yet to move, as of the last change of the components. */
  public long excessBytes() {
    return state.excessBytes();
  }

  /** Memory of the active components, and of runs that stay in memory. */
  public long activeBytes() {
    return version().stayingBytes();
  }

  /** All memory of the tree. */
  public long memoryBytes() {
    return version().memoryBytes();
  }

  /** Of the memory, what is neither superseded nor wasted. */
  public long liveBytes() {
    return version().liveBytes();
  }

  /**
   * LSN of the newest version of a key that is in memory, published or not; -1 if there is none.
   * Inside a memory epoch.
   */
  public long newestLsnInMemory(long key, int keyLength) {
    return version().newestLsn(key, keyLength);
  }

  /** Every write up to it was in components when the tree was opened; -1 if there was none. */
  public long durableLsn() {
    return state.durableLsn();
  }

  /**
   * The largest LSN flushed since the tree was opened, -1 if there was none. To be read after
   * {@link #newestLsnInMemory}, since writes go from there to here.
   */
  public long flushedLsn() {
    return state.flushedLsn();
  }

  /** The disk part now; to be read inside the file epoch only. */
  public DiskVersion disk() {
    return version().disk;
  }

  // ---- Load.

  /**
   * Begins a load: the tree takes no writes until {@link #endLoad}. Under the commit latch.
   *
   * @return false if there is an entry, in memory or on disk; nothing has begun then
   */
  public boolean beginLoad() {
    boolean isEmpty = version().isEmpty();
    state.setLoading(isEmpty);
    return isEmpty;
  }

  /** Whether the tree is being loaded; changes only under the commit latch. */
  public boolean isLoading() {
    return state.isLoading();
  }

  /** The tree takes writes again. Under the commit latch. */
  public void endLoad() {
    state.setLoading(false);
  }

  // ---- End.

  /** Whether the tree was dropped. */
  public boolean isDropped() {
    return state.isDropped();
  }

  /**
   * Lets pass what reads.
   *
   * @throws ClosedException if the tree was dropped
   */
  public void requireNotDropped() {
    if (state.isDropped()) {
      throw new ClosedException(this + " was dropped");
    }
  }

  /**
   * Lets pass what writes.
   *
   * @throws ClosedException if the tree was dropped
   * @throws IllegalStateException if it is being loaded
   */
  public void requireWritable() {
    requireNotDropped();
    if (state.isLoading()) {
      throw new IllegalStateException(
          this + " is being loaded: it takes no writes until its BulkLoad is committed or closed");
    }
  }

  /** Takes no more writes, while and after it is dropped. Under the commit latch. */
  public void markDropped() {
    state.setDropped(true);
  }

  /** The tree could not be dropped and is as before. Under the commit latch. */
  public void unmarkDropped() {
    state.setDropped(false);
  }

  /** Closes tables and frees memory. No reader may be inside, and no operation open. */
  public void close() {
    TreeVersion last = version();
    last.disk.tables().forEach(services().store()::closeQuietly);
    last.memory.actives().forEach(MemoryComponent::release);
    last.levels.all().forEach(run -> run.component().release());
    for (Frozen frozen : last.frozen) {
      frozen.components().forEach(MemoryComponent::release);
    }
  }

  @Override
  public String toString() {
    return "tree '" + name() + "'";
  }
}
