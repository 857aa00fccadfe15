package org.loam.workbench.bench.tpcc;

import java.util.function.Consumer;
import org.loam.workbench.bench.EngineMain;
import org.loam.workbench.bench.EngineMessage;
import org.loam.workbench.peer.Peer;

/** A child process: one engine, one run. Takes a {@link TpccSpec}, prints messages. */
final class TpccMain {
  private TpccMain() {}

  public static void main(String[] arguments) {
    EngineMain.run(arguments, TpccSpec.class, TpccMain::run);
  }

  private static void run(TpccSpec spec, Consumer<EngineMessage<TpccRow>> messages)
      throws InterruptedException, Peer.UnavailableException {
    TpccRow row = new TpccRound(spec, spec.subject().peer().factory(), messages).run();
    messages.accept(EngineMessage.of(row));
  }
}
