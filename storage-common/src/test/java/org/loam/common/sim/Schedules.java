package org.loam.common.sim;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Explores schedules of a small world: the same threads again and again, each time in another order
 * of their accesses. Of four schedules three are by priorities, see {@link PriorityChoice}, with
 * one to four constraints; every other one has switching points at plain accesses to off-heap
 * memory, too.
 *
 * <p>Small worlds show more: two or three threads, few operations, fresh structures in each run.
 */
public final class Schedules {
  private static final int MAX_DEPTH = 4;

  /** Replays one schedule. */
  private static final Long ONLY = Long.getLong("loam.schedule.seed");

  /** The seed of the first schedule; another in each soak. */
  private static final long FIRST = Long.getLong("loam.schedule.first", 0);

  /** So many times more schedules than a build has. */
  private static final int TIMES = Integer.getInteger("loam.schedule.times", 1);

  private final Consumer<Simulation> world;

  /**
   * Switching points of a run that count, without and with those at plain accesses; 0 if not known
   * yet.
   */
  private long accesses;

  private long all;

  /**
   * Schedules to be run one by one, by one thread.
   *
   * @param world makes what the threads share, lets them run with {@link Simulation#run}, and
   *     checks what came of it; called once for each schedule
   */
  public Schedules(Consumer<Simulation> world) {
    this.world = world;
  }

  /**
   * Runs a world in each of some schedules.
   *
   * @param count of schedules
   * @param world see {@link #Schedules}
   * @throws AssertionError if one failed, with its seed
   */
  public static void explore(int count, Consumer<Simulation> world) {
    Schedules schedules = new Schedules(world);
    if (ONLY != null) {
      schedules.run(ONLY);
      return;
    }
    for (long seed = FIRST; seed < FIRST + (long) count * TIMES; seed++) {
      schedules.run(seed);
    }
  }

  /**
   * Makes what threads share and what takes many accesses, such as an engine: in a client, so that
   * a schedule that fails leaks no memory, and without a switch at an access.
   */
  public static <T> T prepare(Simulation sim, Supplier<T> maker) {
    AtomicReference<T> made = new AtomicReference<>();
    sim.run(
        () -> {
          SwitchPoints.hold();
          try {
            made.set(maker.get());
          } finally {
            SwitchPoints.release();
          }
        });
    return made.get();
  }

  /**
   * The same, with a first step of the test.
   *
   * @param before takes no switch at an access either
   */
  public static <T> T prepare(Simulation sim, Supplier<T> maker, Consumer<? super T> before) {
    return prepare(
        sim,
        () -> {
          T made = maker.get();
          before.accept(made);
          return made;
        });
  }

  /** Verifies or closes what threads have shared, as {@link #prepare(Simulation, Supplier)}. */
  public static void finish(Simulation sim, Runnable step) {
    prepare(sim, () -> step, Runnable::run);
  }

  /**
   * Runs the world in one schedule.
   *
   * @throws AssertionError if it failed, with its seed
   */
  public void run(long seed) {
    if (all == 0) {
      accesses = run(0, new Exploration(0, 0, false));
      all = run(0, new Exploration(0, 0, true));
    }
    run(seed, kind(seed));
  }

  private Exploration kind(long seed) {
    boolean plainToo = (seed & 1) != 0;
    boolean byPriorities = (seed & 6) != 0;
    int depth = byPriorities ? 1 + (int) ((seed >>> 3) % MAX_DEPTH) : 0;
    return new Exploration(depth, plainToo ? all : accesses, plainToo);
  }

  /** The switching points of the run at which another thread could run. */
  private long run(long seed, Exploration exploration) {
    try (Simulation sim = Simulation.exploring(seed, exploration)) {
      world.accept(sim);
      return sim.counters().choices();
    } catch (Throwable e) {
      throw new AssertionError(
          "schedule " + seed + " (" + exploration + "), again with -Dloam.schedule.seed=" + seed,
          e);
    }
  }
}
