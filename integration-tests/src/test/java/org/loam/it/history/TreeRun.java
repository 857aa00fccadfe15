package org.loam.it.history;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/** Trees that stay, trees that come and go, and counters. */
final class TreeRun extends Run {
  /** How the names of trees that come and go begin. */
  static final String GUEST = "guest";

  private static final String RESIDENT = "resident";

  private final Counters counters = new Counters();
  private TreeClient.@Nullable World world;

  TreeRun(Path directory, Durability durability, long seed) {
    super(directory, durability, seed);
  }

  @Override
  List<? extends Client> open(Engine engine) {
    TreeClient.World now = world == null ? create(engine) : reopened(engine, world);
    world = now;
    verify();
    List<TreeClient> clients = new ArrayList<>();
    for (int i = 0; i < Client.COUNT; i++) {
      clients.add(new TreeClient(i, random.split(), now));
    }
    return clients;
  }

  private TreeClient.World create(Engine engine) {
    return new TreeClient.World(
        engine,
        TreePair.create(engine, RESIDENT, random),
        new AtomicReference<>(TreePair.create(engine, GUEST, random)),
        engine.createTree(Counters.TREE),
        counters);
  }

  private TreeClient.World reopened(Engine engine, TreeClient.World before) {
    TreePair residents = before.residents().reopened(engine);
    TreePair guests = before.guests().get();
    List<String> known = guests == null ? List.of() : guests.names;
    for (Tree tree : engine.trees()) {
      String name = tree.name();
      if (name.startsWith(GUEST) && !known.contains(name)) {
        // A client was about to create or drop it when the engine was closed; otherwise the client
        // would have told of its successors.
        if (guests != null) {
          throw new HistoryError(tree + " was dropped and is there");
        }
        engine.dropTree(name);
      }
    }
    TreePair next =
        guests == null ? TreePair.create(engine, GUEST, random) : guests.reopened(engine);
    Tree counterTree = engine.tree(Counters.TREE);
    return new TreeClient.World(
        engine, residents, new AtomicReference<>(next), counterTree, counters);
  }

  @Override
  void verify() {
    TreeClient.World now = world;
    if (now != null) {
      now.residents().verify();
      TreePair guests = now.guests().get();
      if (guests != null) {
        guests.verify();
      }
      counters.verify(now.counterTree());
    }
  }
}
