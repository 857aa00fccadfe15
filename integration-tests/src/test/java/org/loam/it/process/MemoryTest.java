package org.loam.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.mem.Mem;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.workbench.console.ChildJvm;

/** Memory stays where the configuration puts it. */
@Tag("once")
class MemoryTest {
  private static final int TREES = 1000;
  private static final long MAX_TREE_BYTES = 64 << 10;

  @TempDir Path directory;

  @Test
  void idleTreesAreSmall() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(512L << 20).durability(Durability.PROCESS).build();
    try (Engine engine = Engine.open(directory, config)) {
      engine.createTree("first");
      long heapBefore = usedHeap();
      long offHeapBefore = offHeap(engine);
      for (int i = 0; i < TREES; i++) {
        engine.createTree("tree" + i);
      }
      long heap = (usedHeap() - heapBefore) / TREES;
      long offHeap = (offHeap(engine) - offHeapBefore) / TREES;
      System.out.printf("idle tree: %d bytes of heap, %d off-heap%n", heap, offHeap);
      assertThat(heap + offHeap).isLessThan(MAX_TREE_BYTES);
      assertThat(engine.trees()).hasSize(TREES + 1);
    }
  }

  private static long offHeap(Engine engine) {
    return engine.statistics().memory().usedBytes();
  }

  private static long usedHeap() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  @Test
  void offHeapMemoryStaysWithinItsBudget() throws InterruptedException {
    long before = Mem.liveBytes();
    EngineConfig config = WriterMain.config(Durability.PROCESS);
    long most = 0;
    long samples = 0;
    try (Engine engine = Engine.open(directory, config)) {
      Tree tree = engine.createTree("t");
      AtomicBoolean ended = new AtomicBoolean();
      ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
      Thread writer = start(() -> write(tree, 20_000), failures);
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int reader = i;
        readers.add(start(() -> read(tree, reader, ended), failures));
      }
      while (writer.isAlive()) {
        EngineStatistics.Memory memory = engine.statistics().memory();
        assertThat(memory.usedBytes()).isLessThanOrEqualTo(memory.totalBytes());
        most = Math.max(most, Mem.liveBytes() - before);
        samples++;
        Thread.onSpinWait();
      }
      ended.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(failures).isEmpty();
      assertThat(engine.statistics().work().merges()).isPositive();
    }
    System.out.printf(
        "off-heap: at most %d of %d bytes in %d samples%n",
        most, config.memory().totalBytes(), samples);
    // What the plan does not name, such as the log's write buffer and the bounds of open tables,
    // finds room in the workspaces that are not in use; reads are aligned and stage nothing.
    assertThat(most).isLessThanOrEqualTo(config.memory().totalBytes());
    assertThat(Mem.liveBytes()).isEqualTo(before);
  }

  private static Thread start(Runnable body, ConcurrentLinkedQueue<Throwable> failures) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (Throwable t) {
                failures.add(t);
              }
            });
    thread.start();
    return thread;
  }

  private static byte[] key(int i) {
    return String.format("key%07d", i).getBytes(UTF_8);
  }

  private static void write(Tree tree, int count) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(50) == 0 ? 20_000 : 500];
      random.nextBytes(value);
      tree.put(key(random.nextInt(30_000)), value);
    }
  }

  private static void read(Tree tree, int seed, AtomicBoolean ended) {
    SplittableRandom random = new SplittableRandom(seed);
    while (!ended.get()) {
      for (int i = 0; i < 50; i++) {
        byte[] value = tree.get(key(random.nextInt(30_000)));
        assertThat(value == null || value.length >= 500).isTrue();
      }
      try (Cursor cursor = tree.scan(ScanOptions.all().from(key(random.nextInt(30_000))))) {
        for (int i = 0; i < 200 && cursor.next(); i++) {
          assertThat(cursor.keyLength()).isEqualTo(10);
        }
      }
    }
  }

  @Test
  void aSmallHeapIsEnough() throws Exception {
    Process child =
        ChildJvm.start(LoadMain.class, List.of("-Xmx256m"), List.of(directory.toString()));
    String said = new String(child.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(child.waitFor()).as(said).isZero();
    System.out.println(said);
    assertThat(said).startsWith("load:");
  }
}
