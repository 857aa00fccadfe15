package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.loam.common.env.Monitor;
import org.loam.common.sim.Simulation;

class TurnsTest {
  private static final int ELEMENTS = 6;
  private static final int WORKERS = 3;

  /** Things of which one thread at a time can have each, as a tree has one flush at a time. */
  private static final class Things {
    final List<Integer> taken = new ArrayList<>();
    private final boolean[] busy = new boolean[ELEMENTS];
    private final Monitor lock;

    Things(Simulation sim) {
      this.lock = sim.env().waiter().newMonitor("things");
    }

    @Nullable Integer take(int thing) {
      lock.lock();
      try {
        if (busy[thing]) {
          return null;
        }
        busy[thing] = true;
        taken.add(thing);
        return thing;
      } finally {
        lock.unlock();
      }
    }

    void giveBack(int thing) {
      lock.lock();
      try {
        busy[thing] = false;
      } finally {
        lock.unlock();
      }
    }
  }

  @Test
  void nobodyHasTwoTurnsWhileOthersWait() {
    List<Integer> list = IntStream.range(0, ELEMENTS).boxed().toList();
    for (int seed = 0; seed < 100; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Turns turns = new Turns(sim.env().waiter(), "turns");
        Things things = new Things(sim);
        Runnable worker =
            () -> {
              for (int i = 0; i < 30; i++) {
                Integer thing = turns.take(list, things::take);
                sim.env().waiter().pause(1000);
                things.giveBack(thing);
              }
            };
        sim.run(worker, worker, worker);
        // The others may hold up to two, which are passed over.
        int between = ELEMENTS - WORKERS;
        for (int i = 0; i + between < things.taken.size(); i++) {
          assertThat(things.taken.subList(i, i + between + 1))
              .as("seed %d: turns %s", seed, things.taken)
              .doesNotHaveDuplicates();
        }
      }
    }
  }

  @Test
  void aListMayGetShorterOrEmpty() {
    try (Simulation sim = Simulation.seeded(1)) {
      Turns turns = new Turns(sim.env().waiter(), "turns");
      assertThat(turn(turns, "abc", "c")).isEqualTo("c");
      assertThat(turn(turns, "ab", "ab")).isEqualTo("b");
      assertThat(turn(turns, "", "ab")).isNull();
      assertThat(turn(turns, "ab", "c")).isNull();
      assertThat(turn(turns, "ab", "ab")).isEqualTo("a");
    }
  }

  private static @Nullable String turn(Turns turns, String list, String ready) {
    return turns.take(
        list.chars().mapToObj(Character::toString).toList(), s -> ready.contains(s) ? s : null);
  }
}
