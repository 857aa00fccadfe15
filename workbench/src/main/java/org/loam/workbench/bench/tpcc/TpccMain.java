package org.loam.workbench.bench.tpcc;

import java.util.function.Consumer;
import org.loam.workbench.bench.EngineMain;
import org.loam.workbench.peer.Peer;

/** A child process: one engine, one run. Takes a {@link TpccSpec}, prints messages. */
final class TpccMain {
  private TpccMain() {}

  public static void main(String[] arguments) {
    EngineMain.run(arguments, TpccSpec.class, TpccMain::run, TpccMessage::failed);
  }

  private static void run(TpccSpec spec, Consumer<TpccMessage> messages)
      throws InterruptedException, Peer.UnavailableException {
    TpccRow row = new TpccRound(spec, spec.subject().peer().factory(), messages).run();
    messages.accept(TpccMessage.finished(row));
  }
}
