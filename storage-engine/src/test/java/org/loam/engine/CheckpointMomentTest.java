package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.mem.Epochs;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;
import org.loam.log.CommitLog;

/**
 * The schedule that schedules at random hardly ever meet: right at the moment of which a checkpoint
 * is, files come out of use and the log is truncated. Both holds have begun before.
 */
@ExtendWith(QuietLog.class)
class CheckpointMomentTest {
  private static final Path TARGET = Path.of("/backup");
  private static final int KEYS = 30;

  /** Stands for the log of an engine; that its end is read is the moment. */
  private static final class Moment implements InvocationHandler {
    private final Simulation sim;
    private final CommitLog log;
    private final Epochs fileEpochs;
    private boolean isTaken;
    private boolean isTruncated;
    private boolean isDeleted;

    Moment(Simulation sim, Engine engine) {
      this.sim = sim;
      this.log = engine.open().storage().log();
      this.fileEpochs = SmallEngine.fileEpochs(engine.open());
    }

    CommitLog log() {
      return (CommitLog)
          Proxy.newProxyInstance(
              CommitLog.class.getClassLoader(), new Class<?>[] {CommitLog.class}, this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (isTaken && !isTruncated) {
        isTruncated = true;
        log.truncate(log.durableLsn());
        // Time in which the log deletes the segments that it does not need.
        sim.env().waiter().pause(1_000_000_000);
      }
      if (method.getName().equals("endLsn")) {
        isTaken = true;
        fileEpochs.retire(() -> isDeleted = true);
        fileEpochs.collect();
        assertThat(isDeleted).as("a file is deleted that the state names").isFalse();
      }
      try {
        return method.invoke(log, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  private static byte[] key(int i) {
    return String.format("key%03d", i).getBytes(UTF_8);
  }

  @Test
  void whatComesOutOfUseAtTheMomentIsStillThere() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine =
                Engine.open(sim.env(), sim.directory(), SmallEngine.calm().build())) {
              Tree tree = engine.createTree("t");
              for (int i = 0; i < KEYS; i++) {
                tree.put(key(i), new byte[12_000]);
              }
              CommitLog log = engine.open().storage().log();
              log.awaitDurable(log.endLsn(), Long.MAX_VALUE);
              Moment moment = new Moment(sim, engine);
              SmallEngine.checkpoints(engine.open(), moment.log()).make(TARGET);
              assertThat(moment.isTruncated).isTrue();
              assertThat(moment.isDeleted).as("deleted after the checkpoint").isTrue();
            }
            try (Engine copy = Engine.open(sim.env(), TARGET, SmallEngine.calm().build())) {
              for (int i = 0; i < KEYS; i++) {
                assertThat(copy.tree("t").get(key(i))).hasSize(12_000);
              }
            }
          });
    }
  }
}
