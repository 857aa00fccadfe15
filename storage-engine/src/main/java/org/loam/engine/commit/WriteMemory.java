package org.loam.engine.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.mem.Epochs;
import org.loam.engine.commit.FlushChoices.Decision;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.lsm.FlushCause;
import org.loam.lsm.FlushPolicy;
import org.loam.lsm.FlushPolicy.ActiveMemory;
import org.loam.lsm.FlushPolicy.Candidate;
import org.loam.lsm.FlushPolicy.TreeMemory;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.TreeServices;
import org.loam.lsm.memory.MemoryComponent;

/**
 * The write memory that all trees share, and the decision which of their components have to be
 * flushed (MemoryWalls §3, §4.2). A tree has no share of its own. A component is frozen when it has
 * a large part of all write memory.
 *
 * <p>From the threshold on, as much memory is on its way out as is used above the threshold, and a
 * sixteenth of write memory more. So a flush thread finds the next components when it has written
 * some, and writers have room meanwhile. Of many trees a sixteenth is several components, which are
 * flushed together.
 *
 * <p>Decisions are made under the commit latch; waiting is not.
 */
public final class WriteMemory implements TreeServices.Returns {
  /**
   * When to flush.
   *
   * @param policy which components to flush when memory is short
   * @param thresholdRatio used part of the quota at which components are chosen
   * @param componentBytes size at which an active component is frozen
   * @param sizes into how many ranges of keys the memory of a tree is divided
   * @param maxLogBytes length at which the component with the oldest write is flushed
   */
  public record Limits(
      FlushPolicy policy,
      double thresholdRatio,
      long componentBytes,
      RangeSizes sizes,
      long maxLogBytes) {}

  /** Part of write memory that is on its way out, beside what is above the threshold. */
  private static final int FLUSHED_AHEAD = 16;

  /** How often trees are looked at while memory is short: once for each such part of it. */
  private static final int LOOKS = 256;

  /** The writes in so old a part of the log go together when the log is too long. */
  private static final int OLDEST_OF_LOG = 16;

  private final MemoryArbiter pages;
  private final int pageBytes;
  private final Supplier<List<LsmTree>> trees;
  private final @Nullable Consumer<String> host;
  private final Epochs epochs;
  private final Monitor freed;
  private final FlushChoices choices;
  private final BatchRoom room;

  /** While the log grew by its maximum; under the commit latch. */
  private final RecentWrites<LsmTree> recentWrites = new RecentWrites<>(LsmTree::writtenBytes);

  /** Trees that the host was told and has not had frozen since; under the commit latch. */
  private final Set<LsmTree> wanted = new HashSet<>();

  /** Memory that is in no tree any more, and still in use. */
  private final AtomicLong retiredBytes = new AtomicLong();

  /** By the size of write memory; under the commit latch, like what follows. */
  private LongFunction<Limits> limitsOf;

  private Limits limits;

  /** Pages of write memory that {@link #limits} are for. */
  private int limitedPages;

  private @Nullable Runnable onFrozen;

  /** Used pages at the last look at the trees. */
  private int lookedAtPages;

  private long nextLogCheckLsn;

  /**
   * @param limitsOf when to flush, by the bytes of write memory
   * @param trees the open trees, in a fixed order
   * @param host is told the trees that are chosen here, for it to flush them; null if they are
   *     frozen at once
   * @param epochs of those that read memory components
   */
  public WriteMemory(
      MemoryArbiter pages,
      LongFunction<Limits> limitsOf,
      Supplier<List<LsmTree>> trees,
      @Nullable Consumer<String> host,
      Epochs epochs,
      StorageEnv env) {
    this.pages = pages;
    this.pageBytes = pages.pageBytes();
    this.limitsOf = limitsOf;
    this.limits = limitsOf.apply(pages.ownBytes());
    this.limitedPages = pages.own();
    pages.flushesAt(limits.thresholdRatio());
    this.trees = trees;
    this.host = host;
    this.epochs = epochs;
    this.freed = env.waiter().newMonitor("write memory");
    this.choices = new FlushChoices(env.clock());
    this.room = new BatchRoom(pages, host != null);
  }

  /** Changes when to flush; the next write finds out whether it has to. Under the latch. */
  public void change(LongFunction<Limits> changed) {
    limitsOf = changed;
    limitedPages = 0;
    pages.flushesAt(limits().thresholdRatio());
    lookedAtPages = -pages.own();
    nextLogCheckLsn = 0;
  }

  /** When to flush with what write memory has now. Under the latch. */
  private Limits limits() {
    int own = pages.own();
    if (own != limitedPages) {
      limits = limitsOf.apply((long) own * pageBytes);
      limitedPages = own;
    }
    return limits;
  }

  /** What was chosen to be flushed, and why. */
  public FlushChoices choices() {
    return choices;
  }

  /** Sets what runs when there is something to flush. */
  public void onFrozen(Runnable signal) {
    onFrozen = signal;
  }

  /** A host has all of a tree flushed, so that its memory is not divided. */
  private RangeSizes sizes() {
    return host == null ? limits().sizes() : RangeSizes.WHOLE;
  }

  /** The room that batches need, and may have. */
  public BatchRoom room() {
    return room;
  }

  /**
   * Borrows room for a batch from the buffer cache, if no flush is on its way that could make some:
   * a host begins none before the writes under way have ended.
   *
   * @return false if the batch has to wait for a flush
   */
  boolean borrow(PreparedBatch batch) {
    return !mayWaitForFlush() && room.borrow(batch);
  }

  /** Whether a flush makes room even while all writers wait for it. */
  boolean mayWaitForFlush() {
    return host == null || trees.get().stream().anyMatch(LsmTree::hasFrozen);
  }

  /** Looks whether a batch made a flush necessary. Under the commit latch. */
  void afterInsert(PreparedBatch batch, long endLsn, long logBytes) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.changesComponent(i) && isFull(batch.component(i))) {
        Rule rule = isLarge(batch.component(i)) ? Rule.FULL : Rule.GARBAGE;
        Decision decision = decision(FlushCause.MEMORY, rule, endLsn);
        flush(batch.tree(i), Set.of(batch.component(i)), decision);
      }
    }
    int used = pages.used();
    if (used >= pages.thresholdPages() && Math.abs(used - lookedAtPages) * LOOKS >= pages.own()) {
      lookedAtPages = used;
      flushForMemory(endLsn, FlushCause.MEMORY);
    }
    if (endLsn >= nextLogCheckLsn) {
      nextLogCheckLsn = endLsn + limits().maxLogBytes() / 64;
      recentWrites.mark(endLsn, limits().maxLogBytes(), trees.get());
      if (logBytes >= limits().thresholdRatio() * limits().maxLogBytes()) {
        flushForLog(endLsn);
      }
    }
  }

  private boolean isFull(MemoryComponent active) {
    return !active.isFrozen() && (isLarge(active) || isGarbage(active));
  }

  private boolean isLarge(MemoryComponent active) {
    return active.usedBytes() >= limits().componentBytes();
  }

  private boolean isGarbage(MemoryComponent active) {
    long used = active.usedBytes();
    return active.supersededBytes() > used / 2 && used >= limits().componentBytes() / 4;
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
    Map<LsmTree, Set<MemoryComponent>> chosen = choose(excess + ahead - leaving);
    Rule rule = Rule.valueOf(limits().policy().name());
    Decision decision = decision(cause, rule, endLsn);
    chosen.forEach((tree, components) -> flush(tree, components, decision));
    if (chosen.isEmpty() && leaving == 0) {
      // All there is are records that were prepared for batches which did not fit.
      freezeAll(RangeSizes.WHOLE, endLsn, cause);
    }
  }

  /**
   * Asks a host for all flushes: a write waits for more than the cache lends, perhaps in the very
   * dataset that the policy would choose. Under the latch.
   */
  void wantAll(long endLsn) {
    Decision decision = decision(FlushCause.MEMORY, Rule.ALL, endLsn);
    for (LsmTree tree : trees.get()) {
      if (host != null && tree.activeBytes() > 0) {
        if (wanted.add(tree)) {
          choices.add(FlushChoices.ofAll(tree, recentWrites.of(tree), decision));
        }
        host.accept(tree.name());
      }
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

  /** Chooses components with so much memory together, at least one; one alone for a host. */
  private Map<LsmTree, Set<MemoryComponent>> choose(double bytes) {
    List<TreeMemory> memory = new ArrayList<>();
    for (LsmTree tree : trees.get()) {
      List<ActiveMemory> actives =
          tree.activesAlone().stream()
              .map(active -> new ActiveMemory(active, active.usedBytes(), active.minLsn()))
              .toList();
      memory.add(new TreeMemory(tree, tree.activeBytes(), recentWrites.of(tree), actives));
    }
    Map<LsmTree, Set<MemoryComponent>> chosen = new LinkedHashMap<>();
    for (Candidate one : limits().policy().choose(memory, host == null ? (long) bytes : 1)) {
      chosen.computeIfAbsent(one.tree(), tree -> new HashSet<>()).add(one.active().component());
    }
    return chosen;
  }

  /**
   * Has the component with the oldest write flushed, and those whose oldest write is little
   * younger, unless they are already. If memory is empty, the background threads find that the log
   * can be truncated. Under the latch.
   */
  void flushForLog(long endLsn) {
    long oldestLsn = Long.MAX_VALUE;
    for (LsmTree tree : trees.get()) {
      oldestLsn = Math.min(oldestLsn, tree.minUnflushedLsn(List.of()));
    }
    Decision decision = decision(FlushCause.LOG, Rule.OLDEST, endLsn);
    long band = host == null ? limits().maxLogBytes() / OLDEST_OF_LOG : 0;
    boolean any = false;
    for (LsmTree tree : trees.get()) {
      Set<MemoryComponent> oldest = new HashSet<>();
      for (MemoryComponent active : tree.activesAlone()) {
        if (active.minLsn() < Long.MAX_VALUE && active.minLsn() - oldestLsn <= band) {
          oldest.add(active);
        }
      }
      if (!oldest.isEmpty()) {
        flush(tree, oldest, decision);
        any = true;
      }
    }
    if (!any) {
      signal();
    }
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

  /** Bytes that are in use, with those that are lent. */
  public long usedBytes() {
    return (long) pages.used() * pageBytes;
  }

  /** Bytes of write memory without those that are lent to it. */
  public long ownBytes() {
    return pages.ownBytes();
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
