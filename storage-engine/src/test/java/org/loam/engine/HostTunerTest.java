package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.engine.TunedEngines.MIB;
import static org.loam.engine.TunedEngines.SECOND;
import static org.loam.engine.TunedEngines.cycles;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.TunedHost.Life;
import org.loam.engine.TunedHost.Work;
import org.loam.lsm.FlushCause;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.policy.Decision;

/**
 * The memory tuner of an engine below the log of a host, which is frozen by default there: with
 * {@code tuner.mode} ADAPTIVE it moves memory as in an engine with a log of its own, and the host
 * loses nothing by that.
 */
@Tag("once")
class HostTunerTest {
  /** With a little less than half of the memory to divide as write memory, and short cycles. */
  private static EngineConfig config(WriteScheme scheme) {
    return TunedEngines.config()
        .durability(Durability.SYNC)
        .writeScheme(scheme)
        .writeInitialBytes(24 << 20)
        .logMaxBytes(64 << 20)
        .flushThreshold(0.6)
        .tunerMode(TunerMode.ADAPTIVE)
        .tunerCycleSeconds(2)
        .build();
  }

  /** What is read has no room in the cache; what is written is written again and again. */
  @ParameterizedTest
  @EnumSource(names = {"DYNAMIC", "RANGES"})
  void memoryGoesToReadersAndBackToWriters(WriteScheme scheme) {
    try (TunedHost world = new TunedHost(Simulation.CALM, config(scheme))) {
      AtomicLong low = new AtomicLong();
      AtomicLong high = new AtomicLong();
      world.live(
          life -> {
            life.fill();
            life.during(Work.WRITE, life::isHalfFull);
            long first = life.ownBytes();
            readersGetMemory(life, first);
            low.set(life.ownBytes());
            writersGetMemory(life, low.get());
            high.set(life.ownBytes());
          });
      List<Decision> moves =
          world.history().stream().map(HistoryEntry::decision).filter(Decision::moves).toList();
      assertThat(world.history()).allMatch(entry -> entry.mode().equals("ADAPTIVE"));
      assertThat(moves).anyMatch(move -> move.toBytes() < move.fromBytes());
      assertThat(moves.get(moves.size() - 1).toBytes())
          .as("the last of %s", moves)
          .isGreaterThan(low.get());
      assertThat(high.get()).isGreaterThan(low.get());
      // The next one begins with the split that was found.
      world.live(life -> assertThat(life.targetBytes()).isNotEqualTo(24 * MIB));
    }
  }

  private static void readersGetMemory(Life life, long first) {
    int flushes = life.flushes();
    life.during(Work.READ, () -> life.ownBytes() < first * 6 / 10);
    // No write finds that memory is short, so the move has asked the host.
    assertThat(life.engine().flushChoices()).anyMatch(choice -> choice.cause() == FlushCause.TUNER);
    life.writeLarge();
    life.during(Work.READ, () -> life.mostLent() > 0);
    life.during(Work.READ, () -> life.lent() == 0 && life.flushes() > flushes);
    // The large transaction may have moved memory back.
    life.during(Work.READ, () -> life.ownBytes() < first * 6 / 10);
  }

  private static void writersGetMemory(Life life, long low) {
    int flushes = life.flushes();
    life.during(Work.WRITE, () -> life.ownBytes() > 2 * low);
    life.writeLarge();
    life.during(Work.WRITE, () -> life.mostLent() > 0);
    life.during(Work.WRITE, () -> life.lent() == 0 && life.flushes() > flushes);
  }

  /** Its move waits for a flush, which takes seconds. */
  @ParameterizedTest
  @EnumSource(names = {"DYNAMIC", "RANGES"})
  void aTunerThatIsFrozenInAMoveLeavesTheSplitAsItIs(WriteScheme scheme) {
    try (TunedHost world = new TunedHost(2, config(scheme))) {
      world.live(
          life -> {
            life.fill();
            long kept = freezeInAMove(life);
            assertThat(life.targetBytes()).isEqualTo(kept);
            life.keep(kept);
            life.engine().configure("io.limitBytesPerSecond", "0");
            world.sim().env().waiter().pause(2 * SECOND);
            long cycles = cycles(life.engine());
            int flushes = life.flushes();
            life.during(Work.READ, 6);
            life.writeLarge();
            life.during(Work.WRITE, () -> life.mostLent() > 0 && life.flushes() > flushes + 1);
            life.during(Work.WRITE, 6);
            assertThat(cycles(life.engine())).isEqualTo(cycles);
          });
    }
  }

  /** Returns the size of write memory, which had not come to its target. */
  private static long freezeInAMove(Life life) {
    boolean isInAMove = false;
    for (int round = 0; round < 4 && !isInAMove; round++) {
      life.engine().configure("tuner.mode", "ADAPTIVE");
      shrink(life);
      long wanted = life.targetBytes();
      life.engine().configure("tuner.mode", "FROZEN");
      // The flush that the move waits for may have ended meanwhile.
      isInAMove = life.ownBytes() > wanted;
    }
    assertThat(isInAMove).isTrue();
    return life.ownBytes();
  }

  /** Until a move to less write memory is under way, and waits for memory to be flushed. */
  private static void shrink(Life life) {
    boolean isShrinking = false;
    for (int round = 0; round < 4 && !isShrinking; round++) {
      life.engine().configure("io.limitBytesPerSecond", "0");
      life.during(Work.WRITE, life::isHalfFull);
      life.engine().configure("io.limitBytesPerSecond", "1MiB");
      isShrinking = life.isDuring(Work.READ, 20, life::isShrinking);
    }
    assertThat(isShrinking).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"DYNAMIC", "RANGES"})
  void aCrashOfTheHostInAMoveLosesNothing(WriteScheme scheme) {
    Random random = new Random(3);
    try (TunedHost world = new TunedHost(3, config(scheme))) {
      world.live(Life::fill);
      int crashes = 0;
      for (int n = 0; n < 4; n++) {
        CrashKind kind = n % 2 == 0 ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH;
        boolean hasEnded = world.live(life -> crashInAMove(world, life, kind, random));
        crashes += hasEnded ? 0 : 1;
      }
      assertThat(crashes).isGreaterThanOrEqualTo(3);
      world.live(life -> life.during(Work.WRITE, 1));
      assertThat(world.redone()).isGreaterThan(1000);
    }
  }

  private static void crashInAMove(TunedHost world, Life life, CrashKind kind, Random random) {
    for (int round = 0; round < 3; round++) {
      life.engine().configure("io.limitBytesPerSecond", "0");
      life.isDuring(Work.WRITE, 20, () -> life.isHalfFull() || life.isMoving());
      life.engine().configure("io.limitBytesPerSecond", "1MiB");
      life.isDuring(Work.READ, 20, life::isMoving);
      for (int millis = random.nextInt(200); millis > 0 && life.isMoving(); millis--) {
        world.sim().env().waiter().pause(SECOND / 1000);
      }
      if (life.isMoving()) {
        world.sim().crash(kind);
      }
    }
  }
}
