package org.loam.common.sim;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.loam.common.env.StorageEnv;
import org.loam.common.mem.Mem;

/**
 * A deterministic world for storage code: one seed decides which thread runs, what time it is, what
 * a crash leaves on disk, which calls fail. The same seed does it all again.
 *
 * <pre>{@code
 * try (Simulation sim = Simulation.seeded(42)) {
 *   sim.crashAtCall(100, CrashKind.POWER_LOSS);
 *   boolean ended = sim.run(
 *       () -> {
 *         Engine engine = Engine.open(sim.env(), config);
 *         engine.put(key, value);
 *       });
 *   // Whatever ended is: this is a new process on the same disk.
 *   sim.run(() -> verify(Engine.open(sim.env(), config)));
 * }
 * }</pre>
 *
 * <p>The thread that makes the simulation takes part in it: it may call the engine directly, and
 * while it does not, nothing else moves. Client bodies given to {@link #run} and the engine's tasks
 * are threads of their own; exactly one thread runs at a time. Code under simulation must wait only
 * through the environment. A failure that the simulation finds (deadlock, hang, livelock, a lock
 * out of order, an exception that kills a thread, a crash that is caught) is a {@link
 * SimulationFailure} in the thread that made it.
 *
 * <p>A crash, and {@link #close}, give back the off-heap memory that clients and tasks allocated
 * and left; so open the engine in a client body where a crash may come, or its memory leaks.
 *
 * <p>Simulations share nothing: many may run in one JVM, each on its own thread.
 */
public final class Simulation implements AutoCloseable {
  /**
   * A seed for one long run: threads that need not switch do so every 64 steps in the mean. With
   * other seeds they do every 2 to 64 steps, and each switch takes microseconds.
   */
  public static final long CALM = 5;

  private static final int SCHEDULE_STREAM = 1;
  private static final int DISK_STREAM = 2;
  private static final int FAULT_STREAM = 3;
  private static final int ENGINE_STREAM = 4;
  private static final Path DIRECTORY = Path.of("/data");

  private final long seed;
  private final Exploration exploration;
  private final SimDisk disk;
  private final SimRandom scheduleRandom;
  private final SimRandom engineRandom;
  private final FaultPlan faults;
  private final Counters counters = new Counters();
  private final Trace trace = new Trace();
  private final Thread maker = Thread.currentThread();
  private final long clockOrigin;

  private final List<SimMapping> deadMappings = new ArrayList<>();
  private Baton baton;
  private SimIo io;
  private StorageEnv env;
  private boolean crashed;

  private Simulation(long seed, SimDisk disk, Exploration exploration) {
    this.seed = seed;
    this.exploration = exploration;
    this.disk = disk;
    this.scheduleRandom = new SimRandom(seed, SCHEDULE_STREAM);
    this.engineRandom = new SimRandom(seed, ENGINE_STREAM);
    this.faults = new FaultPlan(new SimRandom(seed, FAULT_STREAM));
    // Half of all clocks are negative, as System.nanoTime may be.
    this.clockOrigin = engineRandom.nextLong() >> 1;
    disk.random(new SimRandom(seed, DISK_STREAM));
    this.baton = newBaton(0);
    this.io = new SimIo(baton, disk, faults, counters, this::strike);
    this.env = newEnv();
  }

  /** A simulation over an empty disk that has one directory, {@link #directory}. */
  public static Simulation seeded(long seed) {
    return exploring(seed, Exploration.RANDOM);
  }

  /** Like {@link #seeded}, with schedules of a kind. */
  public static Simulation exploring(long seed, Exploration exploration) {
    SimDisk disk = new SimDisk(new SimRandom(seed, DISK_STREAM));
    disk.makeDirectories(DIRECTORY);
    return new Simulation(seed, disk, exploration);
  }

  /** A simulation over a disk that no other simulation is using; copy it to use it twice. */
  public static Simulation over(SimDisk disk, long seed) {
    return over(disk, seed, Exploration.RANDOM);
  }

  /** Like {@link #over(SimDisk, long)}, with schedules of a kind. */
  public static Simulation over(SimDisk disk, long seed, Exploration exploration) {
    return new Simulation(seed, disk, exploration);
  }

  public long seed() {
    return seed;
  }

  /** A directory that exists durably. */
  public Path directory() {
    return DIRECTORY;
  }

  /** The disk, and the tools to look at it and to damage it. */
  public SimDisk disk() {
    return disk;
  }

  /** The faults to inject. */
  public FaultPlan faults() {
    return faults;
  }

  public Counters counters() {
    return counters;
  }

  /** A hash of every scheduling and I/O decision so far: equal if and only if the runs were. */
  public long traceHash() {
    return trace.hash();
  }

  /** The last events as text, for failure messages. */
  public String trace() {
    return trace.toString();
  }

  /**
   * The environment of the running process. After a crash, the thread that made the simulation
   * starts a new process by asking; what belongs to the old one throws {@link SimulatedCrash}.
   */
  public StorageEnv env() {
    if (Thread.currentThread() == maker) {
      revive();
    } else if (baton.isStopped()) {
      baton.refuse();
    }
    return env;
  }

  /**
   * Runs client bodies, each on a thread of its own, until all have ended or the process crashes.
   * Background tasks stay where they are when it returns, and go on when the simulation is used
   * again.
   *
   * @return whether they ended; false if the process crashed
   * @throws SimulationFailure if anything escaped a client or a task, or nothing can go on
   */
  public boolean run(Runnable... clients) {
    revive();
    List<SimThread> started = new ArrayList<>();
    for (int i = 0; i < clients.length; i++) {
      started.add(baton.start("client-" + i, true, clients[i]));
    }
    try {
      baton.main().joined = started;
      baton.block(baton.main(), SimThread.State.JOINING);
    } catch (SimulatedCrash e) {
      clean();
    }
    tellDeaths();
    tellFailure();
    return !crashed;
  }

  /** Lets all other threads run until each of them waits: for a signal, or for time to pass. */
  public void settle() {
    baton.step("settle", "", 0, 0);
    baton.block(baton.main(), SimThread.State.IDLE);
  }

  /**
   * Crashes the process now, or what a crash has left of it once more. In a client or task it
   * throws {@link SimulatedCrash}; in the thread that made the simulation it returns when all
   * others are gone.
   */
  public void crash(CrashKind kind) {
    if (Thread.currentThread() == maker) {
      counters.crashes++;
      stop(kind);
      clean();
      tellFailure();
    } else {
      strike(kind);
    }
  }

  /**
   * Plans a crash of the running process at an I/O call: before it, after it, or in its middle.
   *
   * @param n counts from 1, the next call
   */
  public void crashAtCall(long n, CrashKind kind) {
    revive();
    io.crashAtCall(n, kind);
  }

  /**
   * Plans a crash of the running process at a switching point.
   *
   * @param n counts from 1, the next one
   */
  public void crashAtStep(long n, CrashKind kind) {
    revive();
    baton.atStep(n, () -> strike(kind));
  }

  /**
   * How long the calling client or task has waited so far: for a monitor, a signal, an end or a
   * time, or in a spin loop. The time in which it could run, while another thread had the only
   * processor, is no part of it.
   */
  public long waitedNanos() {
    return baton.current().waitedNanos;
  }

  /** Off-heap bytes that clients and tasks of this process have allocated and not freed. */
  public long liveBytes() {
    long bytes = 0;
    for (Thread thread : baton.started()) {
      bytes += Mem.liveBytesOf(thread);
    }
    return bytes;
  }

  /** Whether the process has crashed and no new one was started. */
  public boolean crashed() {
    return crashed;
  }

  /** Ends all threads, as {@link CrashKind#PROCESS_DEATH} would; the disk stays readable. */
  @Override
  public void close() {
    stop(CrashKind.PROCESS_DEATH);
    clean();
    baton.leave();
    tellFailure();
  }

  private void strike(CrashKind kind) {
    counters.crashes++;
    stop(kind);
    baton.refuse();
  }

  private void stop(CrashKind kind) {
    baton.stop(null);
    deadMappings.addAll(disk.crash(kind, counters));
    crashed = true;
  }

  /** Ends the threads of a dead process and gives back its memory. */
  private void clean() {
    baton.unwind();
    deadMappings.forEach(SimMapping::release);
    deadMappings.clear();
    baton.clean();
  }

  private void revive() {
    if (!baton.isStopped()) {
      return;
    }
    clean();
    SimulationFailure failure = baton.failure();
    if (failure != null) {
      throw failure;
    }
    crashed = false;
    baton = newBaton(baton.nowNanos());
    io = new SimIo(baton, disk, faults, counters, this::strike);
    env = newEnv();
  }

  private Baton newBaton(long nowNanos) {
    return new Baton(
        scheduleRandom, exploration, trace, counters, "simulation seed " + seed, nowNanos);
  }

  private StorageEnv newEnv() {
    Baton life = baton;
    return new StorageEnv(
        new SimFiles(io),
        () -> {
          life.step("clock", "", 0, 0);
          return clockOrigin + life.nowNanos();
        },
        new SimWaiter(life),
        new SimTasks(life),
        engineRandom);
  }

  private void tellDeaths() {
    List<Baton.Death> deaths = baton.deaths();
    if (deaths.isEmpty()) {
      return;
    }
    Baton.Death first = deaths.get(0);
    SimulationFailure failure =
        baton.failure(first.thread() + " died of " + first.cause(), first.cause());
    for (Baton.Death other : deaths.subList(1, deaths.size())) {
      failure.addSuppressed(other.cause());
    }
    deaths.clear();
    throw failure;
  }

  private void tellFailure() {
    SimulationFailure untold = baton.tellFailure();
    if (untold != null) {
      throw untold;
    }
  }
}
