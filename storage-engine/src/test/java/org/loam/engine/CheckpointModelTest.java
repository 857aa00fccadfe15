package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Checkpoints of two directories beside writes of batches over trees, trees that are created,
 * loaded and dropped, a dataset with an index that comes and goes, flushes and merges; perhaps
 * until a crash. Each checkpoint has what each client had done at one moment between its call and
 * its return.
 */
@Tag("once")
@ExtendWith(QuietLog.class)
class CheckpointModelTest {
  private static final int SEEDS = 50;
  private static final int CHECKPOINTS = 3;
  private static final int LOADED = 30;

  /** How far a client is: what it has done, and one more if it is at it. */
  private static final class Progress {
    int done;
    int begun;

    void step(Runnable step) {
      begun = done + 1;
      step.run();
      done = begun;
    }
  }

  /** A moment between two counts of a client. */
  private record Bounds(int least, int most) {}

  /** A checkpoint that was begun. */
  private static final class Copy {
    final Path directory;
    final List<Integer> least = new ArrayList<>();
    @Nullable List<Integer> most;

    Copy(Path directory) {
      this.directory = directory;
    }
  }

  /** The clients and what they have done. */
  private static final class World {
    final Simulation sim;
    final Progress batches = new Progress();
    final Progress schema = new Progress();
    final Progress records = new Progress();
    final List<Progress> all = List.of(batches, schema, records);
    final List<Copy> copies = new ArrayList<>();
    private final long seed;
    private boolean ended;
    private int running = 3;

    World(Simulation sim, long seed) {
      this.sim = sim;
      this.seed = seed;
    }

    static byte[] key(int i) {
      return String.format("key%05d", i).getBytes(UTF_8);
    }

    static byte[] number(int i) {
      return Integer.toString(i).getBytes(UTF_8);
    }

    /** Opens a database with additional data directories. */
    Engine open(Path directory, Path... additional) {
      return Engine.open(
          sim.env(),
          directory,
          EngineSimulationTest.config(seed % 2 == 0 ? Durability.SYNC : Durability.PROCESS),
          OpenOptions.DEFAULT.withDirectories(List.of(additional)));
    }

    void prepare(Engine engine) {
      engine.createTree("one");
      engine.createTree("two", TreeOptions.DEFAULT.inDirectory(1));
      engine.createTree("marks");
      engine.datasets().create(Orders.NAME, Orders.RULE, List.of(Orders.BY_COUNTRY));
    }

    private void end() {
      running--;
      ended = running == 0;
    }

    // ---- Clients.

    /** Each batch has a key of its own and a counter, in two trees. */
    void writeBatches(Engine engine) {
      Random random = new Random(seed);
      Tree one = engine.tree("one");
      Tree two = engine.tree("two");
      for (int i = 0; i < 300; i++) {
        byte[] value = new byte[200 + random.nextInt(2500)];
        int n = i;
        batches.step(
            () ->
                engine.write(
                    new WriteBatch()
                        .put(one, key(n), value)
                        .put(one, key(99_999), number(n + 1))
                        .put(two, key(n), value)
                        .put(two, key(99_999), number(n + 1))));
      }
      end();
    }

    /** Five events for each tree: it is created, loaded, marked, dropped, marked. */
    void changeTrees(Engine engine) {
      for (int i = 0; i < 40; i++) {
        int n = i;
        schema.step(() -> change(engine, n));
      }
      end();
    }

    private static void change(Engine engine, int event) {
      String name = "passing" + event / 5;
      switch (event % 5) {
        case 0 -> engine.createTree(name, TreeOptions.DEFAULT.inDirectory(event / 5 % 2));
        case 1 -> {
          try (BulkLoad load = engine.tree(name).bulkLoad()) {
            for (int i = 0; i < LOADED; i++) {
              load.add(key(i), new byte[500]);
            }
            load.commit();
          }
        }
        case 3 -> engine.dropTree(name);
        default -> engine.tree("marks").put(key(0), number(event));
      }
    }

    /** Records come one by one; every fifteenth time an index comes or goes. */
    void changeRecords(Engine engine) {
      Dataset orders = engine.datasets().open(Orders.NAME, Orders.RULE, indexes(engine));
      for (int i = 0; i < 120; i++) {
        if (i % 30 == 14) {
          orders.createIndex(Orders.BY_AMOUNT);
        } else if (i % 30 == 29) {
          orders.dropIndex(Orders.BY_AMOUNT.name());
        }
        int n = i;
        records.step(
            () ->
                orders.upsert(key(n), Orders.bytes("N" + n % 7 + ";" + n + ";;" + "x".repeat(n))));
      }
      end();
    }

    void maintain(Engine engine) {
      Random random = new Random(~seed);
      while (!ended) {
        sim.env().waiter().pause(1 + random.nextInt(40_000_000));
        if (random.nextBoolean()) {
          engine.flush();
        } else {
          engine.tree(random.nextBoolean() ? "one" : "two").compact();
        }
      }
    }

    void checkpoint(Engine engine) {
      Random random = new Random(seed + 77);
      for (int i = 0; i < CHECKPOINTS; i++) {
        sim.env().waiter().pause(1 + random.nextInt(150_000_000));
        Copy copy = new Copy(Path.of("/backup/" + i));
        copies.add(copy);
        all.forEach(client -> copy.least.add(client.done));
        engine.checkpoint(copy.directory);
        copy.most = all.stream().map(client -> client.begun).toList();
      }
    }

    // ---- Checks.

    /** Opens what a checkpoint has left; returns whether that is a database. */
    boolean check(Copy copy) {
      if (!sim.env().files().exists(copy.directory.resolve("current"))) {
        assertThat(copy.most).as("an end of %s", copy.directory).isNull();
        return false;
      }
      List<Integer> most =
          copy.most != null ? copy.most : all.stream().map(client -> client.begun).toList();
      try (Engine engine = open(copy.directory)) {
        requireBatches(engine, new Bounds(copy.least.get(0), most.get(0)));
        requireTrees(engine, new Bounds(copy.least.get(1), most.get(1)));
        requireRecords(engine, new Bounds(copy.least.get(2), most.get(2)));
        assertThat(engine.verify().findings()).isEmpty();
      }
      return true;
    }

    private static void requireBatches(Engine engine, Bounds bounds) {
      int[] counts = new int[2];
      for (int t = 0; t < 2; t++) {
        Tree tree = engine.tree(t == 0 ? "one" : "two");
        byte[] counter = tree.get(key(99_999));
        counts[t] = counter == null ? 0 : Integer.parseInt(new String(counter, UTF_8));
        try (Cursor cursor = tree.scan(ScanOptions.all())) {
          for (int i = 0; i < counts[t]; i++) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key()).isEqualTo(key(i));
          }
          assertThat(cursor.next()).isEqualTo(counts[t] > 0);
          assertThat(cursor.next()).isFalse();
        }
      }
      assertThat(counts[1]).isEqualTo(counts[0]);
      assertThat(counts[0]).isBetween(bounds.least(), bounds.most());
    }

    /** The tree and its entries, and the last mark, after so many events. */
    private static String after(int events) {
      TreeMap<String, Integer> trees = new TreeMap<>();
      int mark = -1;
      for (int event = 0; event < events; event++) {
        String name = "passing" + event / 5;
        switch (event % 5) {
          case 0 -> trees.put(name, 0);
          case 1 -> trees.put(name, LOADED);
          case 3 -> trees.remove(name);
          default -> mark = event;
        }
      }
      return trees + " " + mark;
    }

    private static void requireTrees(Engine engine, Bounds bounds) {
      TreeMap<String, Integer> trees = new TreeMap<>();
      for (Tree tree : engine.trees()) {
        if (tree.name().startsWith("passing")) {
          int entries = 0;
          try (Cursor cursor = tree.scan(ScanOptions.all())) {
            while (cursor.next()) {
              entries++;
            }
          }
          trees.put(tree.name(), entries);
        }
      }
      byte[] mark = engine.tree("marks").get(key(0));
      String found = trees + " " + (mark == null ? "-1" : new String(mark, UTF_8));
      List<String> allowed = new ArrayList<>();
      for (int events = bounds.least(); events <= bounds.most(); events++) {
        allowed.add(after(events));
      }
      assertThat(allowed).contains(found);
    }

    private static List<IndexDefinition> indexes(Engine engine) {
      List<String> names =
          engine.datasets().describe(Orders.NAME).indexes().stream()
              .map(DatasetDescription.IndexDescription::name)
              .toList();
      return Orders.INDEXES.stream().filter(index -> names.contains(index.name())).toList();
    }

    private static void requireRecords(Engine engine, Bounds bounds) {
      List<IndexDefinition> indexes = indexes(engine);
      Dataset orders = engine.datasets().open(Orders.NAME, Orders.RULE, indexes);
      int found = 0;
      try (Cursor cursor = orders.scan(ScanOptions.all())) {
        while (cursor.next()) {
          assertThat(cursor.key()).isEqualTo(key(found));
          found++;
        }
      }
      assertThat(found).isBetween(bounds.least(), bounds.most());
      assertThat(Orders.verify(orders, indexes)).isEqualTo(found * indexes.size());
    }
  }

  /** Returns how many checkpoints are databases. */
  private static int run(long seed, @Nullable CrashKind kind) {
    int[] whole = new int[1];
    try (Simulation sim = Simulation.seeded(seed)) {
      World world = new World(sim, seed);
      Engine[] opened = new Engine[1];
      sim.run(
          () -> {
            opened[0] = world.open(sim.directory(), Path.of("/mnt/a"));
            world.prepare(opened[0]);
          });
      Engine engine = opened[0];
      if (kind != null) {
        sim.crashAtCall(1 + new Random(seed).nextInt(1500), kind);
      }
      boolean ended =
          sim.run(
              () -> world.writeBatches(engine),
              () -> world.changeTrees(engine),
              () -> world.changeRecords(engine),
              () -> world.maintain(engine),
              () -> world.checkpoint(engine));
      if (ended) {
        sim.run(engine::close);
        sim.crash(CrashKind.PROCESS_DEATH);
      }
      sim.run(
          () -> {
            for (Copy copy : world.copies) {
              whole[0] += world.check(copy) ? 1 : 0;
            }
          });
      assertThat(whole[0] == CHECKPOINTS || kind != null).isTrue();
      return whole[0];
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ", " + kind, t);
    }
  }

  @Test
  void eachCheckpointIsOfOneMoment() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, null);
    }
  }

  @Test
  void eachCheckpointBeforeACrashIsOfOneMoment() {
    int whole = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      whole += run(seed, CrashKind.values()[(int) (seed / 2 % 2)]);
    }
    assertThat(whole).isBetween(SEEDS / 4, CHECKPOINTS * SEEDS - SEEDS / 4);
  }
}
