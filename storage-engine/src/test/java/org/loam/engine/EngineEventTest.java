package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.error.ClosedException;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.notify.EventQueue;
import org.loam.engine.notify.Events;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.report.EventListener;
import org.loam.engine.report.EventListener.FlushBegun;
import org.loam.engine.report.EventListener.FlushEnded;
import org.loam.engine.report.EventListener.MergeBegun;
import org.loam.engine.report.EventListener.MergeEnded;
import org.loam.engine.report.EventListener.StallBegun;
import org.loam.engine.report.EventListener.StallEnded;
import org.loam.engine.report.EventListener.WorkFailed;
import org.loam.lsm.FlushCause;
import org.loam.scheduler.work.StallCause;

/** What a listener is told, when, and that it can do no harm. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(QuietLog.class)
class EngineEventTest {
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofMillis(300));

  private interface Body {
    void run(Simulation sim, Engine engine);
  }

  private static EngineConfigBuilder calm() {
    return SmallEngine.calm().mergeThreads(1);
  }

  /** An engine that always has something to do. */
  private static EngineConfigBuilder busy() {
    return calm()
        .writeInitialBytes(256 << 10)
        .logMaxBytes(512 << 10)
        .sstableBytes(64 << 10)
        .l0MinMerge(1)
        .l0Stop(2);
  }

  private static Engine open(Simulation sim, EngineConfigBuilder config, EventListener listener) {
    return Engine.open(
        sim.env(), sim.directory(), config.build(), OpenOptions.DEFAULT.withListener(listener));
  }

  /** Runs an engine with a tree "t" from open to close. */
  private static void inEngine(EngineConfigBuilder config, EventListener listener, Body body) {
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim, config, listener)) {
              engine.createTree("t");
              body.run(sim, engine);
              sim.faults().clear();
            }
          });
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static void write(Engine engine, int count) {
    Tree tree = engine.tree("t");
    for (int i = 0; i < count; i++) {
      tree.put(key(i), new byte[1000]);
    }
  }

  private static Fault failing(IoKind kind) {
    return Fault.of(FaultEffect.IO_ERROR)
        .on(kind)
        .onPath(path -> path.toString().endsWith(".sst"))
        .asSticky();
  }

  private static void closeQuietly(Engine engine) {
    try {
      engine.close();
    } catch (StorageException e) {
      // Fenced.
    }
  }

  // ---- What is told.

  @Test
  void aFlushIsToldWithItsTreeItsCauseAndItsResult() {
    RecordedEvents events = new RecordedEvents();
    long[] flushed = new long[1];
    inEngine(
        calm(),
        events,
        (sim, engine) -> {
          write(engine, 100);
          engine.flush();
          flushed[0] = engine.statistics().work().flushedBytes();
        });
    FlushBegun begun = events.only(FlushBegun.class);
    assertThat(begun.tree()).isEqualTo("t");
    assertThat(begun.cause()).isEqualTo(FlushCause.USER);
    assertThat(begun.bytes()).isBetween(100_000L, 200_000L);
    FlushEnded ended = events.only(FlushEnded.class);
    assertThat(ended.begun()).isEqualTo(begun);
    assertThat(ended.installed()).isTrue();
    assertThat(ended.tables()).isEqualTo(1);
    assertThat(ended.bytes()).isEqualTo(flushed[0]);
    assertThat(ended.entries()).isEqualTo(100);
    assertThat(ended.durationNanos()).isPositive();
    events.checkPairs();
  }

  @Test
  void theCauseOfAFlushIsWhatFrozeTheComponent() {
    assertThat(causes(calm(), engine -> engine.tree("t").flush())).containsOnly(FlushCause.USER);
    assertThat(causes(calm(), engine -> engine.tree("t").compact())).containsOnly(FlushCause.USER);
    assertThat(causes(calm(), engine -> {})).containsOnly(FlushCause.CLOSE);
    assertThat(causes(calm().writeInitialBytes(256 << 10), engine -> write(engine, 200)))
        .containsOnly(FlushCause.MEMORY, FlushCause.CLOSE);
    assertThat(causes(calm().logMaxBytes(128 << 10), engine -> write(engine, 200)))
        .containsOnly(FlushCause.LOG, FlushCause.CLOSE);
  }

  private static List<FlushCause> causes(EngineConfigBuilder config, Consumer<Engine> body) {
    RecordedEvents events = new RecordedEvents();
    inEngine(
        config,
        events,
        (sim, engine) -> {
          write(engine, 100);
          body.accept(engine);
        });
    events.checkPairs();
    return events.all(FlushBegun.class).stream().map(FlushBegun::cause).distinct().toList();
  }

  @Test
  void aRecoveryTellsOfItsFlushes() {
    RecordedEvents events = new RecordedEvents();
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            Engine engine = open(sim, calm(), new RecordedEvents());
            engine.createTree("t");
            write(engine, 100);
            sim.crash(CrashKind.PROCESS_DEATH);
          });
      sim.run(() -> open(sim, calm(), events).close());
    }
    assertThat(events.only(FlushBegun.class).cause()).isEqualTo(FlushCause.RECOVERY);
    assertThat(events.only(FlushEnded.class).entries()).isEqualTo(100);
  }

  @Test
  void aMergeIsToldWithItsLevelsItsInputsAndItsResult() {
    RecordedEvents events = new RecordedEvents();
    long[] bytes = new long[2];
    inEngine(
        calm(),
        events,
        (sim, engine) -> {
          write(engine, 100);
          engine.tree("t").compact();
          write(engine, 50);
          engine.flush();
          bytes[0] = engine.statistics().work().flushedBytes();
          engine.tree("t").compact();
          bytes[1] = engine.statistics().work().mergedBytes();
        });
    events.checkPairs();
    List<MergeEnded> ended = events.all(MergeEnded.class);
    assertThat(ended).hasSize(2);
    MergeBegun move = ended.get(0).begun();
    assertThat(move.move()).isTrue();
    assertThat(move.tables()).isEqualTo(1);
    assertThat(ended.get(0).entries()).isEqualTo(100);
    MergeBegun merge = ended.get(1).begun();
    assertThat(merge).isEqualTo(new MergeBegun(merge.id(), "t", 0, 1, 2, bytes[0], false));
    assertThat(ended.get(1))
        .isEqualTo(new MergeEnded(merge, true, 1, bytes[1], 100, ended.get(1).durationNanos()));
    assertThat(ended.get(1).durationNanos()).isPositive();
  }

  @Test
  void aStallIsToldWithItsCause() {
    RecordedEvents events = new RecordedEvents();
    inEngine(
        busy().logMaxBytes(4 << 20),
        events,
        (sim, engine) -> {
          // Merges read chunks, all others read single pages.
          sim.faults()
              .add(
                  Fault.of(FaultEffect.IO_ERROR)
                      .where(call -> call.kind() == IoKind.READ && call.length() > 8192)
                      .asSticky());
          assertThatThrownBy(() -> writeOn(engine)).isInstanceOf(DeadlineException.class);
        });
    List<StallEnded> stalls = events.all(StallEnded.class);
    StallEnded stall = stalls.get(stalls.size() - 1);
    assertThat(stall.begun().tree()).isEqualTo("t");
    assertThat(stall.begun().cause()).isEqualTo(StallCause.L0_STOP);
    assertThat(stall.durationNanos()).isBetween(290_000_000L, 400_000_000L);
    events.checkPairs();
  }

  @Test
  void aStallOfTheWholeEngineHasNoTree() {
    RecordedEvents events = new RecordedEvents();
    inEngine(
        calm().logMaxBytes(256 << 10),
        events,
        (sim, engine) -> {
          sim.faults().add(failing(IoKind.CREATE));
          assertThatThrownBy(() -> writeOn(engine)).isInstanceOf(DeadlineException.class);
        });
    List<StallBegun> stalls = events.all(StallBegun.class);
    StallBegun stall = stalls.get(stalls.size() - 1);
    assertThat(stall).isEqualTo(new StallBegun(stall.id(), null, StallCause.LOG_FULL));
    events.checkPairs();
  }

  private static void writeOn(Engine engine) {
    for (int i = 0; ; i++) {
      engine.tree("t").put(key(i % 1000), new byte[1000], IN_TIME);
    }
  }

  @Test
  void aFailureIsToldWithItsExceptionAfterTheEndOfWhatFailed() {
    RecordedEvents events = new RecordedEvents();
    inEngine(
        calm(),
        events,
        (sim, engine) -> {
          write(engine, 100);
          sim.faults().add(failing(IoKind.CREATE));
          assertThatThrownBy(engine::flush).isInstanceOf(StorageIoException.class);
        });
    FlushEnded failed = events.all(FlushEnded.class).get(0);
    assertThat(failed)
        .isEqualTo(new FlushEnded(failed.begun(), false, 0, 0, 0, failed.durationNanos()));
    WorkFailed failure = events.all(WorkFailed.class).get(0);
    assertThat(failure.flush()).isTrue();
    assertThat(failure.cause()).isInstanceOf(StorageIoException.class).hasMessageContaining(".sst");
    assertThat(failure.retryNanos()).isPositive();
    assertThat(events.told).containsSubsequence(failed.begun(), failed, failure);
    assertThat(events.all(FlushEnded.class)).last().matches(FlushEnded::installed);
    events.checkPairs();
  }

  @Test
  void aFenceIsToldOnce() {
    RecordedEvents events = new RecordedEvents();
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            Engine engine = open(sim, calm(), events);
            engine.createTree("t");
            write(engine, 10);
            StorageIoException cause = new StorageIoException("a force of the log failed");
            engine.open().storage().log().fence(cause);
            assertThatThrownBy(() -> write(engine, 1)).isInstanceOf(FencedException.class);
            engine.open().writes().latch().fence(new StorageIoException("and another"));
            closeQuietly(engine);
            assertThat(events.all(Throwable.class)).containsExactly(cause);
          });
    }
    events.checkPairs();
  }

  /** The log may tell once more what it found before there was room, and tries again. */
  private static void writeAtLast(Simulation sim, Engine engine) {
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        write(engine, 1);
        return;
      } catch (DiskFullException e) {
        sim.env().waiter().pause(10_000_000);
      }
    }
    throw new AssertionError("the engine takes no writes although there is room");
  }

  @Test
  void aFullDiskIsToldAndItsEnd() {
    RecordedEvents events = new RecordedEvents();
    inEngine(
        busy().logMaxBytes(4 << 20).writeInitialBytes(1 << 20),
        events,
        (sim, engine) -> {
          sim.disk().capacityBytes(sim.disk().usedBytes() + (1 << 20));
          assertThatThrownBy(() -> write(engine, 4000)).isInstanceOf(DiskFullException.class);
          sim.disk().capacityBytes(Long.MAX_VALUE);
          writeAtLast(sim, engine);
        });
    List<Object> states =
        events.told.stream()
            .filter(e -> e instanceof DiskFullException || e instanceof RecordedEvents.Room)
            .toList();
    assertThat(states).hasSizeGreaterThanOrEqualTo(2);
    for (int i = 0; i < states.size(); i++) {
      assertThat(states.get(i))
          .isInstanceOf(i % 2 == 0 ? DiskFullException.class : RecordedEvents.Room.class);
    }
    assertThat(states).last().isInstanceOf(RecordedEvents.Room.class);
    events.checkPairs();
  }

  @Test
  void aDiskThatIsFoundFullAgainAndAgainIsToldOnce() {
    RecordedEvents events = new RecordedEvents();
    DiskFullException cause = new DiskFullException("no room", 1, 0);
    inEngine(
        calm(),
        events,
        (sim, engine) -> {
          for (int i = 0; i < 2; i++) {
            engine.open().writes().space().foundFull(cause);
            engine.open().writes().space().foundFull(new DiskFullException("no room either", 1, 0));
            write(engine, 2);
          }
        });
    assertThat(events.told.stream().filter(e -> !(e instanceof Record)).toList())
        .containsExactly(cause, cause);
    assertThat(events.all(RecordedEvents.Room.class)).hasSize(2);
  }

  // ---- Order, and ends.

  @Test
  void everythingThatBeganHasEndedWhenCloseReturnsWhateverHappens() {
    for (int seed = 0; seed < 30; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        RecordedEvents events = new RecordedEvents();
        Engine[] engine = new Engine[1];
        int lastEnd = seed % 3;
        sim.run(
            () -> {
              engine[0] = open(sim, busy(), events);
              engine[0].createTree("t");
              engine[0].createTree("other");
            });
        sim.faults()
            .add(
                Fault.of(FaultEffect.IO_ERROR)
                    .onPath(path -> path.toString().endsWith(".sst"))
                    .oneIn(40)
                    .asSticky());
        sim.run(
            () -> writeUntilClosed(sim, engine[0], "t"),
            () -> writeUntilClosed(sim, engine[0], "other"),
            () -> {
              sim.env().waiter().pause(sim.env().random().nextInt(2_000_000_000));
              if (lastEnd == 1) {
                engine[0].open().storage().log().fence(new StorageIoException("fault"));
              } else if (lastEnd == 2) {
                engine[0].dropTree("other");
              }
              closeQuietly(engine[0]);
              events.checkPairs();
              events.told.clear();
            });
        assertThat(events.told).as("told after close, seed %d", seed).isEmpty();
        assertThat(sim.liveBytes()).isZero();
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  private static void writeUntilClosed(Simulation sim, Engine engine, String name) {
    Tree tree = engine.tree(name);
    for (int i = 0; ; i++) {
      try {
        tree.put(key(i % 500), new byte[1000]);
      } catch (StorageIoException | DiskFullException e) {
        sim.env().waiter().pause(1_000_000);
      } catch (ClosedException | FencedException e) {
        return;
      }
    }
  }

  @Test
  void anOpenThatFailsLeavesNoThreadAndTellsWhatItDid() {
    RecordedEvents events = new RecordedEvents();
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            Engine engine = open(sim, calm(), new RecordedEvents());
            engine.createTree("t");
            write(engine, 100);
            sim.crash(CrashKind.PROCESS_DEATH);
          });
      sim.run(
          () -> {
            sim.faults().add(failing(IoKind.WRITE));
            assertThatThrownBy(() -> open(sim, calm(), events))
                .isInstanceOf(StorageIoException.class);
            assertThat(events.only(FlushEnded.class).installed()).isFalse();
          });
      // A thread that waited for ever would be found here.
      sim.settle();
    }
    events.checkPairs();
  }

  // ---- Listeners that do what they like.

  @Test
  void aListenerThatThrowsDoesNoHarm() {
    RecordedEvents events =
        new RecordedEvents() {
          @Override
          public void on(Object event) {
            super.on(event);
            throw new IllegalStateException("not today");
          }
        };
    inEngine(
        busy(),
        events,
        (sim, engine) -> {
          write(engine, 2000);
          assertThat(engine.tree("t").get(key(1999))).hasSize(1000);
        });
    assertThat(events.all(FlushEnded.class)).hasSizeGreaterThan(5);
    events.checkPairs();
  }

  @Test
  void whileAListenerIsBlockedAllElseGoesOn() {
    boolean[] free = new boolean[1];
    try (Simulation sim = Simulation.seeded(7)) {
      RecordedEvents events =
          new RecordedEvents() {
            @Override
            public void on(Object event) {
              super.on(event);
              while (!free[0]) {
                sim.env().waiter().pause(10_000_000);
              }
            }
          };
      sim.run(
          () -> {
            try (Engine engine = open(sim, busy(), events)) {
              engine.createTree("t");
              write(engine, 2000);
              engine.flush();
              engine.tree("t").compact();
              assertThat(engine.statistics().work().flushes()).isGreaterThan(5);
              assertThat(engine.statistics().work().mergedBytes()).isPositive();
              assertThat(events.told).hasSize(1);
              free[0] = true;
            }
          });
      assertThat(events.all(FlushEnded.class)).hasSizeGreaterThan(5);
      events.checkPairs();
    }
  }

  @Test
  void aListenerMayUseTheEngine() {
    Engine[] engine = new Engine[1];
    int[] used = new int[1];
    RecordedEvents events =
        new RecordedEvents() {
          @Override
          public void on(Object event) {
            super.on(event);
            if (event instanceof FlushEnded flush && flush.begun().cause() == FlushCause.USER) {
              Tree tree = engine[0].tree("t");
              assertThat(tree.get(key(0))).hasSize(1000);
              assertThat(engine[0].statistics().work().flushes()).isPositive();
              engine[0].configure("l0.stop", "11");
              if (used[0]++ == 0) {
                tree.put(key(1), new byte[10]);
                engine[0].flush();
              }
            }
          }
        };
    inEngine(
        calm(),
        events,
        (sim, open) -> {
          engine[0] = open;
          write(open, 100);
          open.flush();
          while (used[0] < 2) {
            sim.env().waiter().pause(1_000_000);
          }
          assertThat(open.tree("t").get(key(1))).hasSize(10);
        });
    events.checkPairs();
  }

  @Test
  void aListenerThatClosesTheEngineIsToldTheRestWithinThatCall() {
    for (int seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] engine = new Engine[1];
        int[] toldAtReturn = {-1};
        RecordedEvents events =
            new RecordedEvents() {
              @Override
              public void on(Object event) {
                super.on(event);
                if (event instanceof FlushBegun flush && flush.cause() == FlushCause.USER) {
                  engine[0].close();
                  toldAtReturn[0] = told.size();
                  checkPairs();
                }
              }
            };
        sim.run(
            () -> {
              engine[0] = open(sim, calm(), events);
              engine[0].createTree("t");
              write(engine[0], 100);
              try {
                engine[0].flush();
              } catch (ClosedException e) {
                // Closed before the flush had ended.
              }
              while (toldAtReturn[0] < 0) {
                sim.env().waiter().pause(1_000_000);
              }
              engine[0].close();
            });
        assertThat(events.told).as("seed %d", seed).hasSize(toldAtReturn[0]);
        assertThat(events.all(FlushEnded.class)).as("seed %d", seed).isNotEmpty();
        assertThat(sim.liveBytes()).isZero();
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  @Test
  void aListenerMayCloseTheEngineWhileAnotherThreadDoes() {
    for (int seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] engine = new Engine[1];
        RecordedEvents events =
            new RecordedEvents() {
              @Override
              public void on(Object event) {
                super.on(event);
                if (event instanceof FlushBegun flush && flush.cause() == FlushCause.CLOSE) {
                  engine[0].close();
                }
              }
            };
        sim.run(
            () -> {
              engine[0] = open(sim, calm(), events);
              engine[0].createTree("t");
              write(engine[0], 100);
              long before = sim.env().clock().nanoTime();
              engine[0].close();
              assertThat(sim.env().clock().nanoTime() - before)
                  .isLessThan(EventQueue.CLOSE_WAIT_NANOS);
              events.checkPairs();
            });
        assertThat(events.all(FlushEnded.class))
            .as("seed %d", seed)
            .anyMatch(flush -> flush.begun().cause() == FlushCause.CLOSE);
      }
    }
  }

  @Test
  void withoutAListenerNothingIsMade() {
    inEngine(
        calm(),
        new RecordedEvents(),
        (sim, engine) -> {
          Events events = new Events(sim.env(), sim.directory(), null);
          assertThat(events.stallBegun(StallCause.LOG_FULL, null)).isNull();
          assertThat(events.isTelling()).isFalse();
          events.close();
        });
  }
}
