package org.loam.common.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.env.Monitor;

/** Faults of the order of locks are found in runs that never deadlock. */
@Tag("once")
class LockOrderTest {
  @Test
  void twoMonitorsTakenInBothOrdersFail() {
    assertFails(
        List.of(List.of("left", "right"), List.of("right", "left")),
        "'left' was taken while 'right' was held");
  }

  @Test
  void aCycleOfThreeFails() {
    assertFails(
        List.of(List.of("a", "b"), List.of("b", "c"), List.of("c", "a")),
        "'a' was taken while 'c' was held");
  }

  /** One order only. */
  @Test
  void anyOrderWithoutACycleIsGood() {
    takeAll(List.of(List.of("a", "b", "c"), List.of("a", "c"), List.of("b", "c")));
  }

  @Test
  void numbersMakeNoKinds() {
    assertFails(List.of(List.of("part 1", "part 2")), "'part' was taken while 'part' was held");
  }

  @Test
  void aPairAgainstTheDeclaredOrderFailsAtOnce() {
    assertFails(
        List.of(List.of("commit latch", "install lock of tree t")),
        "'install lock of tree' was taken while 'commit latch' was held");
    assertFails(
        List.of(List.of("page reads 3", "page reads 4")),
        "'page reads' was taken while 'page reads' was held");
  }

  /** It would follow from the write gate between them. */
  @Test
  void aPairThatIsExceptedFails() {
    takeAll(List.of(List.of("write gate of tree 1", "background workers")));
    assertFails(
        List.of(List.of("commit latch", "background workers")),
        "'background workers' was taken while 'commit latch' was held");
    assertFails(
        List.of(List.of("commit latch", "write gate of tree 1", "background workers")),
        "'background workers' was taken while 'commit latch' was held");
  }

  @Test
  void declaredPairsAndWhatFollowsFromThemAreGood() {
    takeAll(
        List.of(
            List.of("keys of dataset 'd'", "keys of dataset 'd'", "commit latch"),
            List.of(
                "tree catalog", "install lock of tree t", "commit latch", "write gate of tree 1"),
            List.of("tree catalog", "write gate of tree 2")));
  }

  /** Trees are locked one inside the other by their ids, say, so that no two threads meet. */
  @Test
  void twoMonitorsOfOneKindTakenInBothOrdersFail() {
    try (Simulation sim = Simulation.seeded(1)) {
      Monitor one = sim.env().waiter().newMonitor("install lock of tree 1");
      Monitor two = sim.env().waiter().newMonitor("install lock of tree 2");
      for (int i = 0; i < 2; i++) {
        one.lock();
        two.lock();
        two.unlock();
        one.unlock();
      }
      two.lock();
      assertThatThrownBy(one::lock)
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining(
              "'install lock of tree 1' was taken while 'install lock of tree 2' was held");
    }
  }

  /** An attempt that may fail waits for nothing; what is taken inside is judged as ever. */
  @Test
  void anAttemptIsNotJudged() {
    try (Simulation sim = Simulation.seeded(1)) {
      Monitor latch = sim.env().waiter().newMonitor("commit latch");
      Monitor catalog = sim.env().waiter().newMonitor("tree catalog");
      Monitor close = sim.env().waiter().newMonitor("engine close");
      latch.lock();
      assertThat(catalog.tryLock()).isTrue();
      assertThatThrownBy(close::lock)
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("'engine close' was taken while 'commit latch' was held");
    }
  }

  @Test
  void awaitingWithAnotherMonitorHeldFailsUnlessDeclared() {
    await("keys of dataset 'd'", "write memory");
    await("any", "other");
    assertThatThrownBy(() -> await("install lock of tree t", "write memory"))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining(
            "a signal of 'write memory' was awaited while 'install lock of tree' was held");
  }

  /** What was given back, or is awaited, is not held. */
  @Test
  void theMonitorThatIsAwaitedIsHeldAgainAfterwards() {
    try (Simulation sim = Simulation.seeded(1)) {
      Monitor memory = sim.env().waiter().newMonitor("write memory");
      Monitor latch = sim.env().waiter().newMonitor("commit latch");
      memory.lock();
      memory.await(1000);
      memory.unlock();
      latch.lock();
      latch.unlock();
      memory.lock();
      memory.await(1000);
      assertThatThrownBy(latch::lock)
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("'commit latch' was taken while 'write memory' was held");
    }
  }

  @Test
  void noMonitorIsTakenInsideAPlainLock() {
    try (Simulation sim = Simulation.seeded(1)) {
      Monitor latch = sim.env().waiter().newMonitor("commit latch");
      Baton baton = Baton.ofThisThread();
      assertThat(baton).isNotNull();
      baton.enter(this);
      assertThatThrownBy(latch::lock)
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("while a plain lock of LockOrderTest was held");
    }
  }

  private static void await(String held, String awaited) {
    try (Simulation sim = Simulation.seeded(1)) {
      Monitor outer = sim.env().waiter().newMonitor(held);
      Monitor inner = sim.env().waiter().newMonitor(awaited);
      sim.run(
          () -> {
            outer.lock();
            inner.lock();
            inner.await(1000);
            inner.unlock();
            outer.unlock();
          });
    }
  }

  private static void assertFails(List<List<String>> nests, String message) {
    assertThatThrownBy(() -> takeAll(nests))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("lock order: ")
        .hasMessageContaining(message);
  }

  /** Takes monitors, the next inside the one before, and gives them back; then the next nest. */
  private static void takeAll(List<List<String>> nests) {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            for (List<String> nest : nests) {
              List<Monitor> taken = new ArrayList<>();
              for (String name : nest) {
                Monitor monitor = sim.env().waiter().newMonitor(name);
                monitor.lock();
                taken.add(0, monitor);
              }
              taken.forEach(Monitor::unlock);
            }
          });
    }
  }
}
