package org.loam.common.sim;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Mem;

/**
 * Lets exactly one of the threads of a simulation run at a time. All other state of the simulation
 * is guarded by holding the baton; passing it publishes that state. One baton serves one life of a
 * process: a crash stops it for good, and every thread is thrown out where it next asks for
 * something.
 *
 * <p>A thread may lose the baton only at a switching point: {@link #step}, {@link #block}, {@link
 * #spin}, {@link #access} and its end. The thread that made the simulation takes part as the main
 * thread.
 */
final class Baton {
  /** So many turns of spin loops and nothing else in between let time jump. */
  private static final int SPINS_UNTIL_TIME_JUMPS = 64;

  /** So many turns of one thread's spin loop mean that nothing will come. */
  private static final int SPINS_UNTIL_FAILURE = 1_000_000;

  /** So many refused steps after a crash mean that the thread caught it and goes on. */
  private static final int STEPS_AFTER_CRASH = 1_000;

  /** The baton of the simulation in which a thread takes part; none for other threads. */
  private static final ThreadLocal<@Nullable Baton> OF_THREAD = new ThreadLocal<>();

  private final SimRandom random;
  private final Trace trace;
  private final Counters counters;
  private final LockOrder lockOrder = new LockOrder();
  private final String seedText;
  private final SimThread main;
  private final Schedule schedule;
  private final List<Death> deaths = new ArrayList<>();
  private final boolean switchesAtPlainAccesses;

  /** Plain locks of instrumented code. */
  private final Map<Object, SimMonitor> plainLocks = new IdentityHashMap<>();

  /** All threads ever started in this life. */
  private final List<Carrier> started = new ArrayList<>();

  /** Those that will never run anything again. */
  private final List<Carrier> parked = new ArrayList<>();

  private volatile SimThread current;
  private int nextId = 1;
  private int spinsInARow;
  private long stepsUntilAction = Long.MAX_VALUE;
  private Runnable action = () -> {};
  private boolean stopped;
  private @Nullable SimulationFailure failure;
  private boolean failureTold;

  /** A throwable that escaped a thread. */
  record Death(SimThread thread, Throwable cause) {}

  Baton(
      SimRandom random,
      Exploration exploration,
      Trace trace,
      Counters counters,
      String seedText,
      long nowNanos) {
    this.random = random;
    this.trace = trace;
    this.counters = counters;
    this.seedText = seedText;
    this.main = new SimThread(0, "main", true);
    main.thread = Thread.currentThread();
    this.schedule = new Schedule(random, exploration.choice(random), main, nowNanos);
    this.switchesAtPlainAccesses = exploration.plainAccesses();
    this.current = main;
    OF_THREAD.set(this);
  }

  /** The baton of the simulation in which the calling thread takes part; null if in none. */
  static @Nullable Baton ofThisThread() {
    return OF_THREAD.get();
  }

  /** Lets the thread that made the simulation be one like any other again. */
  void leave() {
    if (OF_THREAD.get() == this) {
      OF_THREAD.remove();
    }
  }

  LockOrder lockOrder() {
    return lockOrder;
  }

  SimRandom random() {
    return random;
  }

  SimThread main() {
    return main;
  }

  /** The threads that have not ended, in the order they started. */
  List<SimThread> threads() {
    return schedule.threads();
  }

  /** All threads ever started in this life, the main thread excluded. */
  List<Carrier> started() {
    return started;
  }

  /** Gives the threads of a life that has ended back, and the memory that they left. */
  void clean() {
    for (Carrier carrier : started) {
      Mem.freeAllocatedBy(carrier);
    }
    started.removeAll(parked);
    started.forEach(Carrier::free);
    started.clear();
  }

  List<Death> deaths() {
    return deaths;
  }

  long nowNanos() {
    return schedule.nowNanos();
  }

  long deadline(long nanos) {
    return schedule.deadline(nanos);
  }

  /** Lets simulated time pass, as for an I/O call. */
  void pass(long nanos) {
    schedule.pass(nanos);
  }

  boolean isStopped() {
    return stopped;
  }

  @Nullable SimulationFailure failure() {
    return failure;
  }

  /** The failure, if the main thread was not yet told of it. */
  @Nullable SimulationFailure tellFailure() {
    SimulationFailure untold = failureTold ? null : failure;
    failureTold = failure != null;
    return untold;
  }

  /** Does something at the n-th step from now, in the thread that makes it. */
  void atStep(long n, Runnable what) {
    stepsUntilAction = n;
    action = what;
  }

  /** Makes a number part of the trace's hash. */
  void note(long number) {
    trace.note(number);
  }

  /** The calling thread, which must hold the baton. */
  SimThread current() {
    SimThread me = current;
    if (me.thread != Thread.currentThread()) {
      throw new SimulationFailure(
          "thread "
              + Thread.currentThread().getName()
              + " uses the simulated environment, but was not started by it; "
              + me
              + " holds the baton",
          null);
    }
    return me;
  }

  /**
   * A switching point: time passes, another thread may run.
   *
   * @param about what it happens to, for the trace, like the two numbers
   * @return the calling thread
   */
  SimThread step(String event, String about, long a, long b) {
    spinsInARow = 0;
    SimThread me = point(event, about, a, b);
    me.spins = 0;
    return me;
  }

  private SimThread point(String event, String about, long a, long b) {
    SimThread me = current();
    refuseIfStopped(me);
    counters.steps++;
    schedule.step();
    trace.add(schedule.nowNanos(), me, event, about, a, b);
    if (--stepsUntilAction == 0) {
      action.run();
    }
    counters.choices += isAlone() ? 0 : 1;
    if (schedule.switchIsDue(me)) {
      handOver(me, choose(me, null));
      refuseIfStopped(me);
    }
    return me;
  }

  /**
   * A switching point at an access to memory that threads share. It takes no time, and is no
   * progress for a spin loop.
   *
   * @return the calling thread
   */
  SimThread access() {
    SimThread me = current();
    if (stopped && me == main) {
      // Looks at what a dead process has left.
      return me;
    }
    refuseIfStopped(me);
    if (me.holds > 0 || isAlone()) {
      return me;
    }
    counters.accesses++;
    counters.choices += schedule.isChoice(me) ? 1 : 0;
    if (schedule.switchIsDueAtAccess(me)) {
      trace.add(schedule.nowNanos(), me, "access", "", 0, 0);
      handOver(me, choose(me, null));
      refuseIfStopped(me);
    }
    return me;
  }

  /** Whether there is no other thread: a world is being made, or looked at in the end. */
  private boolean isAlone() {
    return threads().size() == 1;
  }

  /** An access to off-heap memory that is neither volatile nor atomic. */
  void plainAccess() {
    counters.plainAccesses++;
    if (switchesAtPlainAccesses) {
      access();
    }
  }

  /** Takes a plain lock of instrumented code. */
  void enter(Object lock) {
    SimThread me = access();
    if (stopped) {
      return;
    }
    plainLocks
        .computeIfAbsent(
            lock, o -> new SimMonitor(this, DeclaredLocks.PLAIN + o.getClass().getSimpleName()))
        .acquire(me);
  }

  /** Gives back what {@link #enter} took. */
  void exit(Object lock) {
    SimMonitor monitor = plainLocks.get(lock);
    if (monitor != null) {
      monitor.unlock();
    }
  }

  /** Waits until the state lets the thread run again. */
  void block(SimThread me, SimThread.State state) {
    me.state = state;
    me.sinceNanos = schedule.nowNanos();
    handOver(me, choose(me, null));
    refuseIfStopped(me);
    me.state = SimThread.State.RUNNABLE;
    me.wakeAtNanos = Long.MAX_VALUE;
    me.waitedNanos += schedule.nowNanos() - me.sinceNanos;
  }

  /** A turn of a spin loop: another thread that can run does; spinning alone lets time jump. */
  void spin() {
    long begin = schedule.nowNanos();
    SimThread me = point("spin", "", 0, 0);
    if (++spinsInARow % SPINS_UNTIL_TIME_JUMPS == 0) {
      jump();
    }
    if (++me.spins > SPINS_UNTIL_FAILURE) {
      stop(failure("livelock: " + me + " spins for ever", null));
    }
    schedule.spins(me);
    handOver(me, choose(me, me));
    refuseIfStopped(me);
    me.waitedNanos += schedule.nowNanos() - begin;
  }

  /** Starts a thread; it runs when it is chosen. */
  SimThread start(String name, boolean client, Runnable body) {
    SimThread sim = new SimThread(nextId++, name, client);
    // It may begin before its fields are set, but then waits for the baton.
    Carrier carrier = Carrier.of(name, () -> live(sim, body));
    sim.thread = carrier;
    threads().add(sim);
    started.add(carrier);
    return sim;
  }

  private void live(SimThread me, Runnable body) {
    OF_THREAD.set(this);
    awaitBaton(me);
    try {
      if (!stopped) {
        body.run();
        if (me.crashesThrown > 0) {
          fail(failure(me + " swallowed the crash and ended as if nothing had happened", null));
        }
      }
    } catch (SimulatedCrash e) {
      // Unwound, as it should be.
    } catch (Throwable e) {
      if (me.crashesThrown == 0) {
        deaths.add(new Death(me, e));
      }
    }
    end(me);
  }

  private void end(SimThread me) {
    me.state = SimThread.State.ENDED;
    threads().remove(me);
    if (!stopped) {
      trace.add(schedule.nowNanos(), me, "end", "", 0, 0);
    }
    pass(choose(me, null));
  }

  /** Ends this life. */
  void stop(@Nullable SimulationFailure why) {
    if (why != null) {
      fail(why);
    }
    stopped = true;
  }

  /** Called by the main thread after {@link #stop}: lets all others unwind. */
  void unwind() {
    SimThread me = current();
    while (threads().size() > 1) {
      handOver(me, choose(me, null));
    }
  }

  SimulationFailure failure(String what, @Nullable Throwable cause) {
    String message =
        what
            + "\n"
            + seedText
            + "\nlast events:\n"
            + trace
            + "threads:\n"
            + ThreadReport.of(threads(), schedule.nowNanos());
    return new SimulationFailure(message, cause);
  }

  private void fail(SimulationFailure why) {
    if (failure == null) {
      failure = why;
    }
  }

  /** Ends this life, and throws the calling thread out, if something is wrong. */
  void stopIf(@Nullable String wrong) {
    if (wrong != null) {
      stop(failure(wrong, null));
      refuse();
    }
  }

  /** Throws what a thread of a stopped life is to see; to be called after {@link #stop}. */
  void refuse() {
    refuseIfStopped(current());
  }

  private void refuseIfStopped(SimThread me) {
    if (!stopped) {
      return;
    }
    if (me == main && failure != null) {
      failureTold = true;
      throw failure;
    }
    if (++me.crashesThrown > STEPS_AFTER_CRASH) {
      SimulationFailure swallowed = failure(me + " swallowed the crash and goes on", null);
      fail(swallowed);
      if (me == main) {
        throw swallowed;
      }
      if (me.thread instanceof Carrier carrier) {
        parked.add(carrier);
      }
      end(me);
      // Nothing can end the thread from outside; it stays parked for ever.
      while (true) {
        LockSupport.park(this);
      }
    }
    throw new SimulatedCrash("the simulated process has crashed");
  }

  /** The thread that has the baton next; a life in which no thread ever could is stopped. */
  private SimThread choose(SimThread me, @Nullable SimThread except) {
    while (!stopped) {
      SimThread next = schedule.next(except);
      if (next != null) {
        return next;
      }
      if (!jump()) {
        stop(failure("deadlock: every thread waits for another", null));
      }
    }
    return nextToUnwind(me);
  }

  /** A living thread that unwinds keeps the baton until it has ended; the main thread is last. */
  private SimThread nextToUnwind(SimThread me) {
    if (me != main && me.state != SimThread.State.ENDED) {
      return me;
    }
    return threads().size() > 1 ? threads().get(1) : main;
  }

  private boolean jump() {
    boolean jumped = schedule.jump();
    SimThread hanging = schedule.hanging();
    if (hanging != null) {
      stop(failure("hang: " + hanging + " waits while only timers tick", null));
    }
    return jumped;
  }

  private void handOver(SimThread me, SimThread next) {
    if (next != me) {
      pass(next);
      awaitBaton(me);
    }
  }

  private void pass(SimThread next) {
    counters.handOvers++;
    current = next;
    LockSupport.unpark(next.thread);
  }

  private void awaitBaton(SimThread me) {
    boolean interrupted = false;
    while (current != me) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
