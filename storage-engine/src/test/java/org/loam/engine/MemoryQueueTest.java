package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.env.TaskRunner;
import org.loam.common.error.DeadlineException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog;
import org.loam.scheduler.work.StallCause;

/**
 * Writers that wait for memory in turn while a tree in a second directory cannot be flushed: the
 * first one has others flushed, and one that waits for the log keeps none from it.
 */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(QuietLog.class)
class MemoryQueueTest {
  /** Each has two pages, of nodes and of records: more than write memory has. */
  private static final int TREES = 40;

  private static final long WRITE_BYTES = 256 << 10;
  private static final long LOG_BYTES = 512 << 10;

  /** It has to wait for more pages than are free when a flush begins. */
  private static final int LARGE_BYTES = 30_000;

  /** Too little room in the log for the large value, and enough for many small ones. */
  private static final int ROOM_BYTES = 25_000;

  private static final Path BROKEN = Path.of("/mnt/broken");
  private static final long A_MILLISECOND = 1_000_000;
  private static final long TEN_SECONDS = 10_000_000_000L;
  private static final WriteOptions AT_ONCE = WriteOptions.DEFAULT.within(Duration.ofMillis(100));
  private static final WriteOptions SOON = WriteOptions.DEFAULT.within(Duration.ofMinutes(1));
  private static final byte[] KEY = "key".getBytes(UTF_8);

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(WRITE_BYTES)
        .flushThreshold(0.95)
        .writeControl(WriteSlowdown.STOP)
        .logSegmentBytes(128 << 10)
        .logMaxBytes(LOG_BYTES)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }

  /** An engine with a tree in a directory of its own, and many beside it. */
  private record World(Simulation sim, Engine engine, Tree bad, List<Tree> good) {
    static void run(Consumer<World> test) {
      try (Simulation sim = Simulation.seeded(1)) {
        OpenOptions options = OpenOptions.DEFAULT.withDirectories(List.of(BROKEN));
        sim.run(
            () -> {
              try (Engine engine = Engine.open(sim.env(), sim.directory(), config(), options)) {
                Tree bad = engine.createTree("bad", TreeOptions.DEFAULT.inDirectory(1));
                List<Tree> good = new ArrayList<>();
                for (int i = 0; i < TREES; i++) {
                  good.add(engine.createTree("good" + i));
                }
                test.accept(new World(sim, engine, bad, good));
                sim.faults().clear();
              }
            });
      }
    }

    /** The next tables in the second directory fail, after so long. */
    void breakDirectory(long afterNanos) {
      sim.faults()
          .add(
              noTables()
                  .onPath(path -> path.startsWith(BROKEN))
                  .where(
                      call -> {
                        sim.env().waiter().pause(afterNanos);
                        return true;
                      })
                  .asSticky());
    }

    static Fault noTables() {
      return Fault.of(FaultEffect.IO_ERROR)
          .on(IoKind.CREATE)
          .onPath(path -> path.toString().endsWith(".sst"));
    }

    void writeToAll(WriteOptions options) {
      good.forEach(tree -> tree.put(KEY, new byte[10], options));
    }

    void awaitStall(StallCause cause) {
      while (engine.statistics().stalls().totals().get(cause).activeCount() == 0) {
        sim.env().waiter().pause(A_MILLISECOND);
      }
    }
  }

  /**
   * What was frozen last was enough when the last write was inserted. It stays, as its flush fails
   * while all writers wait.
   */
  @Test
  void whatAWriterWaitsForIsFlushedThoughAFlushFails() {
    World.run(
        world -> {
          world.breakDirectory(TEN_SECONDS);
          for (int i = 0; i < 20; i++) {
            world.bad().put(("key" + i).getBytes(UTF_8), new byte[1000]);
          }
          world.bad().host().beginFlush();
          assertThatThrownBy(() -> world.writeToAll(AT_ONCE)).isInstanceOf(DeadlineException.class);
          assertThat(world.engine().flushChoices())
              .extracting(choice -> choice.chosen().tree())
              .containsExactly("bad");
          world.writeToAll(SOON);
        });
  }

  /**
   * The large write found no memory at first, and then finds no room in a log that nothing makes
   * shorter.
   */
  @Test
  void aWriterThatWaitsForTheLogKeepsNoneFromMemory() {
    World.run(
        world -> {
          Simulation sim = world.sim();
          Tree large = world.good().get(0);
          world.bad().put(KEY, new byte[10]);
          world.breakDirectory(0);
          world.bad().host().beginFlush();
          CommitLog log = world.engine().open().storage().log();
          while (log.lengthBytes() < LOG_BYTES - ROOM_BYTES) {
            large.put(KEY, new byte[1000]);
          }
          AtomicBoolean isBroken = new AtomicBoolean(true);
          sim.faults().add(World.noTables().where(call -> isBroken.get()).asSticky());
          assertThatThrownBy(() -> world.writeToAll(AT_ONCE)).isInstanceOf(DeadlineException.class);
          TaskRunner.Task writer =
              sim.env().tasks().start("writer", () -> large.put(KEY, new byte[LARGE_BYTES]));
          world.awaitStall(StallCause.WRITE_MEMORY_FULL);
          isBroken.set(false);
          world.awaitStall(StallCause.LOG_FULL);
          world.writeToAll(SOON);
          sim.faults().clear();
          writer.join();
          assertThat(large.get(KEY)).hasSize(LARGE_BYTES);
        });
  }
}
