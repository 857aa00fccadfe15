package org.loam.workbench.bench.latency;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.loam.workbench.bench.EngineMessage;
import org.loam.workbench.bench.ProcessUsage;
import org.loam.workbench.bench.Rest;
import org.loam.workbench.bench.tpcc.Conditions;
import org.loam.workbench.bench.tpcc.Load;
import org.loam.workbench.bench.tpcc.RecordLocks;
import org.loam.workbench.bench.tpcc.Terminal;
import org.loam.workbench.bench.tpcc.Totals;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Mix;

/**
 * One engine with transactions derived from TPC-C: loads the tables, comes to rest, runs one mix
 * after the other, each in a closed loop with a result of its own, and checks the conditions.
 */
final class TransactionRound {
  private static final int MOST_RECORD_BYTES = 1_000;

  private final LatencySpec spec;
  private final LatencySpec.Transactions transactions;
  private final StoreFactory factory;
  private final Consumer<EngineMessage<LatencyResult>> listener;
  private final Totals totals = new Totals();
  private final RecordLocks locks = new RecordLocks();

  TransactionRound(
      LatencySpec spec,
      LatencySpec.Transactions transactions,
      StoreFactory factory,
      Consumer<EngineMessage<LatencyResult>> listener) {
    this.spec = spec;
    this.transactions = transactions;
    this.factory = factory;
    this.listener = listener;
  }

  /**
   * Runs it; tells the listener the result of each mix.
   *
   * @throws org.loam.workbench.bench.WrongAnswerException if the engine gave one
   */
  void run() throws InterruptedException {
    StoreSettings settings =
        spec.subject().store(spec.data().memoryBytes(), spec.durability(), MOST_RECORD_BYTES);
    try (TableStore store = factory.openTables(settings)) {
      listener.accept(EngineMessage.began("load"));
      long began = System.nanoTime();
      long loaded = Load.into(store, transactions.scale(), spec.seed(), spec.traffic().threads());
      double loadedPerSecond = loaded / ((System.nanoTime() - began) / 1e9);
      if (!Rest.await(store, Rest.QUIET.toMillis())) {
        listener.accept(EngineMessage.noted("still busy five minutes after the load"));
      }
      for (Mix mix : transactions.mixes()) {
        listener.accept(EngineMessage.began(mix.id()));
        TestingResult testing =
            new ClosedLoop(spec, store, number -> client(store, mix, number), listener).run();
        listener.accept(
            EngineMessage.of(
                new LatencyResult(
                    spec.subject().peer().id(),
                    loadedPerSecond,
                    testing,
                    null,
                    ProcessUsage.peakResidentBytes())));
      }
      listener.accept(EngineMessage.began("conditions"));
      Conditions.require(store, transactions.scale(), totals);
    }
    WorkDirectory.delete(settings.directory());
  }

  private LoopClient client(TableStore store, Mix mix, int number) {
    Terminal.Shared shared =
        new Terminal.Shared(transactions.scale(), mix, spec.seed(), locks, totals);
    SplittableRandom random =
        new SplittableRandom((spec.seed() * 31 + number) * 31 + mix.id().hashCode());
    Terminal terminal = new Terminal(shared, store.session(), random);
    return new LoopClient() {
      @Override
      public boolean step() {
        long before = terminal.writes();
        terminal.step();
        return terminal.writes() != before;
      }

      @Override
      public void close() {
        terminal.close();
      }
    };
  }
}
