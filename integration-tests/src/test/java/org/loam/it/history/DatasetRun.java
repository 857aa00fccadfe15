package org.loam.it.history;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.engine.Cursor;
import org.loam.engine.Dataset;
import org.loam.engine.Engine;
import org.loam.it.orders.Order;
import org.loam.it.orders.OrderIndex;

/** A dataset with three indexes that stay and one that comes and goes. */
final class DatasetRun extends Run {
  private static final String NAME = "orders";

  private final VisitingIndex visitor = new VisitingIndex();
  private final Content content;
  private DatasetClient.@Nullable World world;

  DatasetRun(Path directory, Durability durability, long seed) {
    super(directory, durability, seed);
    content = new OrderRecords(new History(random, DatasetClient.KEYS, Client.COUNT + 1));
  }

  @Override
  List<? extends Client> open(Engine engine) {
    DatasetClient.World now =
        new DatasetClient.World(engine, openDataset(engine), content, visitor);
    world = now;
    verify();
    List<DatasetClient> clients = new ArrayList<>();
    for (int i = 0; i < Client.COUNT; i++) {
      clients.add(new DatasetClient(i, random.split(), now));
    }
    return clients;
  }

  private Dataset openDataset(Engine engine) {
    List<OrderIndex> indexes = new ArrayList<>(VisitingIndex.RESIDENTS);
    if (world == null) {
      visitor.isThere(false);
      return engine.datasets().create(NAME, Order.RULE, OrderIndex.definitions(indexes));
    }
    boolean there =
        engine.datasets().describe(NAME).indexes().stream()
            .anyMatch(index -> index.name().equals(VisitingIndex.VISITOR.title()));
    visitor.isThere(there);
    if (there) {
      indexes.add(VisitingIndex.VISITOR);
    }
    return engine.datasets().open(NAME, Order.RULE, OrderIndex.definitions(indexes));
  }

  @Override
  void verify() {
    DatasetClient.World now = world;
    if (now == null) {
      return;
    }
    Moment moment = Moment.begin(content, Client.COUNT);
    moment.end();
    RangeScan all = RangeScan.all(DatasetClient.KEYS);
    try (Cursor cursor = now.dataset().scan(all.options())) {
      all.read(cursor, 0, moment, () -> {});
    }
    moment.check();
    for (int group = 0; group < content.history.groupCount(); group++) {
      if (content.history.started(group) != content.history.acknowledged(group)) {
        DatasetClient.write(now, group, new Trail());
      }
    }
  }
}
