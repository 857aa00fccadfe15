package org.loam.engine.commit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Units;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.DeadlineException;
import org.loam.common.mem.Epochs;
import org.loam.engine.commit.FlushChoices.Decision;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.engine.scheme.MemoryScheme;
import org.loam.engine.scheme.MemoryScheme.Victims;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.TreeServices;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;

/**
 * The write memory that all trees share, and the decision when some of it has to be flushed
 * (MemoryWalls §3, §4.2). A {@link MemoryScheme} says what that is.
 *
 * <p>From the threshold on, as much memory is on its way out as is used above the threshold, and a
 * sixteenth of write memory more. So a flush thread finds the next components when it has written
 * some, and writers have room meanwhile. Of many trees a sixteenth is several components, which are
 * flushed together.
 *
 * <p>Decisions are made under the commit latch; waiting is not.
 */
public final class WriteMemory implements TreeServices.Returns, MemoryScheme.Memory {
  /**
   * When to flush.
   *
   * @param scheme what to flush
   * @param thresholdRatio used part of the quota at which components are chosen
   * @param maxLogBytes length at which the component with the oldest write is flushed
   */
  public record Limits(MemoryScheme scheme, double thresholdRatio, long maxLogBytes) {
    private double memoryThresholdRatio() {
      return thresholdRatio - scheme.keptFreeRatio();
    }
  }

  /** Part of write memory that is on its way out, beside what is above the threshold. */
  private static final int FLUSHED_AHEAD = 16;

  /** How often trees are looked at while memory is short: once for each such part of it. */
  private static final int LOOKS = 256;

  private final MemoryArbiter pages;
  private final int pageBytes;
  private final Supplier<List<LsmTree>> trees;
  private final @Nullable Consumer<String> host;
  private final Epochs epochs;
  private final Monitor freed;
  private final FlushChoices choices;

  /** While the log grew by its maximum; under the commit latch. */
  private final RecentWrites<LsmTree> recentWrites = new RecentWrites<>(LsmTree::writtenBytes);

  /** For the sake of memory, in the same time; under the commit latch. */
  private final RecentWrites<LsmTree> recentFlushes =
      new RecentWrites<>(LsmTree::partlyFlushedBytes);

  /** Trees that the host was told and has not had frozen since; under the commit latch. */
  private final Set<LsmTree> wanted = new HashSet<>();

  /** Memory that is in no tree any more, and still in use. */
  private final AtomicLong retiredBytes = new AtomicLong();

  /** Changes under the commit latch. */
  private volatile Limits limits;

  private @Nullable Runnable onFrozen;

  /** Used pages at the last look at the trees. Under the commit latch, like what follows. */
  private int lookedAtPages;

  private long nextLogCheckLsn;

  /**
   * @param limits when to flush, and what
   * @param trees the open trees, in a fixed order
   * @param host is told the trees that are chosen here, for it to flush them; null if they are
   *     frozen at once
   * @param epochs of those that read memory components
   */
  public WriteMemory(
      MemoryArbiter pages,
      Limits limits,
      Supplier<List<LsmTree>> trees,
      @Nullable Consumer<String> host,
      Epochs epochs,
      StorageEnv env) {
    this.pages = pages;
    this.pageBytes = pages.pageBytes();
    this.limits = limits;
    pages.flushesAt(limits.memoryThresholdRatio());
    this.trees = trees;
    this.host = host;
    this.epochs = epochs;
    this.freed = env.waiter().newMonitor("write memory");
    this.choices = new FlushChoices(env.clock());
  }

  /**
   * Changes when to flush, and what; the next write finds out whether it has to. Under the latch.
   */
  public void change(Limits changed) {
    limits = changed;
    pages.flushesAt(changed.memoryThresholdRatio());
    lookedAtPages = -pages.own();
    nextLogCheckLsn = 0;
  }

  /** What was chosen to be flushed, and why. */
  public FlushChoices choices() {
    return choices;
  }

  /** Sets what runs when there is something to flush. */
  public void onFrozen(Runnable signal) {
    onFrozen = signal;
  }

  /**
   * Refuses a batch that may not find room however much is flushed: it would wait for ever.
   *
   * @throws IllegalArgumentException with the pages that it may take and those of write memory
   */
  void requireFits(PreparedBatch batch) {
    int least = pages.leastPages();
    if (mostPages(batch, batch.treeChanges()) <= least) {
      return;
    }
    long most = mostPages(batch);
    if (most > least) {
      throw new IllegalArgumentException(
          "the batch has "
              + batch.size()
              + " writes in "
              + batch.treeCount()
              + " trees, which may take "
              + most
              + " of "
              + least
              + " pages of write memory; split it, or raise write.initialBytes");
    }
  }

  private long mostPages(PreparedBatch batch) {
    return mostPages(batch, batch.treeCount());
  }

  /** Pages that a batch for so many trees may take, empty as they may be. */
  private long mostPages(PreparedBatch batch, int trees) {
    int writes = batch.size();
    // Each tree begins a page for records. If it has too many ranges for the batch they are joined.
    return MemoryComponent.mostNodePages(writes, trees, pageBytes)
        + trees
        + MemoryComponent.mostRecordPages(writes, batch.dataBytes(), pageBytes);
  }

  private RangeSizes sizes() {
    return limits.scheme().sizes(ownBytes());
  }

  /**
   * Whether a batch may find room. It may still find none, and then leaves what it took in vain to
   * the next flush: one that takes many pages should ask before it tries.
   */
  boolean mayHaveRoom(PreparedBatch batch) {
    return isAdmitted(batch) && pages.free() >= Math.max(1, batch.dataBytes() / pageBytes);
  }

  /** Whether the scheme lets a batch take memory. */
  boolean isAdmitted(PreparedBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.changesTree(i) && !limits.scheme().admits(batch.tree(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Has something flushed for a batch that waits. Under the latch.
   *
   * @return whether the batch need not wait any more
   */
  boolean makeRoom(PreparedBatch batch, long endLsn) {
    if (isAdmitted(batch)) {
      flushForMemory(endLsn, FlushCause.MEMORY);
      return false;
    }
    flush(limits.scheme().admit(this, batch.trees()), endLsn, FlushCause.MEMORY);
    return mayHaveRoom(batch);
  }

  /**
   * Borrows room for a batch from the buffer cache, if no flush is on its way that could make some:
   * a host begins none before the writes under way have ended.
   *
   * @return false if the batch has to wait for a flush
   */
  boolean borrow(PreparedBatch batch) {
    long lacking = mostPages(batch) - pages.free();
    return !mayWaitForFlush() && pages.borrow((int) Math.max(1, lacking));
  }

  /** Whether a flush makes room even while all writers wait for it. */
  boolean mayWaitForFlush() {
    return host == null || trees.get().stream().anyMatch(LsmTree::hasFrozen);
  }

  /** Looks whether a batch made a flush necessary. Under the commit latch. */
  void afterInsert(PreparedBatch batch, long endLsn, long logBytes) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.changesComponent(i)) {
        Victims full = limits.scheme().full(this, batch.tree(i), batch.component(i));
        if (full != null) {
          keepOrFlush(batch.tree(i), full, endLsn);
        }
      }
    }
    int used = pages.used();
    if (used >= pages.thresholdPages() && Math.abs(used - lookedAtPages) * LOOKS >= pages.own()) {
      lookedAtPages = used;
      flushForMemory(endLsn, FlushCause.MEMORY);
    }
    if (endLsn >= nextLogCheckLsn) {
      nextLogCheckLsn = endLsn + limits.maxLogBytes() / 64;
      recentWrites.mark(endLsn, limits.maxLogBytes(), trees.get());
      recentFlushes.mark(endLsn, limits.maxLogBytes(), trees.get());
      if (logBytes >= limits.thresholdRatio() * limits.maxLogBytes()) {
        flushForLog(endLsn);
      }
    }
  }

  private void keepOrFlush(LsmTree tree, Victims full, long endLsn) {
    if (levels() == null) {
      flush(full, endLsn, FlushCause.MEMORY);
    } else if (tree.settle()) {
      signal();
    } else {
      // It was divided by another scheme.
      freeze(tree, endLsn, FlushCause.MEMORY);
    }
  }

  /** How large runs and levels in memory should be; null if nothing is merged there. */
  public MemoryLeveling.@Nullable Sizes levels() {
    return limits.scheme().levels(ownBytes());
  }

  /**
   * Has components flushed for the sake of memory, unless enough of it is on its way out. Under the
   * latch.
   *
   * @param cause why memory is needed
   */
  public void flushForMemory(long endLsn, FlushCause cause) {
    long leaving = leavingBytes();
    // After what is leaving: what came back in between counts for neither.
    double excess = Math.max(0, (pages.used() - pages.thresholdPages()) * pageBytes);
    double ahead = (double) pages.own() * pageBytes / FLUSHED_AHEAD;
    // Half of it is left before they are looked at again.
    if (leaving > 0 && leaving >= excess + ahead / 2) {
      return;
    }
    Victims chosen = limits.scheme().forMemory(this, (long) (excess + ahead - leaving));
    flush(chosen, endLsn, cause);
    if (chosen.components().isEmpty() && leaving == 0) {
      // All there is are records that were prepared for batches which did not fit.
      freezeAll(RangeSizes.WHOLE, endLsn, cause);
    }
  }

  /** Memory that comes back without a further decision. Under the latch. */
  private long leavingBytes() {
    long frozen = 0;
    for (LsmTree tree : trees.get()) {
      frozen += tree.frozenBytes();
    }
    // In this order: a component is retired before it leaves its tree, so that it counts once or
    // twice, and never not at all.
    return frozen + retiredBytes.get();
  }

  /**
   * Has components with the oldest writes flushed. If there are none, the background threads find
   * that the log can be truncated. Under the latch.
   */
  void flushForLog(long endLsn) {
    Victims oldest = limits.scheme().forLog(this, limits.maxLogBytes());
    flush(oldest, endLsn, FlushCause.LOG);
    if (oldest.components().isEmpty()) {
      signal();
    }
  }

  private void flush(Victims victims, long endLsn, FlushCause cause) {
    if (victims.components().isEmpty()) {
      return;
    }
    Decision decision = decision(cause, victims.rule(), endLsn);
    victims.components().forEach((tree, components) -> flush(tree, components, decision));
  }

  /** A decision with what all trees have now. */
  private Decision decision(FlushCause cause, Rule rule, long endLsn) {
    long activeBytes = 0;
    long writtenBytes = 0;
    for (LsmTree tree : trees.get()) {
      activeBytes += tree.activeBytes();
      writtenBytes += recentWrites.of(tree);
    }
    return new Decision(cause, rule, endLsn, activeBytes, writtenBytes, leavingBytes());
  }

  private void flush(LsmTree tree, Set<MemoryComponent> components, Decision decision) {
    if (host != null && !wanted.add(tree)) {
      host.accept(tree.name());
      return;
    }
    tree.noteMemory((long) (limits.thresholdRatio() * treeBytes()));
    List<FlushChoice> made = FlushChoices.of(tree, recentWrites.of(tree), components, decision);
    if (host != null) {
      wanted.removeIf(LsmTree::isDropped);
      made.forEach(choices::add);
      host.accept(tree.name());
    } else if (tree.freeze(components, sizes(), decision.endLsn(), decision.cause())) {
      made.forEach(choices::add);
      signal();
    }
  }

  /** Freezes all trees. Under the commit latch. */
  public void freezeAll(long endLsn, FlushCause cause) {
    freezeAll(sizes(), endLsn, cause);
  }

  /**
   * Freezes all trees. Under the commit latch.
   *
   * @param sizes how ranges of keys are divided and joined on this occasion
   */
  public void freezeAll(RangeSizes sizes, long endLsn, FlushCause cause) {
    Decision decision = decision(cause, Rule.ALL, endLsn);
    boolean any = false;
    for (LsmTree tree : trees.get()) {
      any |= isFrozenNow(tree, sizes, decision);
    }
    if (any) {
      signal();
    }
  }

  /** Freezes one tree. Under the commit latch. */
  public void freeze(LsmTree tree, long endLsn, FlushCause cause) {
    if (isFrozenNow(tree, sizes(), decision(cause, Rule.ALL, endLsn))) {
      signal();
    }
  }

  /** Freezes all of a tree; false if there is nothing to flush. */
  private boolean isFrozenNow(LsmTree tree, RangeSizes sizes, Decision decision) {
    wanted.remove(tree);
    FlushChoice choice = FlushChoices.ofAll(tree, recentWrites.of(tree), decision);
    boolean isFrozen = tree.freeze(sizes, decision.endLsn(), decision.cause());
    if (isFrozen) {
      choices.add(choice);
    }
    return isFrozen;
  }

  private void signal() {
    Runnable told = onFrozen;
    if (told != null) {
      told.run();
    }
  }

  /** The used part of what write memory has by itself: more than 1 with what is lent to it. */
  public double fill() {
    return (double) pages.used() / pages.own();
  }

  /** Bytes that writes may still take now. */
  public long freeBytes() {
    return (long) pages.free() * pageBytes;
  }

  @Override
  public long ownBytes() {
    return pages.ownBytes();
  }

  /** The error of a write that gets no memory, with the pages in use and their owners. */
  DeadlineException lacking(PreparedBatch batch, long waitedNanos) {
    return new DeadlineException(
        "no memory for a write to "
            + batch.tree(0)
            + " for "
            + waitedNanos / 1_000_000_000
            + " s: write memory is full with "
            + describe()
            + " and lends no more, and no flush begins while the writes under way wait;"
            + " nothing was written, write less at once or raise memory.total");
  }

  private String describe() {
    return Units.formatBytes((long) pages.used() * pageBytes)
        + ", of which the buffer cache has lent "
        + Units.formatBytes((long) pages.lent() * pageBytes);
  }

  /** Waits for {@link #wakeAll}, even if a page could be had: a caller needs more than one. */
  public void awaitFreed(long nanos) {
    freed.lock();
    try {
      freed.await(nanos);
    } finally {
      freed.unlock();
    }
  }

  /** Frees what was flushed while a reader was inside, if the reader has left since. */
  public void collect() {
    epochs.collect();
  }

  /** Lets every writer that waits go on, to be refused: the engine is closing or fenced. */
  public void releaseWriters() {
    for (LsmTree tree : trees.get()) {
      tree.gate().release();
    }
    wakeAll();
  }

  /** What a tree that is written to alone has before it is flushed. */
  public long treeBytes() {
    return limits.scheme().treeBytes(ownBytes());
  }

  @Override
  public List<LsmTree> trees() {
    return trees.get();
  }

  @Override
  public long recentBytes(LsmTree tree) {
    return recentWrites.of(tree);
  }

  @Override
  public long recentlyFlushedBytes(LsmTree tree) {
    return recentFlushes.of(tree);
  }

  @Override
  public void leaves(long bytes) {
    retiredBytes.addAndGet(bytes);
  }

  @Override
  public void returned(long bytes) {
    retiredBytes.addAndGet(-bytes);
    wakeAll();
  }

  /** Memory was given back, or waiting is pointless. */
  public void wakeAll() {
    pages.settle();
    freed.lock();
    try {
      freed.signalAll();
    } finally {
      freed.unlock();
    }
  }
}
