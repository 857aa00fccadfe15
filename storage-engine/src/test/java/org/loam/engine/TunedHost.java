package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.engine.TunedEngines.SECOND;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.Monitor;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.tuner.TunerOptions;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;

/**
 * A {@link SimulatedHost} with two datasets above an engine whose memory tuner decides. Each record
 * has an entry in the index of its dataset. Clients read records, or write them in transactions,
 * which commit or are rolled back. The host flushes a dataset as a whole while no client writes to
 * it, and redoes after a crash what was committed. All the time the budget is looked at.
 *
 * <p>The log of the host has the beginning of a value alone, which says whose the value is and how
 * long; its LSNs grow as if it had all of it.
 */
final class TunedHost implements AutoCloseable {
  /** What the clients do. */
  enum Work {
    /** Records of the first dataset are read by chance. */
    READ,
    /** Records of both datasets are written. */
    WRITE,
    /** Nothing. */
    REST,
    /** They end. */
    END
  }

  /** Records of the first dataset, 42 MB. */
  private static final int KEYS = 28_000;

  private static final int CLIENTS = 2;
  private static final int DATASETS = 2;
  private static final List<String> TREES = List.of("0/records", "0/index", "1/records", "1/index");
  private static final int RECORD_BYTES = 1500;
  private static final int ENTRY_BYTES = 24;

  /** Of records in a transaction that needs more than all of write memory. */
  private static final int LARGE_BYTES = 6000;

  /** So many loans are those of a large transaction; a cache of the least size has as many more. */
  private static final int MANY_PAGES = 100;

  /** So long after its last flush the host flushes a dataset for its log. */
  private static final long LONGEST_NANOS = 60 * SECOND;

  private static final int LOOKS_PER_STATISTICS = 20;

  private final Simulation sim;
  private final SimulatedHost host;
  private final EngineConfig config;
  private final Random random;

  /** Transactions whose commit was acknowledged. */
  private final Set<Integer> acknowledged = new HashSet<>();

  /** Updates that were redone, of all lives. */
  private long redone;

  TunedHost(long seed, EngineConfig config) {
    this.sim = Simulation.seeded(seed);
    this.host = new SimulatedHost(new Random(seed)).withLargeRecords(RECORD_BYTES / 2);
    this.config = config;
    this.random = new Random(seed);
  }

  Simulation sim() {
    return sim;
  }

  long redone() {
    return redone;
  }

  /** All cycles of all lives, as far as they are in the history. */
  List<HistoryEntry> history() {
    return HistoryReader.read(sim.env().files(), HistoryReader.fileIn(sim.directory())).entries();
  }

  /**
   * Opens an engine, redoes what was committed and is not there, and runs; then checks that all
   * that was acknowledged is there, and closes the engine. What was not flushed is redone in the
   * next life.
   *
   * @return false if it has crashed
   */
  boolean live(Consumer<Life> body) {
    boolean hasEnded =
        sim.run(
            () -> {
              Life life = new Life(host.open(sim, config));
              life.recover();
              life.begin();
              body.accept(life);
              life.end();
              life.check();
              life.engine.close();
            });
    if (hasEnded) {
      sim.crash(CrashKind.PROCESS_DEATH);
    }
    host.crash();
    return hasEnded;
  }

  @Override
  public void close() {
    sim.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String key(int i) {
    return String.format("key%05d", i);
  }

  /** The value that begins so. */
  private static byte[] value(byte[] image) {
    return Arrays.copyOf(image, Integer.parseInt(new String(image, UTF_8).split(" ")[1]));
  }

  private static int transactionOf(byte[] value) {
    return Integer.parseInt(new String(value, 0, ENTRY_BYTES, UTF_8).split(" ")[0]);
  }

  /** An engine from its opening to its end. */
  final class Life {
    private final Engine engine;
    private final List<Task> clients = new ArrayList<>();
    private final List<Task> others = new ArrayList<>();
    private volatile Work work = Work.REST;
    private volatile boolean isOver;

    /** Whether a client is to write more in a transaction than write memory has room for. */
    private volatile boolean wantsLarge;

    /** The size that write memory is to stay at; 0 if the tuner decides. */
    private volatile long keptBytes;

    // Guarded by the host's monitor.
    private final int[] active = new int[DATASETS];
    private final boolean[] flushing = new boolean[DATASETS];

    /** When each dataset was flushed last; of the thread that flushes. */
    private final long[] flushedNanos = new long[DATASETS];

    private volatile int flushes;
    private volatile int mostLent;

    private Life(Engine engine) {
      this.engine = engine;
      for (String name : TREES) {
        if (!engine.hasTree(name)) {
          engine.createTree(name);
        }
      }
    }

    Engine engine() {
      return engine;
    }

    private MemoryArbiter arbiter() {
      return engine.open().memory().arbiter();
    }

    /** Write memory without what is lent. */
    long ownBytes() {
      return arbiter().ownBytes();
    }

    long targetBytes() {
      return arbiter().targetBytes();
    }

    boolean isMoving() {
      return ownBytes() != targetBytes();
    }

    boolean isShrinking() {
      return ownBytes() > targetBytes();
    }

    /** Flushes of datasets that the host has ended. */
    int flushes() {
      return flushes;
    }

    /** Pages that the cache had lent at most since the last large transaction was asked for. */
    int mostLent() {
      return mostLent;
    }

    int lent() {
      return arbiter().lent();
    }

    private void begin() {
      Arrays.fill(flushedNanos, sim.env().clock().nanoTime());
      Random flushRandom = new Random(random.nextLong());
      others.add(sim.env().tasks().start("flusher", () -> flush(flushRandom)));
      others.add(sim.env().tasks().start("looks", this::look));
      for (int c = 0; c < CLIENTS; c++) {
        Client client = new Client(c, new Random(random.nextLong()));
        clients.add(sim.env().tasks().start("client " + c, client::run));
      }
    }

    private void end() {
      work = Work.END;
      clients.forEach(Task::join);
      isOver = true;
      others.forEach(Task::join);
    }

    // ---- What clients do.

    /** Writes all records of the first dataset. */
    void fill() {
      Client client = new Client(0, new Random(random.nextLong()));
      for (int from = 0; from < KEYS; from += 20) {
        int first = from;
        client.transact(
            0,
            (transaction, undos) -> {
              for (int i = first; i < first + 20; i++) {
                client.update(transaction, 0, key(i), RECORD_BYTES, undos);
              }
            });
      }
    }

    /** Has the clients work until something is so, or for so long; returns whether it is. */
    boolean isDuring(Work what, int seconds, BooleanSupplier until) {
      work = what;
      boolean is = until.getAsBoolean();
      for (int millis = 0; !is && millis < 1000 * seconds; millis++) {
        sim.env().waiter().pause(SECOND / 1000);
        is = until.getAsBoolean();
      }
      work = Work.REST;
      return is;
    }

    /** Has the clients work until something is so, for a minute at most. */
    void during(Work what, BooleanSupplier until) {
      assertThat(isDuring(what, 60, until))
          .as("in a minute of %s; write memory has %d bytes now", what, ownBytes())
          .isTrue();
    }

    void during(Work what, int seconds) {
      isDuring(what, seconds, () -> false);
    }

    /** Has a client write, in its next transaction, more than write memory has room for. */
    void writeLarge() {
      mostLent = 0;
      wantsLarge = true;
    }

    /** From now on write memory is to have this size at every look. */
    void keep(long bytes) {
      keptBytes = bytes;
    }

    /** Whether write memory is half full, as it is before the host flushes. */
    boolean isHalfFull() {
      return engine.host().writeMemoryFill() > .5;
    }

    // ---- Looks.

    private void look() {
      for (int i = 0; !isOver; i++) {
        // Statistics look at each page of the cache.
        if (i % LOOKS_PER_STATISTICS == 0) {
          requireBudget();
        }
        requireBounds();
        sim.env().waiter().pause(SECOND / 200);
      }
    }

    private void requireBudget() {
      Memory now = engine.statistics().memory();
      MemoryArbiter arbiter = arbiter();
      assertThat(now.usedBytes()).isLessThanOrEqualTo(now.totalBytes());
      assertThat(now.writeTargetBytes() + now.cacheTargetBytes())
          .isLessThanOrEqualTo(arbiter.poolBytes());
    }

    private void requireBounds() {
      MemoryArbiter arbiter = arbiter();
      TunerOptions.Bounds bounds = engine.open().tuner().options().bounds();
      // An engine has whole pages.
      long page = arbiter.pageBytes();
      assertThat(arbiter.ownBytes())
          .isGreaterThan(bounds.leastWriteBytes() - page)
          .isLessThan(arbiter.poolBytes() - bounds.leastCacheBytes() + page);
      requireLoans();
    }

    /** What write memory has, with all loans, leaves the cache its last pages. */
    private void requireLoans() {
      MemoryArbiter arbiter = arbiter();
      int lent = arbiter.lent();
      int own = arbiter.own();
      assertThat(own + lent).isLessThanOrEqualTo(arbiter.mostPages());
      assertThat(arbiter.free()).isNotNegative();
      mostLent = Math.max(mostLent, lent);
      long kept = keptBytes;
      if (kept != 0) {
        assertThat(arbiter.ownBytes()).as("write memory").isEqualTo(kept);
        assertThat(arbiter.targetBytes()).as("target").isEqualTo(kept);
      }
    }

    // ---- Flushes.

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

    private void flush(Random own) {
      while (!isOver) {
        sim.env().waiter().pause(1 + own.nextInt((int) SECOND / 500));
        Set<String> wanted = new HashSet<>();
        under(() -> wanted.addAll(host.takeWanted()));
        for (int d = 0; d < DATASETS; d++) {
          String prefix = d + "/";
          boolean isDue = sim.env().clock().nanoTime() - flushedNanos[d] > LONGEST_NANOS;
          if (isDue || wanted.stream().anyMatch(name -> name.startsWith(prefix))) {
            flush(d);
          }
        }
      }
    }

    /** Waits until no client writes, freezes, lets writers go on, and waits for the disk. */
    private void flush(int dataset) {
      List<String> names = TREES.stream().filter(name -> name.startsWith(dataset + "/")).toList();
      Map<String, Long> begun = new HashMap<>();
      long[] lsn = new long[1];
      Monitor monitor = host.monitor();
      monitor.lock();
      try {
        flushing[dataset] = true;
        while (active[dataset] > 0) {
          monitor.await();
        }
        lsn[0] = host.endLsn();
        names.forEach(name -> begun.put(name, engine.tree(name).host().beginFlush()));
        flushing[dataset] = false;
        monitor.signalAll();
      } finally {
        monitor.unlock();
      }
      begun.forEach((name, flush) -> engine.tree(name).host().awaitFlushed(flush));
      names.forEach(name -> host.flushed(name, lsn[0]));
      flushedNanos[dataset] = sim.env().clock().nanoTime();
      flushes = flushes + 1;
    }

    // ---- Recovery.

    /** Redoes what is missing, and flushes meanwhile when memory is short. */
    private void recover() {
      requireCommitted();
      for (SimulatedHost.Entry e : host.committedUpdates()) {
        if (e.lsn() >= host.lowWatermark(e.tree())) {
          engine.tree(e.tree()).put(bytes(e.key()), value(e.after()));
          redone++;
          if (host.isShort()) {
            flushRedone(e.lsn() + 1);
          }
        }
      }
      check();
    }

    private void flushRedone(long lsn) {
      for (String name : TREES) {
        Tree tree = engine.tree(name);
        tree.host().awaitFlushed(tree.host().beginFlush());
        host.flushed(name, lsn);
      }
      host.takeWanted();
    }

    /** What was acknowledged has survived, and nothing on disk was not committed. */
    private void requireCommitted() {
      Set<Integer> committed =
          host.committedUpdates().stream()
              .map(SimulatedHost.Entry::transaction)
              .collect(Collectors.toSet());
      assertThat(committed.containsAll(acknowledged)).as("acknowledged, and in the log").isTrue();
      for (String name : TREES) {
        try (Cursor cursor = engine.tree(name).scan(ScanOptions.all())) {
          while (cursor.next()) {
            assertThat(committed.contains(transactionOf(cursor.value()))).as(name).isTrue();
          }
        }
      }
    }

    /** All committed records are there, and no others. */
    private void check() {
      Map<String, Map<String, byte[]>> expected = new HashMap<>();
      TREES.forEach(name -> expected.put(name, new HashMap<>()));
      for (SimulatedHost.Entry e : host.committedUpdates()) {
        expected.get(e.tree()).put(e.key(), e.after());
      }
      for (String name : TREES) {
        Map<String, byte[]> left = expected.get(name);
        try (Cursor cursor = engine.tree(name).scan(ScanOptions.all())) {
          while (cursor.next()) {
            String key = new String(cursor.key(), UTF_8);
            byte[] image = left.remove(key);
            assertThat(image).as("%s in %s", key, name).isNotNull();
            assertThat(Arrays.equals(cursor.value(), value(image)))
                .as("value of %s in %s", key, name)
                .isTrue();
          }
        }
        assertThat(left.keySet()).as("missing in %s", name).isEmpty();
      }
    }

    // ---- Clients, each with keys of its own, as if it held their locks.

    /** What a transaction does. */
    private interface Updates {
      /**
       * Makes updates.
       *
       * @param undos takes what undoes each, the last one first
       */
      void make(int transaction, Deque<Runnable> undos);
    }

    private final class Client {
      private final int id;
      private final Random own;

      Client(int id, Random own) {
        this.id = id;
        this.own = own;
      }

      void run() {
        for (Work now = work; now != Work.END; now = work) {
          if (now != Work.REST && wantsLarge) {
            wantsLarge = false;
            transactLarge();
          }
          if (now == Work.READ) {
            byte[] found = engine.tree("0/records").get(bytes(key(own.nextInt(KEYS))));
            assertThat(found).isNotNull();
          }
          if (now == Work.WRITE) {
            transactAny();
          }
          sim.env().waiter().pause(now == Work.WRITE ? SECOND / 500 : SECOND / 1000);
        }
      }

      private void transactAny() {
        int dataset = own.nextInt(DATASETS);
        int count = 1 + own.nextInt(3);
        transact(
            dataset,
            (transaction, undos) -> {
              for (int n = 0; n < count; n++) {
                updateAny(transaction, dataset, RECORD_BYTES, undos);
              }
            });
      }

      /** Keeps the host from flushing a dataset until the cache has lent it something. */
      private void transactLarge() {
        transact(
            0,
            (transaction, undos) -> {
              while (lent() < MANY_PAGES) {
                updateAny(transaction, 0, LARGE_BYTES, undos);
              }
            });
      }

      private void updateAny(int transaction, int dataset, int bytes, Deque<Runnable> undos) {
        String key = key(own.nextInt(KEYS / CLIENTS) * CLIENTS + id);
        update(transaction, dataset, key, bytes, undos);
        if (own.nextInt(4) == 0) {
          sim.env().waiter().pause(own.nextInt((int) SECOND / 500));
        }
      }

      private void transact(int dataset, Updates updates) {
        enter(dataset);
        int transaction = host.begin();
        Deque<Runnable> undos = new ArrayDeque<>();
        updates.make(transaction, undos);
        requireLoans();
        if (own.nextInt(20) == 0 && work != Work.REST) {
          undos.forEach(Runnable::run);
        } else {
          host.force(host.commit(transaction));
          acknowledged.add(transaction);
        }
        under(() -> active[dataset]--);
      }

      private void enter(int dataset) {
        Monitor monitor = host.monitor();
        monitor.lock();
        try {
          while (flushing[dataset] || host.isShort()) {
            monitor.await(SECOND / 10_000);
          }
          active[dataset]++;
        } finally {
          monitor.unlock();
        }
      }

      /** A record changes, and its entry in the index. */
      private void update(
          int transaction, int dataset, String key, int bytes, Deque<Runnable> undos) {
        write(transaction, dataset + "/records", key, bytes, undos);
        write(transaction, dataset + "/index", key, ENTRY_BYTES, undos);
      }

      /** Logs an update, then makes it. */
      private void write(
          int transaction, String name, String key, int bytes, Deque<Runnable> undos) {
        Tree tree = engine.tree(name);
        byte[] image = bytes(transaction + " " + bytes + " ");
        host.update(transaction, name, key, null, image);
        tree.put(bytes(key), value(image));
        undos.push(() -> assertThat(tree.host().undo(bytes(key))).isTrue());
      }
    }
  }
}
