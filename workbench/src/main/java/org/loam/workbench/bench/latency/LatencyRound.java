package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.EngineMessage;
import org.loam.workbench.bench.InsertLog;
import org.loam.workbench.bench.Population;
import org.loam.workbench.bench.ProcessUsage;
import org.loam.workbench.bench.Rest;
import org.loam.workbench.bench.ScanCheck;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Workload;

/**
 * One engine: loads the records, comes to rest, finds the maximum, offers a share of it, and scans
 * everything, which must show exactly the records that were loaded.
 */
final class LatencyRound {
  /** Records of one tree, so that a scheme with places for fewer trees than there are is loaded. */
  private static final long LOADED_AT_ONCE = 1_000;

  private static final long LOOK_NANOS = 50_000_000;

  /** The statistics of many trees take time: looks at the load have such a part of it at most. */
  private static final int LOOK_PART = 50;

  private final LatencySpec spec;
  private final StoreFactory factory;
  private final Consumer<EngineMessage<LatencyResult>> listener;
  private final Population population;
  private final List<InsertLog> inserts = new ArrayList<>();
  private LatencyResult.@Nullable LoadMemory loadMemory;

  LatencyRound(
      LatencySpec spec, StoreFactory factory, Consumer<EngineMessage<LatencyResult>> listener) {
    this.spec = spec;
    this.factory = factory;
    this.listener = listener;
    this.population = population(spec);
    for (int tree = 0; tree < spec.trees().count(); tree++) {
      inserts.add(new InsertLog(0, spec.traffic().threads()));
    }
  }

  /** The records of each tree, and how operations choose among them. */
  static Population population(LatencySpec spec) {
    Double zipf = spec.traffic().zipf();
    return zipf == null
        ? Population.of(spec.recordsPerTree(), spec.data().valueBytes())
        : Population.skewed(spec.recordsPerTree(), spec.data().valueBytes(), zipf);
  }

  /**
   * Runs it.
   *
   * @return one result, or one for each stage
   * @throws WrongAnswerException if the engine gave one
   */
  List<LatencyResult> run() throws InterruptedException {
    StoreSettings settings =
        spec.subject()
            .store(
                spec.data().memoryBytes(),
                spec.durability(),
                spec.data().valueBytes(),
                spec.trees().count(),
                spec.trees().indexes());
    List<LatencyResult> results = new ArrayList<>();
    try (Store store = factory.open(settings)) {
      double loadedPerSecond = load(store);
      IntFunction<TreesClient> clients = number -> client(store, spec.traffic().workload(), number);
      if (spec.phases().stages().isEmpty()) {
        results.add(phases(store, clients, loadedPerSecond));
      }
      for (Map<String, String> stage : spec.phases().stages()) {
        String name = "stage " + (results.size() + 1) + "/" + spec.phases().stages().size();
        stage.forEach(store::configure);
        rest(store, "a change to " + name);
        results.add(result(loadedPerSecond, testing(name, store, clients), null));
      }
      verify(store);
    }
    WorkDirectory.delete(settings.directory());
    return results;
  }

  private LatencyResult phases(
      Store store, IntFunction<TreesClient> clients, double loadedPerSecond)
      throws InterruptedException {
    TestingResult testing = null;
    Double rate = spec.traffic().offeredPerSecond();
    if (rate == null) {
      TestingResult found = maximum(store, clients);
      testing = found;
      rate = found.maxOpsPerSecond() * spec.traffic().load();
    } else if (spec.phases().testing() != null) {
      testing = maximum(store, clients);
    }
    RunningResult running = rate == 0 ? null : running(store, rate);
    return result(loadedPerSecond, testing, running);
  }

  /** The testing phase, with the settings that are its own. */
  private TestingResult maximum(Store store, IntFunction<TreesClient> clients)
      throws InterruptedException {
    Map<String, String> own = spec.phases().testing();
    Map<String, String> before = new HashMap<>();
    if (own != null) {
      own.forEach((name, value) -> before.put(name, store.configure(name, value)));
    }
    TestingResult found = testing("testing phase", store, clients);
    before.forEach(store::configure);
    return found;
  }

  private TestingResult testing(String name, Store store, IntFunction<TreesClient> clients)
      throws InterruptedException {
    listener.accept(EngineMessage.began(name));
    return new ClosedLoop(spec, store, clients, listener).run();
  }

  private LatencyResult result(
      double loadedPerSecond, @Nullable TestingResult testing, @Nullable RunningResult running) {
    return new LatencyResult(
        spec.subject().peer().id(),
        loadedPerSecond,
        testing,
        running,
        ProcessUsage.peakResidentBytes(),
        loadMemory);
  }

  private RunningResult running(Store store, double rate) throws InterruptedException {
    listener.accept(EngineMessage.began("running phase"));
    RunningResult running =
        new OpenLoop(spec, store, (workload, number) -> client(store, workload, number), rate)
            .run();
    if (running.counts().unfinished() > 0) {
      note(running.counts().unfinished() + " operations were not done when the command gave up");
    }
    return running;
  }

  private void rest(Store store, String after) {
    if (!Rest.await(store, Rest.QUIET.toMillis())) {
      note("still busy five minutes after " + after);
    }
  }

  private void note(String note) {
    listener.accept(EngineMessage.noted(note));
  }

  private TreesClient client(Store store, Workload workload, int number) {
    return new TreesClient(spec, workload, store, population, inserts, number);
  }

  /** Returns records per second. */
  private double load(Store store) throws InterruptedException {
    listener.accept(EngineMessage.began("load"));
    int threads = spec.traffic().threads();
    long records = spec.recordsPerTree();
    long began = System.nanoTime();
    // What watches the clients may see their end late.
    LongAccumulator ended = new LongAccumulator(Math::max, began);
    Workers workers =
        new Workers(
            threads,
            number ->
                all -> {
                  long share = records / threads + (number < records % threads ? 1 : 0);
                  try (TreesClient client = client(store, Workload.LOAD, number)) {
                    for (long from = 0; from < share; from += LOADED_AT_ONCE) {
                      long to = Math.min(share, from + LOADED_AT_ONCE);
                      for (int tree = 0; tree < spec.trees().count(); tree++) {
                        for (long i = from; i < to && !all.hasFailed(); i++) {
                          client.step(tree);
                        }
                      }
                    }
                  }
                  ended.accumulate(System.nanoTime());
                });
    LoadMemoryWatch memory = new LoadMemoryWatch(store);
    while (!workers.haveEnded()) {
      long looked = System.nanoTime();
      memory.look();
      long now = System.nanoTime();
      workers.sleepUntil(now + Math.max(LOOK_NANOS, LOOK_PART * (now - looked)));
    }
    workers.join();
    double seconds = (ended.get() - began) / 1e9;
    loadMemory = memory.end();
    store.flush();
    rest(store, "the load");
    return records * spec.trees().count() / seconds;
  }

  private void verify(Store store) {
    listener.accept(EngineMessage.began("scan of everything"));
    if (spec.trees().indexes() > 0) {
      store.verify();
    }
    byte[] first = Keys.newBuffer();
    Keys.write(0, first);
    for (int tree = 0; tree < spec.trees().count(); tree++) {
      ScanCheck check = new ScanCheck(population);
      check.beginAnywhere();
      try (Store.Session session = store.session(tree)) {
        long count = session.scan(first, Integer.MAX_VALUE, check);
        if (count != population.records()) {
          throw new WrongAnswerException(
              "a scan of tree "
                  + tree
                  + " shows "
                  + count
                  + " records, "
                  + population.records()
                  + " were inserted");
        }
      }
    }
  }
}
