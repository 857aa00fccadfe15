package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.OpenOptions;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;
import org.loam.engine.report.EventListener;
import org.loam.it.Digits;
import org.loam.it.crash.ClientHistory.Batch;
import org.loam.it.crash.ClientHistory.Change;

/**
 * A tree with small groups of keys that are written again and again, far apart among keys that
 * hardly are. Its write memory is divided into ranges, and what is flushed together has gaps. Each
 * life ends in a crash, and half of the recoveries crash, too. A batch writes its number to another
 * tree: what is there afterwards must be all of so many batches of a writer, and nothing else.
 */
final class PopularKeysRun implements EventListener {
  private static final int LIVES = 4;
  private static final int WRITERS = 2;
  private static final String TREE = "main";
  private static final String NUMBERS = "numbers";

  /** Of a writer. */
  private static final int KEYS = 160;

  private static final int FILLING_BYTES = 3000;

  /** So that memory is divided at keys that are spread over all of them. */
  private static final int ONE_SPREAD_IN = 12;

  private static final int GROUPS = 5;
  private static final int GROUP_KEYS = 6;
  private static final int POPULAR_GROUPS = 2;
  private static final int PHASES = 6;
  private static final int WRITES = 18;
  private static final int MAX_VALUE_BYTES = 1500;
  private static final int ONE_DELETION_IN = 5;
  private static final int ONE_SCAN_IN = 60;
  private static final int ONE_FLUSH_IN = 2;
  private static final int ROUNDS = 2;
  private static final int MAX_STEPS = 9000;
  private static final int SLOW_FORCE_NANOS = 10_000_000;
  private static final int MAX_RECOVERY_CALLS = 80;

  private static final int PAGE_BYTES = 4096;

  /** Guards divide a flush only if the parts have as much memory, in the mean. */
  private static final long LEAST_PIECE_BYTES = 16 * PAGE_BYTES;

  private final Simulation sim;
  private final SplittableRandom random;
  private final EngineConfig config;
  private final List<Writer> writers = new ArrayList<>();

  /** Whether power was lost since the content was last verified. */
  private boolean powerLost;

  /** Of the tree with popular keys, since it was filled. */
  private int flushes;

  private int flushesCutAtGaps;

  PopularKeysRun(Simulation sim) {
    this.sim = sim;
    random = new SplittableRandom(sim.seed());
    config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .pageBytes(PAGE_BYTES)
            .durability(random.nextBoolean() ? Durability.SYNC : Durability.PROCESS)
            .writeScheme(WriteScheme.RANGES)
            .writeInitialBytes(512 << 10)
            .logSegmentBytes(64 << 10)
            .logMaxBytes(128 << 10)
            // Not reached by a flush, so that none is cut for the size of a table.
            .sstableBytes(1 << 20)
            // So that there are guards however little memory the tree has when it is flushed.
            .sizedForBytes(16 << 20)
            .flushThreads(1 + random.nextInt(2))
            .tunerMode(TunerMode.FROZEN)
            .build();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new Writer(i));
    }
  }

  /** Flushes of the tree with popular keys. */
  int flushes() {
    return flushes;
  }

  /** Flushes that are in several tables only because their keys have a gap. */
  int flushesCutAtGaps() {
    return flushesCutAtGaps;
  }

  @Override
  public void flushEnded(FlushEnded flush) {
    if (flush.installed() && flush.begun().tree().equals(TREE)) {
      flushes++;
      boolean cutAtGaps = (flush.tables() - 1) * LEAST_PIECE_BYTES > flush.begun().bytes();
      flushesCutAtGaps += cutAtGaps ? 1 : 0;
    }
  }

  void run() {
    live(kind -> fill());
    for (int life = 0; life < LIVES; life++) {
      if (random.nextBoolean()) {
        int call = 1 + random.nextInt(MAX_RECOVERY_CALLS);
        live(
            kind -> {
              sim.crashAtCall(call, kind);
              open();
            });
      }
      int step = 1 + random.nextInt(MAX_STEPS);
      live(
          kind -> {
            Engine engine = verified();
            sim.disk().slowForces(path -> true, random.nextInt(SLOW_FORCE_NANOS));
            sim.crashAtStep(step, kind);
            work(engine);
          });
    }
    sim.run(() -> verified().close());
  }

  /** A life, which ends in a crash of this kind at last. */
  private void live(Consumer<CrashKind> body) {
    CrashKind kind = random.nextBoolean() ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
    if (sim.run(() -> body.accept(kind))) {
      sim.crash(kind);
    }
    powerLost |= kind == CrashKind.POWER_LOSS;
  }

  private Engine open() {
    return Engine.open(sim.env(), sim.directory(), config, OpenOptions.DEFAULT.withListener(this));
  }

  private void fill() {
    Engine engine = Engine.open(sim.env(), sim.directory(), config);
    engine.createTree(NUMBERS);
    Tree tree = engine.createTree(TREE);
    together(engine, writer -> writer.writeEach(engine, 1));
    tree.compact();
  }

  private Engine verified() {
    Engine engine = open();
    boolean mayLose = powerLost && config.log().durability() == Durability.PROCESS;
    writers.forEach(writer -> writer.verify(engine, mayLose));
    powerLost = false;
    return engine;
  }

  private void work(Engine engine) {
    for (int round = 0; round < ROUNDS; round++) {
      together(engine, writer -> writer.writeEach(engine, ONE_SPREAD_IN));
      for (int phase = 0; phase < PHASES; phase++) {
        together(engine, writer -> writer.writePopular(engine));
      }
    }
  }

  /** All writers work, sometimes while what they wrote before is flushed. */
  private void together(Engine engine, Consumer<Writer> work) {
    List<Runnable> flushed = writers.stream().map(Writer::flushing).toList();
    List<Task> tasks = new ArrayList<>();
    for (Writer writer : writers) {
      tasks.add(sim.env().tasks().start("writer", () -> work.accept(writer)));
    }
    if (random.nextInt(ONE_FLUSH_IN) == 0) {
      engine.tree(TREE).flush();
      flushed.forEach(Runnable::run);
    }
    tasks.forEach(Task::join);
  }

  /** A client with keys of its own. */
  private final class Writer {
    private final String prefix;
    private final SplittableRandom own = random.split();
    private final ClientHistory history = new ClientHistory();
    private final int[] popular = new int[POPULAR_GROUPS];

    /** The last batch that survives the death of the process. */
    private long acknowledged;

    /** The last batch that survives power loss. */
    private long forced;

    Writer(int id) {
      prefix = id + "/";
    }

    /** Writes every n-th key. */
    void writeEach(Engine engine, int n) {
      for (int number = own.nextInt(n); number < KEYS; number += n) {
        write(engine, key(number), value(FILLING_BYTES));
      }
    }

    /** Writes to a few groups, and looks at what it wrote. */
    void writePopular(Engine engine) {
      for (int i = 0; i < POPULAR_GROUPS; i++) {
        popular[i] = own.nextInt(GROUPS);
      }
      Tree tree = engine.tree(TREE);
      for (int i = 0; i < WRITES; i++) {
        boolean deletes = own.nextInt(ONE_DELETION_IN) == 0;
        write(engine, popularKey(), deletes ? null : value(own.nextInt(MAX_VALUE_BYTES)));
        String key = popularKey();
        Check.same(key, tree.get(key.getBytes(UTF_8)), history.content(TREE).get(key));
        if (own.nextInt(ONE_SCAN_IN) == 0) {
          checkScan(tree, "scan", history.content(TREE));
        }
      }
    }

    private void write(Engine engine, String name, byte @Nullable [] value) {
      long number = history.lastNumber() + 1;
      history.add(new Batch(number, List.of(new Change(TREE, name, value)), new long[0]));
      byte[] key = name.getBytes(UTF_8);
      WriteBatch batch = new WriteBatch();
      if (value == null) {
        batch.delete(engine.tree(TREE), key);
      } else {
        batch.put(engine.tree(TREE), key, value);
      }
      batch.put(engine.tree(NUMBERS), numberKey(), Long.toString(number).getBytes(UTF_8));
      engine.write(batch);
      acknowledged = number;
    }

    /** A flush begins; returns what is to be done when it has ended. */
    Runnable flushing() {
      long flushed = acknowledged;
      return () -> forced = flushed;
    }

    void verify(Engine engine, boolean mayLose) {
      long required = mayLose ? forced : acknowledged;
      byte[] stored = engine.tree(NUMBERS).get(numberKey());
      long number = stored == null ? 0 : Long.parseLong(new String(stored, UTF_8));
      Check.that(number >= required, prefix + ": lost " + required + ", found " + number);
      Check.that(number <= history.lastNumber(), prefix + ": batch " + number + " came too early");
      checkScan(engine.tree(TREE), "batch " + number, history.contentAt(number).get(TREE));
      history.settle(number);
      acknowledged = number;
      forced = number;
    }

    private void checkScan(Tree tree, String what, Map<String, byte[]> expected) {
      try (Cursor cursor = tree.scan(ScanOptions.all().prefix(prefix.getBytes(UTF_8)))) {
        Check.entries(prefix + ": " + what, cursor, expected);
      }
    }

    private String popularKey() {
      int group = popular[own.nextInt(POPULAR_GROUPS)];
      return key((2 * group + 1) * KEYS / (2 * GROUPS) + own.nextInt(GROUP_KEYS));
    }

    private String key(int number) {
      return prefix + Digits.of(number, 3);
    }

    private byte[] numberKey() {
      return prefix.getBytes(UTF_8);
    }

    private byte[] value(int length) {
      byte[] value = new byte[length];
      own.nextBytes(value);
      return value;
    }
  }
}
