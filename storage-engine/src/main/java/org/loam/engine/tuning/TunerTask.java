package org.loam.engine.tuning;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.WokenThread;
import org.loam.common.error.StorageException;
import org.loam.tuner.CycleTimer;
import org.loam.tuner.Tuner;
import org.loam.tuner.TunerOptions;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;
import org.loam.tuner.history.HistoryWriter;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Rule;

/**
 * Ends the tuner's cycles on a thread of its own: takes the sample, asks the tuner, hands the
 * target on, and writes the decision down. While the mode is to keep the split it sleeps, and has
 * nothing watched. An engine that is opened with a tuner that decides begins with the split of its
 * last cycle ({@link LastSplit}). Thread-safe.
 *
 * <p>A cycle that fails is given up alone: no write and no read needs its decision. So it is where
 * there is no heap or no memory of the system for it. A thread that cannot begin to look tries
 * again a little later, and has nothing watched until then.
 */
public final class TunerTask implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(TunerTask.class);

  /** How often it looks at the shares of trees, and whether a cycle has ended. */
  private static final long LOOK_NANOS = 1_000_000_000;

  /** About 800 decisions. */
  private static final long HISTORY_BYTES = 4 << 20;

  private final StorageEnv env;
  private final Supplier<EngineConfig> config;
  private final CycleSampler.Sources sources;
  private final Move move;
  private final Path directory;
  private final long openedNanos;

  /** Whether it decides from the opening on, and so begins with the split that it had last. */
  private final boolean resumes;

  private final WokenThread thread;

  /** What cycles go by. */
  private volatile TunerOptions followed;

  private volatile @Nullable Cycle lastCycle;

  /** Takes the write memory that there is to be. */
  @FunctionalInterface
  public interface Move {
    /**
     * Sets it, and does not wait until it is there.
     *
     * @param counts whether the settings of the moment are still those that it was decided by
     * @return false if they are not; then nothing changes
     */
    boolean to(long writeBytes, BooleanSupplier counts);
  }

  /**
   * A cycle that has ended.
   *
   * @param number from 1 since the engine was opened
   * @param unit what its costs are in
   */
  public record Cycle(long number, CostModel.Unit unit, Decision decision) {}

  /**
   * @param config that of the moment
   * @param move takes what was decided
   * @param directory where the history is
   */
  public TunerTask(
      StorageEnv env,
      Supplier<EngineConfig> config,
      CycleSampler.Sources sources,
      Move move,
      Path directory) {
    this.env = env;
    this.config = config;
    this.sources = sources;
    this.move = move;
    this.directory = directory;
    this.openedNanos = env.clock().nanoTime();
    this.followed = options();
    this.resumes = config.get().tuner().mode() == TunerMode.ADAPTIVE;
    this.thread = new WokenThread(env, "loam-tuner", "tuner", this::run);
  }

  /**
   * The last cycle; null if none has ended. Its target is set, and it is in the history, if that
   * can be written.
   */
  public @Nullable Cycle lastCycle() {
    return lastCycle;
  }

  /** When the engine was opened. */
  public long openedNanos() {
    return openedNanos;
  }

  /** Where the counts of a cycle come from. */
  public CycleSampler.Sources sources() {
    return sources;
  }

  /** The options now. */
  public TunerOptions options() {
    return TunerSettings.options(
        config.get(), sources.memory().poolBytes(), sources.memory().leastBytes());
  }

  /**
   * Takes over what may have changed in the configuration, after the moves of memory have; begins
   * with the first call.
   */
  public void reconfigure() {
    followed = options();
    if (!isFrozen()) {
      thread.wake();
    }
  }

  private boolean isFrozen() {
    return followed.mode() == TunerMode.FROZEN;
  }

  private void run() {
    if (resumes) {
      resume();
    }
    long nanos = Long.MAX_VALUE;
    while (thread.await(nanos)) {
      nanos = live() || isFrozen() ? Long.MAX_VALUE : LOOK_NANOS;
    }
  }

  /** Works until the mode is to keep the split; false if it could not begin. */
  private boolean live() {
    try {
      Life begun = begin();
      if (begun == null) {
        return false;
      }
      try (Life life = begun) {
        while (!isFrozen() && thread.await(LOOK_NANOS)) {
          life.look();
        }
        if (isFrozen()) {
          life.look();
        }
      }
      return true;
    } finally {
      sources.watches().end();
    }
  }

  private @Nullable Life begin() {
    try {
      sources.watches().begin();
      return new Life();
    } catch (OutOfMemoryError e) {
      warn("the memory tuner cannot begin yet", e);
      return null;
    }
  }

  /** What is lacked for a decision may be lacking for this, too. */
  private static void warn(String message, Throwable fault) {
    try {
      LOGGER.warn(message, fault);
    } catch (OutOfMemoryError e) {
      // It can be told of nothing then, and need not be.
    }
  }

  private void resume() {
    try {
      TunerOptions decidedBy = options();
      LastSplit.writeBytes(
              env.files(),
              directory,
              initialBytes(),
              sources.memory().poolBytes(),
              decidedBy.bounds())
          .ifPresent(bytes -> move.to(bytes, () -> counts(decidedBy)));
    } catch (OutOfMemoryError e) {
      warn("the memory tuner begins with write.initialBytes", e);
    }
  }

  /** Whether a target that was decided by these options is to be set now. */
  private boolean counts(TunerOptions decidedBy) {
    return decidedBy.mode() == TunerMode.ADAPTIVE && decidedBy.equals(options());
  }

  /** Why a target was not set. */
  private Rule changedTo() {
    return switch (config.get().tuner().mode()) {
      case FROZEN -> Rule.FROZEN;
      case OBSERVE -> Rule.OBSERVING;
      case ADAPTIVE -> Rule.CHANGED;
    };
  }

  private long initialBytes() {
    return config.get().write().initialBytes();
  }

  /** What the thread alone works with, until the mode is to keep the split. */
  private final class Life implements AutoCloseable {
    private final CycleSampler sampler;
    private final CycleTimer timer;
    private final Tuner tuner =
        new Tuner(
            followed, sources.memory().poolBytes(), TunerSettings.costs(), TunerLevels::sizes);
    private @Nullable HistoryWriter history;
    private boolean warned;

    Life() {
      sampler = new CycleSampler(sources);
      timer = new CycleTimer(sampler.progress(), env.clock().nanoTime());
    }

    void look() {
      try {
        lookNow();
      } catch (OutOfMemoryError e) {
        warn("the memory tuner leaves a look out; memory stays as it is", e);
      }
    }

    private void lookNow() {
      TunerOptions before = tuner.options();
      TunerOptions options = followed;
      if (!before.equals(options)) {
        tuner.configure(options);
      }
      // The split of the last cycle is that which the next opening begins with: a move that a
      // change of the mode has ended is not at its target.
      boolean stays = before.mode() == TunerMode.ADAPTIVE && options.mode() != TunerMode.ADAPTIVE;
      long now = env.clock().nanoTime();
      TunerOptions.Cycle cycle = options.cycle();
      CycleTimer.Progress progress = sampler.progress();
      if (stays || timer.isDue(progress, now, cycle.bytes(), cycle.nanos())) {
        timer.restart(progress, now);
        endCycle();
      } else {
        sampler.look();
      }
    }

    private void endCycle() {
      long target = sources.memory().targetBytes();
      CycleSample sample;
      try {
        sample = sampler.endCycle(config.get().log().maxBytes());
      } catch (RuntimeException | OutOfMemoryError e) {
        warn("the memory tuner could not sample a cycle; memory stays as it is", e);
        return;
      }
      Decision decision;
      try {
        decision = tuner.endCycle(sample, target);
      } catch (RuntimeException e) {
        LOGGER.warn("the memory tuner could not decide by {}; memory stays as it is", sample, e);
        return;
      }
      TunerOptions decidedBy = tuner.options();
      if (changes(decision, target) && !move.to(decision.toBytes(), () -> counts(decidedBy))) {
        decision = decision.resting(changedTo());
      }
      Cycle before = lastCycle;
      Cycle cycle = new Cycle(before == null ? 1 : before.number() + 1, decidedBy.unit(), decision);
      write(sample, cycle);
      // At last: a reader that sees the cycle finds its target and its entry of the history.
      lastCycle = cycle;
      DecisionEvent.record(directory, cycle, decidedBy.mode());
    }

    /** Whether memory would not be as decided by itself: a move may be under way to elsewhere. */
    private boolean changes(Decision decision, long target) {
      boolean isOther = Math.abs(decision.toBytes() - target) >= sources.memory().pageBytes();
      return decision.moves() || (isOther && tuner.options().mode() == TunerMode.ADAPTIVE);
    }

    private void write(CycleSample sample, Cycle cycle) {
      try {
        HistoryWriter open = history;
        if (open == null) {
          open = new HistoryWriter(env.files(), HistoryReader.fileIn(directory), HISTORY_BYTES);
          history = open;
        }
        long millis = (env.clock().nanoTime() - openedNanos) / 1_000_000;
        HistoryEntry.Terms terms =
            new HistoryEntry.Terms(
                tuner.options().mode().name(), cycle.unit().name(), initialBytes());
        open.append(
            HistoryEntry.of(cycle.number(), millis, terms, sample, this::nameOf, cycle.decision()));
        warned = false;
      } catch (StorageException | OutOfMemoryError e) {
        if (!warned) {
          warn("a decision of the memory tuner is not in its history", e);
        }
        warned = true;
      }
    }

    private String nameOf(int treeId) {
      String name = sources.trees().catalog().nameOf(treeId);
      return name == null ? "dropped tree " + treeId : name;
    }

    @Override
    public void close() {
      HistoryWriter open = history;
      if (open != null) {
        close(open);
      }
    }

    private static void close(HistoryWriter open) {
      try {
        open.close();
      } catch (StorageException e) {
        LOGGER.warn("the history of the memory tuner may lack its end: {}", e.getMessage());
      }
    }
  }

  /** Ends the thread; a cycle under way ends before. */
  @Override
  public void close() {
    thread.close();
  }
}
