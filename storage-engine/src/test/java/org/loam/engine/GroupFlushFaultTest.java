package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.Durability;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/** A tree that cannot be flushed does not keep the others from it. */
@Tag("once")
@ExtendWith(QuietLog.class)
class GroupFlushFaultTest {
  private static final int TREES = 20;
  private static final long A_SECOND = 1_000_000_000L;
  private static final long A_MINUTE = 60_000_000_000L;

  private static final Path BROKEN = Path.of("/mnt/broken");

  private static final Fault NO_TABLES =
      Fault.of(FaultEffect.IO_ERROR).on(IoKind.CREATE).onPath(path -> path.startsWith(BROKEN));

  /** Trees that can be flushed, and one that cannot. */
  private record Trees(Engine engine, List<Tree> good, Tree bad) {}

  /** With a second directory. */
  private static void inEngine(Simulation sim, Consumer<Engine> body) {
    sim.run(
        () -> {
          OpenOptions options = OpenOptions.DEFAULT.withDirectories(List.of(BROKEN));
          try (Engine engine =
              Engine.open(
                  sim.env(),
                  sim.directory(),
                  EngineSimulationTest.config(Durability.PROCESS).toBuilder()
                      .logMaxBytes(16 << 20)
                      .build(),
                  options)) {
            body.accept(engine);
            sim.faults().clear();
          }
        });
  }

  private static void inBrokenDirectory(Simulation sim, Consumer<Trees> body) {
    inEngine(
        sim,
        engine -> {
          List<Tree> good = new ArrayList<>();
          for (int i = 0; i < TREES; i++) {
            good.add(engine.createTree("good" + i));
          }
          Tree bad = engine.createTree("bad", TreeOptions.DEFAULT.inDirectory(1));
          bad.put(key(), new byte[100]);
          good.forEach(tree -> tree.put(key(), new byte[100]));
          sim.faults().add(NO_TABLES.asSticky());
          body.accept(new Trees(engine, good, bad));
          sim.faults().clear();
          bad.flush();
        });
  }

  @Test
  void treesOfOtherDirectoriesAreFlushed() {
    try (Simulation sim = Simulation.seeded(1)) {
      inBrokenDirectory(
          sim,
          trees -> {
            trees.bad().host().beginFlush();
            trees.good().forEach(tree -> tree.host().beginFlush());
            sim.env().waiter().pause(A_MINUTE);
            for (var tree : trees.engine().statistics().trees()) {
              assertThat(tree.levels().isEmpty())
                  .as("%s is in memory only", tree.name())
                  .isEqualTo(tree.name().equals("bad"));
            }
          });
    }
  }

  /** So many flushes that groups are formed again. */
  @Test
  void theFaultOfADirectoryIsKnownAndLoggedOnceWhileOthersAreFlushed() {
    try (LoggedLines log = new LoggedLines();
        Simulation sim = Simulation.seeded(1)) {
      inBrokenDirectory(
          sim,
          trees -> {
            EngineHealth before = trees.engine().health();
            assertThat(before.flushFault()).isNull();
            trees.bad().host().beginFlush();
            for (int i = 0; i < 10; i++) {
              for (Tree good : trees.good()) {
                good.put(key(), new byte[100]);
                good.host().beginFlush();
              }
              sim.env().waiter().pause(A_MINUTE);
              assertThat(trees.engine().health().flushFault()).contains(BROKEN.toString());
            }
            assertThat(log.lines())
                .singleElement(STRING)
                .startsWith("a flush failed, and is tried again");
          });
      assertThat(log.lines()).endsWith("a flush has succeeded again").hasSize(2);
    }
  }

  @Test
  void theFaultOfADirectoryIsForgottenWithItsTree() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          engine -> {
            Tree kept = engine.createTree("kept");
            Tree bad = engine.createTree("bad", TreeOptions.DEFAULT.inDirectory(1));
            kept.put(key(), new byte[100]);
            bad.put(key(), new byte[100]);
            sim.faults().add(NO_TABLES.asSticky());
            assertThatThrownBy(bad::flush).isInstanceOf(StorageIoException.class);
            assertThat(engine.health().flushFault()).isNotNull();
            engine.dropTree("bad");
            assertThat(engine.health().flushFault()).isNull();
          });
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theFaultOfATreeEndsNoWaitForAnother(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      inBrokenDirectory(
          sim,
          trees -> {
            trees.bad().host().beginFlush();
            trees.good().forEach(Tree::flush);
            assertThatThrownBy(trees.bad()::flush).isInstanceOf(StorageIoException.class);
          });
    }
  }

  /** Half of write memory does not leave: the other half goes on to be flushed. */
  @Test
  void writersOfOtherTreesFindMemory() {
    try (Simulation sim = Simulation.seeded(1)) {
      inBrokenDirectory(
          sim,
          trees -> {
            for (int i = 0; i < 100; i++) {
              trees.bad().put(key(i), new byte[1000]);
            }
            trees.bad().host().beginFlush();
            WriteOptions soon = WriteOptions.DEFAULT.within(Duration.ofMinutes(1));
            for (int i = 0; i < 50 * TREES; i++) {
              trees.good().get(i % TREES).put(key(i), new byte[1000], soon);
            }
          });
    }
  }

  /** Trees of a directory that no tree can be flushed in any more. */
  private static void inFullDirectory(Simulation sim, Consumer<List<Tree>> body) {
    inEngine(
        sim,
        engine -> {
          List<Tree> trees = new ArrayList<>();
          for (int i = 0; i < TREES; i++) {
            Tree tree = engine.createTree("full" + i, TreeOptions.DEFAULT.inDirectory(1));
            tree.put(key(), new byte[100]);
            trees.add(tree);
          }
          body.accept(trees);
          sim.faults().clear();
          // A flush that has met the fault may still have to say so, and would fail the close.
          sim.env().waiter().pause(A_MINUTE);
        });
  }

  private static void requireSoon(Simulation sim, Runnable flush) {
    long begin = sim.env().clock().nanoTime();
    assertThatThrownBy(flush::run).isInstanceOf(StorageException.class);
    assertThat(sim.env().clock().nanoTime() - begin).isLessThan(A_MINUTE);
  }

  /** A wait is not as long as the turns of all trees that are flushed alone, which get rarer. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aFullDirectoryEndsTheWaitsForItsTrees(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      inFullDirectory(
          sim,
          trees -> {
            sim.faults()
                .add(
                    Fault.of(FaultEffect.DISK_FULL)
                        .on(IoKind.CREATE)
                        .onPath(path -> path.startsWith(BROKEN))
                        .asSticky());
            trees.forEach(tree -> tree.host().beginFlush());
            trees.forEach(tree -> requireSoon(sim, tree::flush));
          });
    }
  }

  /**
   * Flushes rest after all trees have had a turn, not after each one: rests are of 30 s by then.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aWaitThatBeginsAfterTheFaultIsNoLongerThanARest(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      inFullDirectory(
          sim,
          trees -> {
            sim.faults()
                .add(
                    Fault.of(FaultEffect.IO_ERROR)
                        .on(IoKind.CREATE)
                        .onPath(path -> path.startsWith(BROKEN))
                        .asSticky());
            trees.forEach(tree -> tree.host().beginFlush());
            sim.env().waiter().pause(10 * A_MINUTE);
            trees.forEach(tree -> requireSoon(sim, tree::flush));
          });
    }
  }

  /** The group is formed while the flush of the first tree, which succeeds, takes its time. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theFaultOfAGroupEndsTheWaitsForItsTrees(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      inFullDirectory(
          sim,
          trees -> {
            AtomicInteger creations = new AtomicInteger();
            sim.faults()
                .add(
                    Fault.of(FaultEffect.IO_ERROR)
                        .on(IoKind.CREATE)
                        .onPath(path -> path.startsWith(BROKEN))
                        .where(
                            call -> {
                              sim.env().waiter().pause(A_SECOND);
                              return creations.getAndIncrement() > 0;
                            })
                        .asSticky());
            trees.get(0).host().beginFlush();
            sim.env().waiter().pause(A_SECOND / 2);
            trees.forEach(tree -> tree.host().beginFlush());
            requireSoon(sim, trees.get(TREES - 1)::flush);
          });
    }
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  private static byte[] key() {
    return "key".getBytes(UTF_8);
  }
}
