package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.error.ClosedException;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.BulkLoad;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.it.Digits;

/**
 * Edits of the manifest that meet, on a disk that is slow to force them: three threads flush trees,
 * others are dropped while they are written to, and some are loaded while another client looks. It
 * ends in a crash, in half of the seeds right after a load was first seen. What was acknowledged is
 * there afterwards, and so is what was seen of a load.
 */
final class EditsRun {
  private static final int WRITERS = 3;
  private static final int WRITES = 80;
  private static final int KEYS = 8;
  private static final int MAX_VALUE_BYTES = 12_000;
  private static final int ONE_FLUSH_IN = 3;
  private static final int DROPS = 8;
  private static final int LOADS = 4;
  private static final int MAX_STEPS = 6000;
  private static final int PAUSE_NANOS = 2_000_000;
  private static final int LOOK_NANOS = 50_000;
  private static final int SLOW_FORCE_NANOS = 10_000_000;

  private final Simulation sim;
  private final SplittableRandom random;
  private final boolean sync;
  private final CrashKind kind;

  /** Whether power is lost as soon as a load is seen. */
  private final boolean endsAtLook;

  private final EngineConfig config;

  /** Of each writer, its last write that was acknowledged, and the last that was forced. */
  private final int[] acknowledged = new int[WRITERS];

  private final int[] forced = new int[WRITERS];

  /** The tree that is being written to and dropped. */
  private @Nullable Tree dropped;

  private int loadsBegun;

  /** The loads that were committed or seen. */
  private final TreeSet<Integer> loaded = new TreeSet<>();

  EditsRun(Simulation sim) {
    this.sim = sim;
    random = new SplittableRandom(sim.seed());
    sync = random.nextBoolean();
    kind = random.nextBoolean() ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
    endsAtLook = random.nextBoolean();
    config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .pageBytes(4096)
            .durability(sync ? Durability.SYNC : Durability.PROCESS)
            .writeScheme(
                WriteScheme.values()[Math.floorMod(sim.seed(), WriteScheme.values().length)])
            .writeInitialBytes(256 << 10)
            .logSegmentBytes(64 << 10)
            .logMaxBytes(256 << 10)
            .sstableBytes(64 << 10)
            .flushThreads(3)
            .l0MinMerge(2)
            .l0ScanFreeRatio(1)
            .build();
  }

  void run() {
    boolean ended =
        sim.run(
            () -> {
              Engine engine = Engine.open(sim.env(), sim.directory(), config);
              for (int i = 0; i < WRITERS; i++) {
                engine.createTree(kept(i));
              }
              sim.disk().slowForces(EditsRun::isManifest, random.nextInt(SLOW_FORCE_NANOS));
              sim.crashAtStep(1 + random.nextInt(MAX_STEPS), kind);
              work(engine);
            });
    if (ended) {
      sim.crash(CrashKind.PROCESS_DEATH);
    }
    sim.run(this::verify);
  }

  private static boolean isManifest(Path path) {
    return path.getFileName().toString().startsWith("manifest-");
  }

  private void work(Engine engine) {
    List<Runnable> clients = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      clients.add(() -> write(engine, writer));
    }
    clients.add(() -> drop(engine));
    clients.add(this::writeToDropped);
    clients.add(() -> load(engine));
    clients.add(() -> look(engine));
    clients.stream()
        .map(client -> sim.env().tasks().start("client", client))
        .toList()
        .forEach(task -> task.join());
  }

  /** Write n sets key n modulo the number of keys to n and a filling. */
  private void write(Engine engine, int writer) {
    SplittableRandom own = random.split();
    Tree tree = engine.tree(kept(writer));
    for (int n = 1; n <= WRITES; n++) {
      tree.put(key(n), (n + " " + "x".repeat(own.nextInt(MAX_VALUE_BYTES))).getBytes(UTF_8));
      acknowledged[writer] = n;
      boolean flushes = own.nextInt(ONE_FLUSH_IN) == 0;
      if (flushes) {
        tree.flush();
      }
      if (flushes || sync) {
        forced[writer] = n;
      }
    }
  }

  private void drop(Engine engine) {
    SplittableRandom own = random.split();
    for (int i = 0; i < DROPS; i++) {
      Tree tree = engine.createTree("dropped-" + i);
      dropped = tree;
      tree.put(key(0), new byte[own.nextInt(MAX_VALUE_BYTES)]);
      sim.env().waiter().pause(own.nextInt(PAUSE_NANOS));
      engine.dropTree(tree.name());
    }
    dropped = null;
  }

  private void writeToDropped() {
    for (int i = 0; i < WRITES; i++) {
      Tree tree = dropped;
      try {
        if (tree == null) {
          sim.env().waiter().pause(PAUSE_NANOS);
        } else {
          tree.put(key(i), new byte[i]);
        }
      } catch (ClosedException e) {
        sim.env().waiter().pause(PAUSE_NANOS);
      }
    }
  }

  private void load(Engine engine) {
    for (int i = 0; i < LOADS; i++) {
      Tree tree = engine.createTree(loaded(i));
      loadsBegun++;
      try (BulkLoad load = tree.bulkLoad()) {
        for (int key = 0; key < KEYS; key++) {
          load.add(key(key), key(key));
        }
        load.commit();
      }
      loaded.add(i);
    }
  }

  private void look(Engine engine) {
    while (loaded.size() < LOADS) {
      int last = loadsBegun - 1;
      sim.env().waiter().pause(LOOK_NANOS);
      if (last < 0 || loaded.contains(last)) {
        continue;
      }
      if (engine.tree(loaded(last)).get(key(0)) != null) {
        loaded.add(last);
        if (endsAtLook) {
          sim.crash(kind);
        }
      }
    }
  }

  private void verify() {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
      for (int i = 0; i < WRITERS; i++) {
        boolean mayLose = !sync && kind == CrashKind.POWER_LOSS;
        verifyKept(engine.tree(kept(i)), mayLose ? forced[i] : acknowledged[i]);
      }
      for (int i = 0; i < LOADS; i++) {
        boolean there = engine.hasTree(loaded(i)) && engine.tree(loaded(i)).get(key(0)) != null;
        Check.that(there || !loaded.contains(i), loaded(i) + " is gone");
        if (there) {
          verifyLoaded(engine.tree(loaded(i)));
        }
      }
    }
  }

  private static void verifyKept(Tree tree, int required) {
    TreeMap<String, Integer> found = new TreeMap<>();
    int last = 0;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        String value = new String(cursor.value(), UTF_8);
        int number = Integer.parseInt(value.substring(0, value.indexOf(' ')));
        found.put(new String(cursor.key(), UTF_8), number);
        last = Math.max(last, number);
      }
    }
    Check.that(last >= required, tree + " lost write " + required + ", found " + last);
    TreeMap<String, Integer> expected = new TreeMap<>();
    for (int n = 1; n <= last; n++) {
      expected.put(new String(key(n), UTF_8), n);
    }
    Check.that(found.equals(expected), tree + " has " + found + ", expected " + expected);
  }

  private static void verifyLoaded(Tree tree) {
    TreeMap<String, byte[]> expected = new TreeMap<>();
    for (int i = 0; i < KEYS; i++) {
      expected.put(new String(key(i), UTF_8), key(i));
    }
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      Check.entries(tree.name(), cursor, expected);
    }
  }

  private static String kept(int writer) {
    return "kept-" + writer;
  }

  private static String loaded(int load) {
    return "loaded-" + load;
  }

  private static byte[] key(int number) {
    return Digits.of(number % KEYS, 2).getBytes(UTF_8);
  }
}
