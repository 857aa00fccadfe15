package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
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
  void nothingHasTwoTurnsWhileOthersWait() {
    List<Integer> list = IntStream.range(0, ELEMENTS).boxed().toList();
    for (int seed = 0; seed < 100; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Turns turns = new Turns(sim.env().waiter(), "turns");
        Things things = new Things(sim);
        Runnable worker =
            () -> {
              for (int i = 0; i < 30; i++) {
                Integer thing = turn(turns, list, things::take);
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
    return turn(
        turns,
        list.chars().mapToObj(Character::toString).toList(),
        s -> ready.contains(s) ? s : null);
  }

  /** One turn; what it gives, null if none was taken. */
  private static <T, R> @Nullable R turn(
      Turns turns, List<T> list, Function<T, @Nullable R> attempt) {
    AtomicReference<R> result = new AtomicReference<>();
    turns.take(
        list,
        element -> {
          result.set(attempt.apply(element));
          return result.get() != null;
        },
        () -> result.get() != null);
    return result.get();
  }

  @Test
  void whatWasPassedOverIsNext() {
    try (Simulation sim = Simulation.seeded(1)) {
      Turns turns = new Turns(sim.env().waiter(), "turns");
      List<String> list = List.of("a", "b", "c", "d");
      assertThat(turns(turns, list, "acd", 2)).containsExactly("a", "c");
      assertThat(turns(turns, list, "abcd", 2)).containsExactly("b", "c");
      assertThat(turns(turns, list, "abcd", 9)).containsExactly("c", "d", "a", "b");
      assertThat(turns(turns, list, "", 9)).isEmpty();
      assertThat(turns(turns, list, "abcd", 1)).containsExactly("d");
    }
  }

  private static List<String> turns(Turns turns, List<String> list, String ready, int most) {
    List<String> taken = new ArrayList<>();
    turns.take(list, s -> ready.contains(s) && taken.add(s), () -> taken.size() == most);
    return taken;
  }
}
