package org.loam.engine.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.dataset.DatasetWriter.Changes;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.read.ReadPath;
import org.loam.engine.read.TreeCursor;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Schedules of writers beside an index of their dataset that is created, or dropped: each ends
 * before, or begins after, and then it knows of the change.
 */
@Tag("once")
@Explored
class IndexChangesScheduleTest {
  private static final int SCHEDULES = 300;
  private static final int SCHEDULES_OF_REFUSED = 1000;

  private static final IllegalArgumentException REFUSAL = new IllegalArgumentException("refused");

  private static final IndexDefinition INDEX =
      IndexDefinition.of("index", "v1", (record, keys) -> keys.next().add(record.bytes()[0]));

  /** Writes that are refused have few steps, of which more are those in question. */
  private static final int REFUSED = 10;

  private static final long PAUSE_NANOS = 1_000_000;

  /** An engine with two datasets. */
  private static final class World {
    final Simulation sim;
    final OpenEngine engine;
    final DatasetState first;
    final DatasetState second;

    /** Whether no writer is inside. */
    private volatile boolean isAlone;

    World(Simulation sim, IndexDefinition... indexes) {
      this.sim = sim;
      engine = SmallEngine.open(sim, SmallEngine.config().durability(Durability.PROCESS));
      first = engine.datasets().create("first", "v1", List.of(indexes));
      second = engine.datasets().create("second", "v1", List.of());
    }

    static byte[] bytes(int one) {
      return new byte[] {(byte) one};
    }

    void write() {
      engine.datasetWriter().write(first, bytes(1), bytes(1), WriteTerms.DEFAULT);
    }

    void writeBatch() {
      Map<byte[], Optional<byte[]>> records =
          Map.of(bytes(2), Optional.of(bytes(2)), bytes(3), Optional.of(bytes(3)));
      engine
          .datasetWriter()
          .write(
              List.of(new Changes(first, records), new Changes(second, records)),
              WriteTerms.DEFAULT);
    }

    /** Its extractor is called while the key is locked. */
    void writeInVain() {
      for (int i = 0; i < REFUSED; i++) {
        assertThatThrownBy(this::write).isSameAs(REFUSAL);
      }
    }

    void writeBatchInVain() {
      for (int i = 0; i < REFUSED; i++) {
        assertThatThrownBy(this::writeBatch).isSameAs(REFUSAL);
      }
    }

    IndexDefinition refusing() {
      return IndexDefinition.of(
          "index",
          "v1",
          (record, keys) -> {
            assertThat(isAlone).isFalse();
            throw REFUSAL;
          });
    }

    void beAlone() {
      first.withoutWriters(
          () -> {
            isAlone = true;
            sim.env().waiter().pause(PAUSE_NANOS);
            isAlone = false;
          });
    }

    void create() {
      engine.datasetIndexes().create(first, INDEX, (done, total) -> {});
    }

    void drop() {
      engine.datasetIndexes().drop(first, "index");
    }

    int count(LsmTree tree) {
      int count = 0;
      try (TreeCursor entries = engine.reads().scan(tree, ReadPath.ALL_IN_PASSING)) {
        while (entries.next()) {
          count++;
        }
      }
      return count;
    }
  }

  @Test
  void noWriterIsInsideMeanwhile() {
    Schedules.explore(
        SCHEDULES_OF_REFUSED,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          world.first.add(new Index(world.refusing(), world.second.records()));
          sim.run(world::writeInVain, world::writeBatchInVain, world::beAlone);
          Schedules.finish(sim, world.engine::close);
        });
  }

  @Test
  void anIndexThatIsCreatedHasAllRecords() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::write, world::writeBatch, world::create);
          Schedules.finish(
              sim,
              () -> {
                assertThat(world.count(world.first.indexes().get(0).tree())).isEqualTo(3);
                assertThat(world.count(world.first.records())).isEqualTo(3);
                assertThat(world.count(world.second.records())).isEqualTo(2);
                world.engine.close();
              });
        });
  }

  /** A write to the tree of an index that is gone fails. */
  @Test
  void anIndexThatIsDroppedIsNotWrittenToAfterIt() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim, INDEX));
          sim.run(world::write, world::writeBatch, world::drop);
          Schedules.finish(
              sim,
              () -> {
                assertThat(world.first.indexes()).isEmpty();
                assertThat(world.count(world.first.records())).isEqualTo(3);
                world.engine.close();
              });
        });
  }
}
