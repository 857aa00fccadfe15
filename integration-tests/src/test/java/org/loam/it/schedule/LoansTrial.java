package org.loam.it.schedule;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.open.OpenEngine;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;
import org.loam.lsm.PointRead;

/**
 * Write memory gets smaller than a record while two clients write such records, and a third one
 * writes small ones. While write memory is large enough a record waits for a flush, from then on
 * for a loan. Every write comes to its turn, the loans go back, and what was written is there.
 */
public final class LoansTrial extends ScheduleTrial {
  private static final int PAGE_BYTES = 4096;
  private static final int LEAST_PAGES = 64;

  /** Some steps more; a record that is alone still fits. */
  private static final int FIRST_PAGES = 80;

  private static final int LARGE_BYTES = 66 * PAGE_BYTES;
  private static final int SMALL_BYTES = 6000;
  private static final int CLIENTS = 3;
  private static final int WRITES = 2;
  private static final int PATIENCE = 1000;
  private static final long LOOK_NANOS = 1_000_000;

  /** Many times what the flushes take that a write may have to wait for. */
  private static final WriteTerms IN_TIME = new WriteTerms(false, Duration.ofSeconds(2));

  /** To be run in instrumented code. */
  public LoansTrial() {
    super(LoansTrial::world);
  }

  static void world(Simulation sim) {
    Life life = new Life(sim);
    sim.run(
        () ->
            undisturbed(
                () -> {
                  life.move(FIRST_PAGES);
                  life.write(0, SMALL_BYTES);
                }));
    sim.run(
        () -> life.move(LEAST_PAGES),
        () -> life.write(0, SMALL_BYTES),
        () -> life.write(1, LARGE_BYTES),
        () -> life.write(2, LARGE_BYTES));
    sim.run(() -> undisturbed(life::end));
  }

  private static final class Life {
    private final Simulation sim;
    private final OpenEngine engine;
    private final MemoryArbiter arbiter;
    private final LsmTree tree;
    private final int[] versions = new int[CLIENTS];

    Life(Simulation sim) {
      this.sim = sim;
      this.engine = TinyEngine.openMovable(sim);
      this.arbiter = engine.memory().arbiter();
      this.tree = TinyEngine.createTree(sim, engine);
    }

    void move(int pages) {
      engine.memoryMoves().setTarget((long) pages * PAGE_BYTES, () -> true);
      while (arbiter.own() != pages) {
        sim.env().waiter().pause(LOOK_NANOS);
      }
    }

    void write(int client, int valueBytes) {
      for (int i = 0; i < WRITES; i++) {
        byte[] value = ByteBuffer.allocate(valueBytes).putInt(++versions[client]).array();
        engine.writes().committer().write(tree, key(client), value, IN_TIME);
        get(client);
      }
    }

    private static byte[] key(int client) {
      return new byte[] {(byte) client};
    }

    private void get(int client) {
      byte[] value =
          engine
              .reads()
              .reader()
              .read(tree, key(client), PointRead.LATEST_PUBLISHED, ReadIntent.QUERY);
      int version = value == null ? 0 : ByteBuffer.wrap(value).getInt();
      Check.that(
          version == versions[client],
          "key " + client + " shows version " + version + ", not " + versions[client]);
    }

    void end() {
      for (int client = 0; client < CLIENTS; client++) {
        get(client);
      }
      write(0, SMALL_BYTES);
      engine.maintenance().flushAll(FlushCause.USER);
      PagePool.Quota write = engine.memory().writeQuota();
      for (int i = 0; arbiter.lent() > 0 || write.targetPages() > LEAST_PAGES; i++) {
        Check.that(
            i < PATIENCE,
            arbiter.lent() + " pages are lent, write memory may take " + write.targetPages());
        sim.env().waiter().pause(LOOK_NANOS);
      }
      Check.that(write.targetPages() == LEAST_PAGES, "write memory gave back too much");
      engine.close();
    }
  }
}
