package org.loam.workbench.bench.tpcc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.loam.workbench.bench.Client;
import org.loam.workbench.bench.EngineMessage;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.bench.Latency;
import org.loam.workbench.bench.Phase;
import org.loam.workbench.bench.Rest;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.TransactionKind;

/**
 * One engine: loads the tables, comes to rest, runs transactions, and checks the conditions and the
 * indexes.
 */
final class TpccRound {
  /** The longest record, a customer, has fewer bytes. */
  private static final int MOST_RECORD_BYTES = 1_000;

  private static final long NOTABLE_MILLIS = 500;
  private static final int SECONDS_PER_MINUTE = 60;

  private final TpccSpec spec;
  private final StoreFactory factory;
  private final Consumer<EngineMessage<TpccRow>> listener;
  private final Totals totals = new Totals();

  TpccRound(TpccSpec spec, StoreFactory factory, Consumer<EngineMessage<TpccRow>> listener) {
    this.spec = spec;
    this.factory = factory;
    this.listener = listener;
  }

  /**
   * Runs it.
   *
   * @throws org.loam.workbench.bench.WrongAnswerException if a transaction was given a wrong
   *     answer, or if a condition does not hold afterwards
   */
  TpccRow run() throws InterruptedException {
    StoreSettings settings =
        spec.subject().store(spec.memoryBytes(), spec.durability(), MOST_RECORD_BYTES);
    TpccRow row;
    try (TableStore store = factory.openTables(settings)) {
      listener.accept(EngineMessage.began("load"));
      Load.into(store, spec.scale(), spec.seed(), spec.threads());
      if (!Rest.await(store, spec.timing().quietMillis())) {
        note("still busy five minutes after the load");
      }
      listener.accept(EngineMessage.began(spec.mix().id()));
      row = row(measure(store));
      listener.accept(EngineMessage.began("conditions"));
      Conditions.require(store, spec.scale(), totals);
    }
    WorkDirectory.delete(settings.directory());
    return row;
  }

  private Phase.Outcome measure(TableStore store) throws InterruptedException {
    Terminal.Shared shared =
        new Terminal.Shared(spec.scale(), spec.mix(), spec.seed(), new RecordLocks(), totals);
    Client.Factory terminals = (number, random) -> new Terminal(shared, store.session(), random);
    Phase phase =
        new Phase(store, true, terminals, spec.threads(), spec.seed(), spec.timing().quietMillis());
    return phase.runFor(spec.timing().warmupMillis(), spec.timing().measureMillis());
  }

  private TpccRow row(Phase.Outcome outcome) {
    if (!outcome.rested()) {
      note("still busy five minutes after the last transaction");
    }
    Phase.Window window = outcome.window();
    long longestMillis = window.latencies().getMaxValue() / 1_000_000;
    if (longestMillis >= NOTABLE_MILLIS) {
      note(
          "a transaction took "
              + longestMillis
              + " ms"
              + outcome.longestWait().map(wait -> "; longest wait: " + wait).orElse(""));
    }
    Map<String, TpccRow.KindRow> kinds = new LinkedHashMap<>();
    for (TransactionKind kind : TransactionKind.ALL) {
      Histogram latencies = of(kind, window);
      kinds.put(kind.id(), new TpccRow.KindRow(latencies.getTotalCount(), Latency.of(latencies)));
    }
    long newOrders = of(TransactionKind.NEW_ORDER, window).getTotalCount();
    return new TpccRow(
        spec.subject().peer().id(),
        new TpccRow.Throughput(
            Figures.rounded(window.opsPerSecond()),
            Figures.rounded(newOrders * SECONDS_PER_MINUTE / window.seconds())),
        TpccRow.TransactionCost.of(outcome.charge()),
        Latency.of(window.latencies()),
        kinds,
        totals.rolledBack(),
        window.perSecond(),
        null);
  }

  private static Histogram of(TransactionKind kind, Phase.Window window) {
    return window.byKind().get(TransactionKind.ALL.indexOf(kind));
  }

  private void note(String note) {
    listener.accept(EngineMessage.noted(note));
  }
}
