package org.loam.workbench.bench;

import java.util.function.Consumer;
import org.loam.workbench.bench.RoundPart.Summary;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.workload.Workload;

/** A child process: one engine, one round. Takes a {@link RoundSpec}, prints messages. */
final class RoundMain {
  private RoundMain() {}

  public static void main(String[] arguments) {
    EngineMain.run(arguments, RoundSpec.class, RoundMain::run);
  }

  private static void run(RoundSpec spec, Consumer<EngineMessage<RoundPart>> messages)
      throws InterruptedException, Peer.UnavailableException {
    Round.Listener listener =
        new Round.Listener() {
          @Override
          public void began(Workload workload, int threads) {
            messages.accept(EngineMessage.began(workload.id() + ", " + threads + " threads"));
          }

          @Override
          public void measured(Row row) {
            messages.accept(EngineMessage.of(new RoundPart(row, null)));
          }

          @Override
          public void noted(String note) {
            messages.accept(EngineMessage.noted(note));
          }
        };
    Round.Totals totals = new Round(spec, spec.subject().peer().factory(), listener).run();
    messages.accept(
        EngineMessage.of(
            new RoundPart(
                null,
                new Summary(
                    ProcessUsage.peakResidentBytes(),
                    totals.engineBytes(),
                    ProcessUsage.kernelBytesWritten(),
                    totals.writeMemoryBytes()))));
  }
}
