package org.loam.it.golden;

import java.nio.file.Path;
import java.util.List;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.workbench.console.ChildJvm;

/**
 * A process that makes a database with a dataset to be checked in, as {@link GoldenMain} makes one
 * with trees.
 *
 * <p>One index was made with the dataset, one of the records that were there, and one was dropped.
 * In L0 the records have two groups; the last batches, which move index entries, are in the log
 * only, unless closing flushed them.
 */
public final class GoldenOrdersMain {
  /** Batches up to here are in disk components. */
  private static final int FLUSHED = GoldenOrders.LOADED + 4;

  /** The last batch. */
  static final int LAST = FLUSHED + 5;

  /** What is in the log only. */
  static final int LOGGED_BATCHES = LAST - FLUSHED;

  private GoldenOrdersMain() {}

  public static void main(String[] arguments) {
    ChildJvm.endWithParent();
    GoldenEnd end = GoldenEnd.of(arguments[1]);
    Engine engine = Engine.open(Path.of(arguments[0]), GoldenMain.settings(end.scheme()).build());
    JsonDataset orders =
        JsonDataset.create(
            engine,
            GoldenOrders.NAME,
            List.of("id"),
            List.of(GoldenOrders.BY_PLACE, GoldenOrders.DROPPED));
    write(engine, orders, 1, GoldenOrders.LOADED);
    engine.flush();
    orders.createIndex(GoldenOrders.BY_LABEL);
    orders.dataset().dropIndex(GoldenOrders.DROPPED.name());
    write(engine, orders, GoldenOrders.LOADED + 1, FLUSHED);
    engine.flush();
    write(engine, orders, FLUSHED + 1, LAST);
    GoldenMain.leave(engine, end);
  }

  static void write(Engine engine, JsonDataset orders, int first, int last) {
    for (int number = first; number <= last; number++) {
      DatasetBatch batch = new DatasetBatch();
      GoldenOrders.addTo(batch, orders, number);
      engine.datasets().write(batch);
    }
  }
}
