package org.loam.workbench.bench.tpcc;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.peer.LoamTables;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;

/** Runs terminals, and says what they were told, until it is killed. */
final class KilledMain {
  static final Scale SCALE = Scale.of(1, 0.01);
  static final String READY = "acknowledged";

  private static final int TERMINALS = 2;
  private static final int STEPS = 50;

  private KilledMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    ChildJvm.endWithParent();
    Totals totals = new Totals();
    LoamTables store = TransactionsTest.open(Path.of(arguments[0]));
    Load.into(store, SCALE, 1, TERMINALS);
    Terminal.Shared shared = new Terminal.Shared(SCALE, Mix.STANDARD, 1, new RecordLocks(), totals);
    for (int number = 0; number < TERMINALS; number++) {
      Terminal terminal = new Terminal(shared, store.session(), new SplittableRandom(number));
      new Thread(
              () -> {
                while (true) {
                  for (int i = 0; i < STEPS; i++) {
                    terminal.step();
                  }
                  say(totals);
                }
              })
          .start();
    }
  }

  private static synchronized void say(Totals totals) {
    // In one line: what it says was acknowledged before.
    System.out.println(
        READY + " " + totals.orders() + " " + totals.paidCents() + " " + totals.deliveries());
  }
}
