package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.DeadlineException;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.scheduler.work.StallCause;

/** Write memory of an engine whose host begins no flush before the writes under way have ended. */
@Tag("once")
class HostMemoryTest {
  private static final int VALUE_BYTES = 12_000;

  @RegisterExtension
  private final HostedSimulation world =
      new HostedSimulation(EngineSimulationTest.config(Durability.SYNC));

  private final SimulatedHost host = world.host();
  private final Simulation sim = world.sim();

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  private static Memory memory(Engine engine) {
    return engine.statistics().memory();
  }

  @Test
  void writesThatKeepTheHostFromFlushingGetMemoryFromTheCache() {
    world.inEngine(
        engine -> {
          Memory before = memory(engine);
          Tree tree = engine.createTree("t");
          int writes = (int) (4 * before.writeTargetBytes() / VALUE_BYTES);
          for (int i = 0; i < writes; i++) {
            tree.put(key(i), new byte[VALUE_BYTES]);
          }
          Memory during = memory(engine);
          assertThat(during.writeUsedBytes()).isGreaterThan(4 * before.writeTargetBytes());
          assertThat(during.writeTargetBytes() + during.cacheTargetBytes())
              .isEqualTo(before.writeTargetBytes() + before.cacheTargetBytes());
          assertThat(
                  engine.statistics().stalls().totals().get(StallCause.WRITE_MEMORY_FULL).count())
              .isPositive();
          assertThat(engine.statistics().work().flushes()).isZero();
          // A host that keeps writers out while memory is short goes by what write memory has.
          assertThat(engine.host().writeMemoryFill()).isGreaterThan(4);
          assertThat(host.takeWanted()).containsExactly("t");
          for (int i = 0; i < writes; i++) {
            assertThat(tree.get(key(i))).hasSize(VALUE_BYTES);
          }

          tree.flush();
          assertThat(memory(engine).writeTargetBytes()).isEqualTo(before.writeTargetBytes());
          assertThat(memory(engine).cacheTargetBytes()).isEqualTo(before.cacheTargetBytes());
          assertThat(engine.host().writeMemoryFill()).isLessThan(.1);
          for (int i = 0; i < writes; i++) {
            assertThat(tree.get(key(i))).hasSize(VALUE_BYTES);
          }
        });
  }

  /** As the cache has pages of its own then, which it has to evict. */
  @Test
  void aFullCacheLendsToo() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          int records = (int) (memory(engine).cacheTargetBytes() / VALUE_BYTES * 6 / 5);
          for (int i = 0; i < records; i++) {
            tree.put(key(i), new byte[VALUE_BYTES]);
            if (i % 15 == 14) {
              tree.flush();
            }
          }
          for (int i = 0; i < records; i++) {
            assertThat(tree.get(key(i))).hasSize(VALUE_BYTES);
          }
          Memory before = memory(engine);
          assertThat(before.cacheUsedBytes())
              .isGreaterThan(before.cacheTargetBytes() - (256 << 10));
          for (int i = 0; i < 100; i++) {
            tree.put(key(i), new byte[VALUE_BYTES]);
          }
          Memory during = memory(engine);
          assertThat(during.writeUsedBytes()).isGreaterThan(100 * VALUE_BYTES);
          assertThat(during.cacheUsedBytes())
              .isLessThanOrEqualTo(during.cacheTargetBytes())
              .isLessThan(before.cacheUsedBytes() - (800 << 10));
        });
  }

  @Test
  void aWriteForWhichThereIsNoMemoryAnywhereFails() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          int[] written = new int[1];
          assertThatThrownBy(
                  () -> {
                    for (; ; written[0]++) {
                      tree.put(key(written[0]), new byte[VALUE_BYTES]);
                    }
                  })
              .isInstanceOf(DeadlineException.class)
              .hasMessageMatching(
                  "no memory for a write to tree 't' for 30 s: write memory is full with \\d+KiB,"
                      + " of which the buffer cache has lent \\d+KiB and lends no more, and no"
                      + " flush begins while the writes under way wait; nothing was written,"
                      + " write less at once or raise memory.total");
          assertThat(memory(engine).cacheTargetBytes()).isLessThan(3 << 20);
          assertThat(written[0]).isGreaterThan(3000);
          assertThat(tree.get(key(written[0]))).isNull();
          tree.flush();
          tree.put(key(written[0]), new byte[1]);
          assertThat(memory(engine).cacheTargetBytes()).isGreaterThan(40 << 20);
        });
  }

  @Test
  void whatAFlushMakesRoomForIsNotBorrowed() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          for (int i = 0; i < 15; i++) {
            tree.put(key(i), new byte[VALUE_BYTES]);
          }
          long target = memory(engine).writeTargetBytes();
          // Slower than the writes, in every schedule.
          engine.configure("io.limitBytesPerSecond", "1MiB");
          long flush = tree.host().beginFlush();
          for (int i = 0; i < 15; i++) {
            tree.put(key(i), new byte[VALUE_BYTES]);
            assertThat(memory(engine).writeTargetBytes()).isEqualTo(target);
          }
          tree.host().awaitFlushed(flush);
          assertThat(engine.statistics().work().flushes()).isEqualTo(1);
          assertThat(
                  engine.statistics().stalls().totals().get(StallCause.WRITE_MEMORY_FULL).count())
              .isPositive();
        });
  }

  /** It would have the pages that others could use, and have them again at each attempt. */
  @Test
  void aLargeWriteThatFindsNoRoomTakesNone() {
    EngineConfig config =
        EngineSimulationTest.config(Durability.SYNC).toBuilder()
            .writeInitialBytes(8 << 20)
            .logSegmentBytes(4 << 20)
            .logMaxBytes(16 << 20)
            .build();
    host.inEngine(
        sim,
        config,
        engine -> {
          Tree tree = engine.createTree("t");
          WriteOptions atOnce = new WriteOptions(false, Duration.ofMillis(20));
          byte[] value = new byte[900_000];
          assertThatThrownBy(
                  () -> {
                    for (int i = 0; i < 1000; i++) {
                      tree.put(key(i), value, atOnce);
                    }
                  })
              .isInstanceOf(DeadlineException.class);
          Memory memory = memory(engine);
          assertThat(memory.writeTargetBytes() - memory.writeUsedBytes()).isPositive();
          assertThatThrownBy(() -> tree.put(key(0), value, atOnce))
              .isInstanceOf(DeadlineException.class);
          assertThat(memory(engine).writeUsedBytes()).isEqualTo(memory.writeUsedBytes());
        });
  }
}
