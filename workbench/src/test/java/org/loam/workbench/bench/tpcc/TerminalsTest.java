package org.loam.workbench.bench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.bench.Client;
import org.loam.workbench.bench.Phase;
import org.loam.workbench.peer.LoamTables;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;
import org.loam.workbench.workload.tpcc.TransactionKind;

/** Terminals beside each other on one warehouse. */
class TerminalsTest {
  private static final Scale SCALE = Scale.of(1, 0.01);
  private static final int TERMINALS = 4;

  @TempDir Path directory;

  /** Without the locks, some increments of the warehouse's sum would be lost. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void loseNoUpdate() throws InterruptedException {
    Totals totals = new Totals();
    try (LoamTables store = TransactionsTest.open(directory.resolve("database"))) {
      Load.into(store, SCALE, 1, TERMINALS);
      Terminal.Shared shared =
          new Terminal.Shared(SCALE, Mix.STANDARD, 1, new RecordLocks(), totals);
      Client.Factory terminals = (number, random) -> new Terminal(shared, store.session(), random);
      Phase.Outcome outcome =
          new Phase(store, true, terminals, TERMINALS, 1, 0).runCount(TERMINALS * 1_000L);
      assertThat(outcome.window().operations()).isEqualTo(TERMINALS * 1_000L);
      assertThat(outcome.window().byKind()).hasSize(TransactionKind.ALL.size());
      assertThat(
              outcome
                  .window()
                  .byKind()
                  .get(TransactionKind.ALL.indexOf(TransactionKind.NEW_ORDER))
                  .getTotalCount())
          .isEqualTo(totals.orders() + totals.rolledBack());
      assertThat(totals.rolledBack()).isBetween(1L, 60L);
      Conditions.require(store, SCALE, totals);
    }
  }
}
