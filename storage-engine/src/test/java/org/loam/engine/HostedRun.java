package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.Monitor;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;

/**
 * The lives of an engine below a {@link SimulatedHost}: two datasets of two trees each, clients
 * whose transactions commit or are rolled back, flushes of whole datasets while no client writes to
 * them, checkpoints tree by tree, crashes, and the redo of what was committed. In half of the seeds
 * write memory grows and shrinks meanwhile.
 */
final class HostedRun {
  /** What happened; added up over runs. */
  static final class Totals {
    long crashes;
    long commits;
    long rollbacks;
    long flushes;
    long redone;
    long skipped;

    /** Redone although it was on disk. */
    long redoneTwice;

    /** Trees of which a crash found some on disk of what was frozen together, and not all. */
    long halfFlushed;

    /** Transactions that the buffer cache lent pages to. */
    long lent;

    /** Sizes of write memory that were asked for. */
    long moves;

    /** Of the engines that a host has opened. */
    final Set<WriteScheme> schemes = EnumSet.noneOf(WriteScheme.class);
  }

  private static final int DATASETS = 2;
  private static final List<String> TREES = List.of("0/records", "0/index", "1/records", "1/index");
  private static final int KEYS = 25;
  private static final EngineConfig CONFIG =
      EngineSimulationTest.config(Durability.SYNC).toBuilder().flushThreshold(0.6).build();

  private static final int LARGE_BYTES = 6000;

  /** Of a transaction that needs more than all of write memory, and ends before any flush. */
  private static final int LARGE_UPDATES = (int) (2 * CONFIG.write().initialBytes() / LARGE_BYTES);

  /** With these a tree has ranges of keys below a host. */
  private static final List<WriteScheme> DIVIDED = List.of(WriteScheme.RANGES, WriteScheme.LEVELS);

  /** With these it has one component there. */
  private static final List<WriteScheme> WHOLE =
      Stream.of(WriteScheme.values()).filter(scheme -> !DIVIDED.contains(scheme)).toList();

  private final long seed;

  private final EngineConfig config;

  /** Of most values. Some seeds have larger ones, of which fewer make a range. */
  private final int mostBytes;

  private final Totals totals;
  private final Random random;
  private final SimulatedHost host;

  /** Transactions whose commit was acknowledged. */
  private final Set<Integer> acknowledged = new TreeSet<>();

  // Of one life; guarded by the host's monitor.
  private final int[] active = new int[DATASETS];
  private final boolean[] flushing = new boolean[DATASETS];
  private boolean done;

  HostedRun(long seed, Totals totals) {
    this.seed = seed;
    this.config = CONFIG.toBuilder().writeScheme(schemeOf(seed)).build();
    this.mostBytes = seed % 2 == 0 ? 300 : 3000;
    this.totals = totals;
    this.random = new Random(seed);
    this.host = new SimulatedHost(new Random(seed * 31));
    totals.schemes.add(config.write().scheme());
  }

  /** A third of the seeds have trees with one component. The schemes of each kind take turns. */
  private static WriteScheme schemeOf(long seed) {
    List<WriteScheme> kind = seed % 3 == 0 ? WHOLE : DIVIDED;
    return kind.get((int) (seed / 3 % kind.size()));
  }

  void run(int lives) {
    try (Simulation sim = Simulation.seeded(seed)) {
      for (int life = 0; life < lives; life++) {
        CrashKind kind = random.nextBoolean() ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
        if (sim.run(() -> live(sim, kind))) {
          sim.crash(CrashKind.PROCESS_DEATH);
        } else {
          totals.crashes++;
        }
        host.crash();
      }
      sim.run(
          () -> {
            Engine engine = open(sim);
            recover(engine);
            engine.close();
          });
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
    }
  }

  private Engine open(Simulation sim) {
    Engine engine = host.open(sim, config);
    for (String name : TREES) {
      if (!engine.hasTree(name)) {
        engine.createTree(name);
      }
    }
    return engine;
  }

  private void live(Simulation sim, CrashKind kind) {
    for (int d = 0; d < DATASETS; d++) {
      active[d] = 0;
      flushing[d] = false;
    }
    done = false;
    Engine engine = open(sim);
    recover(engine);
    if (random.nextBoolean()) {
      sim.crashAtCall(1 + random.nextInt(60), kind);
    } else {
      sim.crashAtStep(1 + random.nextInt(4000), kind);
    }
    Task flusher = sim.env().tasks().start("flusher", () -> flush(sim, engine));
    List<Task> clients = new ArrayList<>();
    for (int c = 0; c < 3; c++) {
      Client client = new Client(sim, engine, c, new Random(random.nextLong()));
      clients.add(sim.env().tasks().start("client", client::run));
    }
    Random sizes = new Random(random.nextLong());
    Task mover = sim.env().tasks().start("mover", () -> move(sim, engine, sizes));
    clients.forEach(Task::join);
    under(() -> done = true);
    flusher.join();
    mover.join();
    check(engine);
    engine.close();
  }

  /** Has write memory move from size to size. */
  private void move(Simulation sim, Engine engine, Random own) {
    long most = 4 * CONFIG.write().initialBytes();
    long least = engine.open().memory().arbiter().leastBytes();
    boolean[] over = {seed % 2 == 0};
    while (!over[0]) {
      long bytes = least + (long) (own.nextDouble() * (most - least));
      engine.configure("write.targetBytes", bytes + "B");
      totals.moves++;
      sim.env().waiter().pause(1 + own.nextInt(300_000));
      under(() -> over[0] = done);
    }
  }

  private void under(Runnable action) {
    Monitor monitor = host.monitor();
    monitor.lock();
    try {
      action.run();
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  // ---- Recovery.

  /** Checks what is on disk, and redoes what is missing. */
  private void recover(Engine engine) {
    assertThat(acknowledged).allMatch(host::isCommitted);
    Map<String, TreeMap<String, byte[]>> onDisk = new HashMap<>();
    for (String name : TREES) {
      onDisk.put(name, contents(engine.tree(name)));
      for (byte[] value : onDisk.get(name).values()) {
        assertThat(host.isCommitted(transactionOf(value))).as("on disk in %s", name).isTrue();
      }
      noteHalfFlushed(name, onDisk.get(name));
    }
    for (SimulatedHost.Entry e : host.committedUpdates()) {
      if (e.lsn() < host.lowWatermark(e.tree())) {
        totals.skipped++;
        continue;
      }
      byte[] found = onDisk.get(e.tree()).get(e.key());
      if (found != null && transactionOf(found) >= e.transaction()) {
        totals.redoneTwice++;
      }
      write(engine.tree(e.tree()), e.key(), e.after());
      totals.redone++;
    }
    check(engine);
  }

  private void noteHalfFlushed(String name, Map<String, byte[]> onDisk) {
    Map<String, Boolean> isThere = new HashMap<>();
    for (SimulatedHost.Entry e : host.takeHalfFlushed(name)) {
      if (e.after() == null) {
        isThere.remove(e.key());
      } else {
        isThere.put(e.key(), Arrays.equals(e.after(), onDisk.get(e.key())));
      }
    }
    if (isThere.containsValue(true) && isThere.containsValue(false)) {
      totals.halfFlushed++;
    }
  }

  private static int transactionOf(byte[] value) {
    return Integer.parseInt(new String(value, UTF_8).split(" ")[0]);
  }

  private void check(Engine engine) {
    Map<String, TreeMap<String, byte[]>> expected = new HashMap<>();
    TREES.forEach(name -> expected.put(name, new TreeMap<>()));
    for (SimulatedHost.Entry e : host.committedUpdates()) {
      TreeMap<String, byte[]> tree = expected.get(e.tree());
      if (e.after() == null) {
        tree.remove(e.key());
      } else {
        tree.put(e.key(), e.after());
      }
    }
    for (String name : TREES) {
      TreeMap<String, byte[]> found = contents(engine.tree(name));
      assertThat(found.keySet()).as(name).isEqualTo(expected.get(name).keySet());
      found.forEach((key, value) -> assertThat(value).isEqualTo(expected.get(name).get(key)));
    }
  }

  private static TreeMap<String, byte[]> contents(Tree tree) {
    TreeMap<String, byte[]> map = new TreeMap<>();
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        map.put(new String(cursor.key(), UTF_8), cursor.value());
      }
    }
    return map;
  }

  private static void write(Tree tree, String key, byte @Nullable [] value) {
    if (value == null) {
      tree.delete(key.getBytes(UTF_8));
    } else {
      tree.put(key.getBytes(UTF_8), value);
    }
  }

  // ---- Flushes.

  private void flush(Simulation sim, Engine engine) {
    Random own = new Random(random.nextLong());
    boolean[] over = {false};
    while (!over[0]) {
      sim.env().waiter().pause(1 + own.nextInt(300_000));
      Set<String> wanted = new TreeSet<>();
      under(
          () -> {
            wanted.addAll(host.takeWanted());
            over[0] = done;
          });
      for (int d = 0; d < DATASETS; d++) {
        int dataset = d;
        if (own.nextInt(6) == 0
            || wanted.stream().anyMatch(name -> name.startsWith(dataset + "/"))) {
          flush(engine, dataset, own);
        }
      }
    }
  }

  /** Waits until no client writes, freezes, lets writers go on, and waits for the disk. */
  private void flush(Engine engine, int dataset, Random own) {
    List<String> names =
        new ArrayList<>(TREES.stream().filter(name -> name.startsWith(dataset + "/")).toList());
    Map<String, Long> flushes = new HashMap<>();
    long[] lsn = new long[1];
    Monitor monitor = host.monitor();
    monitor.lock();
    try {
      flushing[dataset] = true;
      while (active[dataset] > 0) {
        monitor.await();
      }
      lsn[0] = host.endLsn();
      for (String name : names) {
        flushes.put(name, engine.tree(name).host().beginFlush());
        host.flushBegins(name);
      }
      flushing[dataset] = false;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
    Collections.shuffle(names, own);
    for (String name : names) {
      engine.tree(name).host().awaitFlushed(flushes.get(name));
      host.flushed(name, lsn[0]);
      totals.flushes++;
    }
  }

  // ---- Clients, each with keys of its own, as if it held their locks.

  private final class Client {
    private final Simulation sim;
    private final Engine engine;
    private final int id;
    private final Random own;

    Client(Simulation sim, Engine engine, int id, Random own) {
      this.sim = sim;
      this.engine = engine;
      this.id = id;
      this.own = own;
    }

    void run() {
      for (int i = 0; i < 14; i++) {
        transact(own.nextInt(DATASETS));
        sim.env().waiter().pause(own.nextInt(100_000));
      }
    }

    private void transact(int dataset) {
      enter(dataset);
      int transaction = host.begin();
      boolean large = own.nextInt(30) == 0;
      for (int n = large ? LARGE_UPDATES : 1 + own.nextInt(5); n > 0; n--) {
        update(
            transaction,
            dataset,
            large || own.nextInt(20) == 0 ? LARGE_BYTES : own.nextInt(mostBytes));
        if (own.nextInt(4) == 0) {
          sim.env().waiter().pause(own.nextInt(200_000));
        }
      }
      if (engine.open().memory().arbiter().lent() > 0) {
        totals.lent++;
      }
      if (own.nextInt(3) == 0) {
        for (SimulatedHost.Entry e : host.updatesOf(transaction)) {
          assertThat(engine.tree(e.tree()).host().undo(e.key().getBytes(UTF_8))).isTrue();
          assertThat(engine.tree(e.tree()).get(e.key().getBytes(UTF_8))).isEqualTo(e.before());
        }
        totals.rollbacks++;
      } else {
        host.force(host.commit(transaction));
        acknowledged.add(transaction);
        totals.commits++;
      }
      under(() -> active[dataset]--);
    }

    private void enter(int dataset) {
      Monitor monitor = host.monitor();
      monitor.lock();
      try {
        while (flushing[dataset] || host.isShort()) {
          monitor.await(100_000);
        }
        active[dataset]++;
      } finally {
        monitor.unlock();
      }
    }

    /** A record changes, and with it its entry in the index. */
    private void update(int transaction, int dataset, int filler) {
      String key = "c" + id + "/" + own.nextInt(KEYS);
      Tree records = engine.tree(dataset + "/records");
      Tree index = engine.tree(dataset + "/index");
      byte[] old = records.get(key.getBytes(UTF_8));
      byte[] next =
          own.nextInt(4) == 0 ? null : (transaction + " " + "x".repeat(filler)).getBytes(UTF_8);
      log(transaction, records, key, old, next);
      String oldEntry = old == null ? "" : old.length % 7 + "/" + key;
      String nextEntry = next == null ? "" : next.length % 7 + "/" + key;
      if (!oldEntry.isEmpty() && !oldEntry.equals(nextEntry)) {
        log(transaction, index, oldEntry, index.get(oldEntry.getBytes(UTF_8)), null);
      }
      if (!nextEntry.isEmpty()) {
        byte[] entry = (transaction + " ").getBytes(UTF_8);
        log(transaction, index, nextEntry, index.get(nextEntry.getBytes(UTF_8)), entry);
      }
      assertThat(records.get(key.getBytes(UTF_8))).isEqualTo(next);
    }

    /** Logs an update, then makes it. */
    private void log(
        int transaction, Tree tree, String key, byte @Nullable [] before, byte @Nullable [] after) {
      host.update(transaction, tree.name(), key, before, after);
      write(tree, key, after);
    }
  }
}
