package org.loam.workbench.bench.latency;

import java.util.function.Consumer;
import org.loam.workbench.bench.EngineMain;
import org.loam.workbench.bench.EngineMessage;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreFactory;

/** A child process: both phases of one engine. Takes a {@link LatencySpec}, prints messages. */
final class LatencyMain {
  private LatencyMain() {}

  public static void main(String[] arguments) {
    EngineMain.run(arguments, LatencySpec.class, LatencyMain::run);
  }

  private static void run(LatencySpec spec, Consumer<EngineMessage<LatencyResult>> messages)
      throws InterruptedException, Peer.UnavailableException {
    StoreFactory factory = spec.subject().peer().factory();
    if (spec.transactions() == null) {
      new LatencyRound(spec, factory, messages)
          .run()
          .forEach(result -> messages.accept(EngineMessage.of(result)));
    } else {
      new TransactionRound(spec, spec.transactions(), factory, messages).run();
    }
  }
}
