package org.loam.engine.commit;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.NanoClock;
import org.loam.engine.commit.FlushChoices.Decision;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.FlushChoice.Compared;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.engine.scheme.MemoryScheme.Victims;
import org.loam.lsm.FlushCause;
import org.loam.lsm.Freezes.FrozenPart;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;

/**
 * Freezes what is to be flushed, or asks a host for the flush, and records the choice. Under the
 * commit latch.
 */
public final class Freezer {
  private final WriteMemory memory;
  private final @Nullable Consumer<String> host;
  private final FlushChoices choices;

  /** Trees that the host was told and has not had frozen since. */
  private final Set<LsmTree> wanted = new HashSet<>();

  /** Why: of these and of all others that the host flushes with them. */
  private final Map<LsmTree, FlushCause> causes = new HashMap<>();

  private @Nullable Runnable onFrozen;

  /**
   * @param host is told the trees that are chosen, for it to flush them; null if they are frozen at
   *     once
   */
  public Freezer(WriteMemory memory, @Nullable Consumer<String> host, NanoClock clock) {
    this.memory = memory;
    this.host = host;
    this.choices = new FlushChoices(clock);
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
   * There may be something to flush, or to merge in memory. Threads look for it once the commit
   * latch is free. So a freeze comes after it: one that fails may have frozen something.
   */
  void signal() {
    Runnable told = onFrozen;
    if (told != null) {
      told.run();
    }
  }

  /** Whether a flush makes room even while all writers wait for it. May be asked by any thread. */
  boolean mayWaitForFlush() {
    return host == null || memory.trees().stream().anyMatch(LsmTree::hasFrozen);
  }

  // ---- What was chosen.

  /**
   * Freezes what a scheme has chosen, or asks a host for the flush of these trees.
   *
   * @param fillableBytes what a tree fills before it is flushed if it is the only one that is
   *     written
   */
  void freeze(Victims victims, long fillableBytes, long endLsn, FlushCause cause) {
    Set<LsmTree> trees = victims.components().keySet();
    if (trees.isEmpty()) {
      return;
    }
    if (host != null) {
      ask(host, trees, cause, victims.rule(), endLsn)
          .forEach(tree -> tree.freezes().noteMemory(fillableBytes));
      return;
    }
    Decision decision = decision(cause, victims.rule(), endLsn);
    signal();
    for (LsmTree tree : trees) {
      tree.freezes().noteMemory(fillableBytes);
      Set<MemoryComponent> chosen = victims.components().getOrDefault(tree, Set.of());
      Compared compared = decision.compared(tree, memory.recentBytes(tree));
      List<FrozenPart> frozen = tree.freezes().freeze(chosen, memory.sizes(), endLsn, cause);
      frozen.forEach(part -> choices.add(decision.of(tree, part, compared)));
    }
  }

  /**
   * Asks a host for all flushes: a write waits for more than the cache lends, perhaps in the very
   * dataset that the policy would choose.
   */
  void wantAll(long endLsn) {
    if (host != null) {
      List<LsmTree> trees = memory.trees().stream().filter(tree -> tree.activeBytes() > 0).toList();
      ask(host, trees, FlushCause.MEMORY, Rule.ALL, endLsn);
    }
  }

  /**
   * Asks a host for the flushes of trees, and records the choice of those that it was not asked for
   * since they were frozen last.
   *
   * @return these
   */
  private List<LsmTree> ask(
      Consumer<String> told, Collection<LsmTree> trees, FlushCause cause, Rule rule, long endLsn) {
    List<LsmTree> chosen = trees.stream().filter(wanted::add).toList();
    if (!chosen.isEmpty()) {
      wanted.removeIf(LsmTree::isDropped);
      noteCause(chosen, cause);
      Decision decision = decision(cause, rule, endLsn);
      chosen.forEach(
          tree -> choices.add(FlushChoices.ofAll(tree, memory.recentBytes(tree), decision)));
    }
    trees.forEach(tree -> told.accept(tree.name()));
    return chosen;
  }

  private void noteCause(List<LsmTree> chosen, FlushCause cause) {
    causes.keySet().removeIf(LsmTree::isDropped);
    Set<String> units = chosen.stream().map(memory::flushUnit).collect(Collectors.toSet());
    for (LsmTree tree : memory.trees()) {
      if (units.contains(memory.flushUnit(tree))) {
        causes.putIfAbsent(tree, cause);
      }
    }
  }

  /** A decision with what all trees have now. */
  private Decision decision(FlushCause cause, Rule rule, long endLsn) {
    long activeBytes = 0;
    long writtenBytes = 0;
    for (LsmTree tree : memory.trees()) {
      activeBytes += tree.activeBytes();
      writtenBytes += memory.recentBytes(tree);
    }
    return new Decision(cause, rule, endLsn, activeBytes, writtenBytes, memory.leavingBytes());
  }

  // ---- All of a tree.

  /** Freezes all trees. */
  public void freezeAll(long endLsn, FlushCause cause) {
    freezeAll(memory.sizes(), endLsn, cause);
  }

  /**
   * Freezes all trees.
   *
   * @param sizes how ranges of keys are divided and joined on this occasion
   */
  public void freezeAll(RangeSizes sizes, long endLsn, FlushCause cause) {
    Decision decision = decision(cause, Rule.ALL, endLsn);
    memory.trees().forEach(tree -> freeze(tree, sizes, decision));
  }

  /** Freezes one tree. */
  public void freeze(LsmTree tree, long endLsn, FlushCause cause) {
    freeze(tree, memory.sizes(), decision(cause, Rule.ALL, endLsn));
  }

  /** Freezes all of a tree. If a host was told of it, that is the cause. */
  private void freeze(LsmTree tree, RangeSizes sizes, Decision decision) {
    wanted.remove(tree);
    FlushCause told = causes.remove(tree);
    FlushCause cause = told == null ? decision.cause() : told;
    FlushChoice choice = FlushChoices.ofAll(tree, memory.recentBytes(tree), decision);
    signal();
    if (tree.freezes().freeze(sizes, decision.endLsn(), cause)) {
      choices.add(choice);
    }
  }
}
