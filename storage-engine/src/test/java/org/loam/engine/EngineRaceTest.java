package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.ClosedException;

/**
 * Real threads in many short rounds: an engine is closed, or a tree dropped, under operations of
 * one kind. Each gives the right answer or {@link ClosedException}. {@code -Dloam.race.rounds=N}
 * races more often; all kinds at once, with their data checked, race in integration-tests.
 */
@Tag("once")
@Timeout(300)
class EngineRaceTest {
  private static final int ROUNDS = Integer.getInteger("loam.race.rounds", 5);
  private static final int THREADS = 4;
  private static final int KEYS = 300;

  @TempDir Path directory;

  /** What all threads of a round do again and again. */
  private enum Operation {
    GET {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        int i = random.nextInt(KEYS);
        assertThat(tree.get(key(i))).isEqualTo(value(i));
      }
    },
    GET_INTO_BUFFER {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        int i = random.nextInt(KEYS);
        byte[] target = new byte[value(i).length];
        assertThat(tree.get(key(i), target)).isEqualTo(target.length);
        assertThat(target).isEqualTo(value(i));
      }
    },
    PUT {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        int i = random.nextInt(KEYS);
        tree.put(key(i), value(i));
      }
    },
    COMPARE_AND_PUT {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        int i = random.nextInt(KEYS);
        assertThat(tree.compareAndPut(key(i), value(i), value(i))).isTrue();
      }
    },
    SCAN {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        try (Cursor cursor = tree.scan(ScanOptions.all())) {
          requireAll(cursor);
        }
      }
    },
    SNAPSHOT {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        int i = random.nextInt(KEYS);
        try (Snapshot snapshot = engine.snapshot()) {
          assertThat(snapshot.get(tree, key(i))).isEqualTo(value(i));
          try (Cursor cursor = snapshot.scan(tree, ScanOptions.all())) {
            requireAll(cursor);
          }
        }
      }
    },
    FLUSH {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        tree.put(key(0), value(0));
        tree.flush();
      }
    },
    COMPACT {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        tree.put(key(0), value(0));
        tree.compact();
      }
    },
    STATISTICS {
      @Override
      void run(Engine engine, Tree tree, SplittableRandom random) {
        EngineStatistics.Memory memory = engine.statistics().memory();
        assertThat(memory.usedBytes()).isLessThanOrEqualTo(memory.totalBytes());
        assertThat(engine.trees()).isNotEmpty();
      }
    };

    abstract void run(Engine engine, Tree tree, SplittableRandom random);
  }

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(256 << 10)
        .logSegmentBytes(256 << 10)
        .logMaxBytes(1 << 20)
        .sstableBytes(64 << 10)
        .build();
  }

  private static byte[] key(int i) {
    return String.format("key%03d", i).getBytes(UTF_8);
  }

  /** Every tenth has pages of its own on disk. */
  private static byte[] value(int i) {
    byte[] value = new byte[i % 10 == 0 ? 5000 : 100];
    Arrays.fill(value, (byte) i);
    return value;
  }

  private static void requireAll(Cursor cursor) {
    int count = 0;
    while (cursor.next()) {
      assertThat(cursor.key()).isEqualTo(key(count));
      assertThat(cursor.valueLength()).isEqualTo(value(count).length);
      count++;
    }
    assertThat(count).isEqualTo(KEYS);
  }

  private static Tree fill(Tree tree) {
    for (int i = 0; i < KEYS; i++) {
      tree.put(key(i), value(i));
    }
    return tree;
  }

  /** Threads that operate until they are told that it is closed. */
  private static final class Racers {
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final CountDownLatch running = new CountDownLatch(THREADS);
    private final AtomicLong operations = new AtomicLong();

    /** A permit for each operation, and for each failure. */
    private final Semaphore progress = new Semaphore(0);

    private final List<Thread> threads = new ArrayList<>();

    void start(Engine engine, Tree tree, Operation operation) {
      for (int t = 0; t < THREADS; t++) {
        SplittableRandom random = new SplittableRandom(t);
        start(
            () -> {
              operation.run(engine, tree, random);
              operations.incrementAndGet();
            });
      }
    }

    void start(Runnable operation) {
      Thread thread = new Thread(() -> race(operation));
      thread.start();
      threads.add(thread);
    }

    private void race(Runnable operation) {
      running.countDown();
      try {
        while (true) {
          operation.run();
          progress.release();
        }
      } catch (ClosedException expected) {
        // The end of the round.
      } catch (Throwable t) {
        failures.add(t);
        progress.release();
      }
    }

    /** Waits until all run, and some operations more. */
    void await(SplittableRandom random) throws InterruptedException {
      running.await();
      awaitOperations(random.nextInt(100));
    }

    void awaitOperations(int count) throws InterruptedException {
      for (int i = 0; i < count && failures.isEmpty(); i++) {
        assertThat(progress.tryAcquire(1, TimeUnit.MINUTES)).as("an operation ends").isTrue();
      }
    }

    void join(String round) throws InterruptedException {
      for (Thread thread : threads) {
        thread.join(Duration.ofSeconds(60).toMillis());
        if (thread.isAlive()) {
          AssertionError stuck = new AssertionError(round + ": a thread is stuck");
          stuck.setStackTrace(thread.getStackTrace());
          throw stuck;
        }
      }
      if (!failures.isEmpty()) {
        fail(round, failures.peek());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void closingRacesWith(Operation operation) throws Exception {
    try (Engine engine = Engine.open(directory, config())) {
      fill(engine.createTree("t")).flush();
    }
    long operations = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Engine engine = Engine.open(directory, config());
      Racers racers = new Racers();
      racers.start(engine, engine.tree("t"), operation);
      racers.await(new SplittableRandom(round));
      Thread second = new Thread(engine::close);
      second.start();
      engine.close();
      racers.join(operation + ", round " + round);
      second.join();
      operations += racers.operations.get();
    }
    assertThat(operations).isPositive();
  }

  @ParameterizedTest
  @EnumSource(value = Operation.class, names = "STATISTICS", mode = EnumSource.Mode.EXCLUDE)
  void droppingATreeRacesWith(Operation operation) throws Exception {
    try (Engine engine = Engine.open(directory, config())) {
      Tree other = fill(engine.createTree("other"));
      for (int round = 0; round < 4 * ROUNDS; round++) {
        // The name is used again: a handle of before must not lead to the new tree.
        Tree tree = engine.createTree("t");
        fill(tree);
        if (round % 2 == 0) {
          tree.flush();
        }
        Racers racers = new Racers();
        racers.start(engine, tree, operation);
        racers.await(new SplittableRandom(round));
        engine.dropTree("t");
        engine.createTree("t").put(key(1), value(2));
        racers.join(operation + ", round " + round);
        engine.dropTree("t");
      }
      try (Cursor cursor = other.scan(ScanOptions.all())) {
        requireAll(cursor);
      }
      requireNothingHeld(engine);
    }
    requireNoFilesLeft();
  }

  /** The next open deletes what the last one could not; here nothing may be left for it. */
  private void requireNoFilesLeft() throws IOException {
    try (var files = Files.list(directory.resolve("data"));
        Engine engine = Engine.open(directory, config())) {
      long found = files.count();
      assertThat(engine.recovery().orphansDeleted()).isZero();
      long tables =
          engine.statistics().trees().stream()
              .flatMap(tree -> tree.levels().stream())
              .mapToLong(EngineStatistics.LevelStatistics::tables)
              .sum();
      assertThat(found).isEqualTo(tables);
    }
  }

  /** A batch over a tree that is dropped and one that stays shows in both or in none. */
  @Test
  void aBatchIsNotTornByADrop() throws Exception {
    try (Engine engine = Engine.open(directory, config())) {
      Tree stays = engine.createTree("stays");
      for (int round = 0; round < 4 * ROUNDS; round++) {
        Tree goes = engine.createTree("goes");
        long[] acknowledged = new long[THREADS];
        Racers racers = new Racers();
        for (int t = 0; t < THREADS; t++) {
          int thread = t;
          racers.start(
              () -> {
                byte[] number = Long.toString(acknowledged[thread] + 1).getBytes(UTF_8);
                engine.write(
                    new WriteBatch()
                        .put(stays, key(thread), number)
                        .put(goes, key(thread), number));
                acknowledged[thread]++;
                racers.operations.incrementAndGet();
              });
        }
        racers.await(new SplittableRandom(round));
        engine.dropTree("goes");
        racers.join("round " + round);
        for (int t = 0; t < THREADS; t++) {
          byte[] found = stays.get(key(t));
          assertThat(found == null ? 0 : Long.parseLong(new String(found, UTF_8)))
              .as("round %d, thread %d", round, t)
              .isEqualTo(acknowledged[t]);
          stays.delete(key(t));
        }
        requireNothingHeld(engine);
      }
    }
  }

  /**
   * What writers had prepared in a tree that went is given back with it; what a flush was reading
   * in it, when that has given up.
   */
  private static void requireNothingHeld(Engine engine) {
    engine.flush();
    // Until then or until the class's timeout interrupts. What is released while a worker is inside
    // the memory epoch is freed by a later call.
    while (engine.statistics().memory().writeUsedBytes() > 0 && !Thread.interrupted()) {
      engine.flush();
    }
    assertThat(engine.statistics().memory().writeUsedBytes()).isZero();
    assertThat(engine.statistics().cache().pinnedFrames()).isZero();
  }

  /** The second caller finds nothing to drop; no reader finds half a tree. */
  @Test
  void creatingAndDroppingRaceWithEachOther() throws Exception {
    try (Engine engine = Engine.open(directory, config())) {
      Racers racers = new Racers();
      AtomicLong created = new AtomicLong();
      AtomicLong dropped = new AtomicLong();
      for (int t = 0; t < THREADS; t++) {
        SplittableRandom random = new SplittableRandom(t);
        racers.start(
            () -> {
              String name = "tree" + random.nextInt(2);
              try {
                if (random.nextBoolean()) {
                  engine.createTree(name).put(key(1), value(1));
                  created.incrementAndGet();
                } else {
                  engine.dropTree(name);
                  dropped.incrementAndGet();
                }
              } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining(name);
              } catch (ClosedException e) {
                if (!e.getMessage().contains("dropped")) {
                  throw e;
                }
                created.incrementAndGet();
              }
            });
      }
      while (dropped.get() < 20L * ROUNDS && racers.failures.isEmpty()) {
        racers.awaitOperations(1);
      }
      engine.close();
      racers.join("creating and dropping");
      assertThat(created.get() - dropped.get()).isBetween(0L, 2L);
    }
  }
}
