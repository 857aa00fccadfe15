package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.InsertLog;
import org.loam.workbench.bench.KvClient;
import org.loam.workbench.bench.Population;
import org.loam.workbench.peer.Store;
import org.loam.workbench.workload.Hotspot;
import org.loam.workbench.workload.Workload;
import org.loam.workbench.workload.Zipfian;

/** One client on all trees: chooses a tree, then does one operation there. For one thread. */
final class TreesClient implements LoopClient {
  private final List<KvClient> clients = new ArrayList<>();
  private final @Nullable Zipfian choice;
  private final @Nullable Hotspot hotspot;
  private final SplittableRandom random;

  /**
   * @param number of this client, from 0
   * @param inserts of each tree
   */
  TreesClient(
      LatencySpec spec,
      Workload workload,
      Store store,
      Population population,
      List<InsertLog> inserts,
      int number) {
    SplittableRandom seeds = new SplittableRandom(spec.seed() * 31 + number);
    this.random = seeds.split();
    int trees = spec.trees().count();
    Double zipf = spec.traffic().zipf();
    this.hotspot = spec.traffic().hotspot();
    this.choice = zipf == null ? null : new Zipfian(trees, zipf);
    for (int tree = 0; tree < trees; tree++) {
      clients.add(
          new KvClient(
              workload, population, inserts.get(tree), number, store.session(tree), seeds.split()));
    }
  }

  /** Does one operation in a tree by choice. */
  @Override
  public boolean step() {
    return step(clients.size() == 1 ? 0 : chooseTree());
  }

  private int chooseTree() {
    if (hotspot != null) {
      return hotspot.choose(random, clients.size());
    }
    return choice == null ? random.nextInt(clients.size()) : (int) choice.next(random);
  }

  /** Does one operation in a tree; returns whether it wrote. */
  boolean step(int tree) {
    KvClient client = clients.get(tree);
    long before = client.writes();
    client.step();
    return client.writes() != before;
  }

  @Override
  public void close() {
    clients.forEach(KvClient::close);
  }
}
