package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.Mem;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;

/**
 * Closing while threads are inside, and interrupting them: an operation gives the right answer or
 * {@link ClosedException}, whatever it is. {@code -Dloam.race.rounds=N} races more often.
 */
@Tag("once")
class CloseRaceTest {
  private static final int ROUNDS = Integer.getInteger("loam.race.rounds", 16);
  private static final int THREADS = 8;
  private static final int KEYS = 50;
  private static final long MAX_STAGING_BYTES = (32 * 64L) << 10;

  @TempDir Path directory;

  @Test
  @Timeout(300)
  void closingRacesWithEveryOperation() throws Exception {
    long memory = Mem.liveBytes();
    Numbers numbers = new Numbers(THREADS);
    AtomicLong operations = new AtomicLong();
    for (int round = 0; round < ROUNDS; round++) {
      Engine engine = Engine.open(directory, WriterMain.config(Durability.PROCESS));
      Tree tree = engine.hasTree("race") ? engine.tree("race") : engine.createTree("race");
      numbers.requireIn(tree);
      ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
      CountDownLatch running = new CountDownLatch(THREADS);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Client client = new Client(engine, tree, i, numbers, round * 100L + i);
        Thread thread = new Thread(() -> client.run(running, failures, operations));
        thread.start();
        threads.add(thread);
      }
      running.await();
      long until = operations.get() + new SplittableRandom(round).nextInt(2000);
      while (operations.get() < until && failures.isEmpty()) {
        Thread.onSpinWait();
      }
      engine.close();
      for (Thread thread : threads) {
        thread.join();
      }
      if (!failures.isEmpty()) {
        throw new AssertionError("round " + round, failures.peek());
      }
    }
    // The real files keep a staging buffer for each thread that ever read at the same time.
    assertThat(Mem.liveBytes() - memory)
        .as("off-heap bytes left: %s", Mem.describeLive())
        .isLessThanOrEqualTo(MAX_STAGING_BYTES);
    System.out.printf("close race: %d rounds, %d operations%n", ROUNDS, operations.get());
  }

  @Test
  @Timeout(300)
  void interruptsDoNotReachTheEngine() throws Exception {
    Numbers numbers = new Numbers(4);
    AtomicLong operations = new AtomicLong();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (Engine engine = Engine.open(directory, WriterMain.config(Durability.SYNC))) {
      Tree tree = engine.createTree("race");
      CountDownLatch running = new CountDownLatch(numbers.written.length);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < numbers.written.length; i++) {
        Client client = new Client(engine, tree, i, numbers, i);
        Thread thread =
            new Thread(
                () -> {
                  try {
                    client.work(500, operations);
                  } catch (Throwable t) {
                    failures.add(t);
                  }
                  running.countDown();
                });
        thread.start();
        threads.add(thread);
      }
      int interrupts = 0;
      while (running.getCount() > 0) {
        threads.get(interrupts++ % threads.size()).interrupt();
        Thread.yield();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      numbers.requireIn(tree);
    }
    try (Engine engine = Engine.open(directory, WriterMain.config(Durability.SYNC))) {
      numbers.requireIn(engine.tree("race"));
    }
  }

  /** What each client wrote last to each of its keys, and what it was about to write. */
  private static final class Numbers {
    final long[][] written;
    final long[][] pending;

    Numbers(int clients) {
      written = new long[clients][KEYS];
      pending = new long[clients][KEYS];
    }

    /** A write that was cut off by closing may be there or not. */
    void requireIn(Tree tree) {
      for (int client = 0; client < written.length; client++) {
        for (int key = 0; key < KEYS; key++) {
          long found = number(tree.get(key(client, key)));
          assertThat(found)
              .as("client %d, key %d", client, key)
              .isIn(written[client][key], pending[client][key]);
          written[client][key] = found;
        }
      }
    }
  }

  private static long number(byte @Nullable [] value) {
    return value == null ? 0 : Long.parseLong(new String(value, UTF_8).strip());
  }

  private static byte[] key(int client, int key) {
    return (client + "/" + key).getBytes(UTF_8);
  }

  private static byte[] value(long number, int length) {
    return String.format("%" + length + "d", number).getBytes(UTF_8);
  }

  /** A thread that does everything the interface offers, on keys of its own. */
  private static final class Client {
    private final Engine engine;
    private final Tree tree;
    private final int id;
    private final long[] written;
    private final long[] pending;
    private final SplittableRandom random;

    Client(Engine engine, Tree tree, int id, Numbers numbers, long seed) {
      this.engine = engine;
      this.tree = tree;
      this.id = id;
      this.written = numbers.written[id];
      this.pending = numbers.pending[id];
      this.random = new SplittableRandom(seed);
    }

    void run(
        CountDownLatch running, ConcurrentLinkedQueue<Throwable> failures, AtomicLong operations) {
      running.countDown();
      try {
        work(Integer.MAX_VALUE, operations);
      } catch (ClosedException expected) {
        requireClosed(failures);
      } catch (Throwable t) {
        failures.add(t);
      }
    }

    private void requireClosed(ConcurrentLinkedQueue<Throwable> failures) {
      try {
        tree.get(key(id, 0));
        failures.add(new AssertionError("closed for one operation, open for the next"));
      } catch (ClosedException expected) {
        // And so it stays.
      } catch (Throwable t) {
        failures.add(t);
      }
    }

    void work(int count, AtomicLong operations) {
      for (int i = 0; i < count; i++) {
        operate();
        operations.incrementAndGet();
      }
    }

    private void operate() {
      int key = random.nextInt(KEYS);
      switch (random.nextInt(40)) {
        case 0 -> engine.flush();
        case 1 -> tree.flush();
        case 2 -> scan();
        case 3 -> snapshot(key);
        case 4 -> engine.statistics();
        case 5 -> createAndDrop();
        case 6 -> engine.trees().forEach(Tree::name);
        case 7 -> compareAndPut(key);
        case 8 -> compact();
        case 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 -> check(key, tree.get(key(id, key)));
        default -> write(key);
      }
    }

    private void compact() {
      if (random.nextInt(10) == 0) {
        tree.compact();
      }
    }

    private void write(int key) {
      long number = written[key] + 1;
      pending[key] = number;
      engine.write(
          new WriteBatch()
              .put(tree, key(id, key), value(number, 20 + random.nextInt(400)))
              .put(tree, key(id, KEYS + key), value(number, 20)));
      written[key] = number;
    }

    private void compareAndPut(int key) {
      byte[] now = tree.get(key(id, key));
      check(key, now);
      long number = written[key] + 1;
      pending[key] = number;
      assertThat(tree.compareAndPut(key(id, key), now, value(number, 30))).isTrue();
      written[key] = number;
    }

    private void check(int key, byte @Nullable [] found) {
      assertThat(number(found)).isEqualTo(written[key]);
    }

    private void scan() {
      ScanOptions options = ScanOptions.all().prefix((id + "/").getBytes(UTF_8));
      try (Cursor cursor = tree.scan(random.nextBoolean() ? options : options.reverse())) {
        int count = 0;
        while (cursor.next()) {
          assertThat(cursor.keyLength()).isPositive();
          assertThat(cursor.value()).hasSizeGreaterThanOrEqualTo(20);
          count++;
        }
        assertThat(count).isLessThanOrEqualTo(2 * KEYS);
      }
    }

    private void snapshot(int key) {
      long before = written[key];
      try (Snapshot snapshot = engine.snapshot()) {
        write(key);
        assertThat(number(snapshot.get(tree, key(id, key)))).isEqualTo(before);
      }
    }

    private void createAndDrop() {
      String name = "own" + id;
      if (engine.hasTree(name)) {
        engine.dropTree(name);
      } else {
        engine.createTree(name).put(key(id, 1), value(1, 50));
      }
    }
  }
}
