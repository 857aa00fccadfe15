package org.loam.workbench.bench;

import java.io.PrintStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.workbench.bench.RoundMessage.Summary;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.workload.Workload;

/** A child process: one engine, one round. Takes a {@link RoundSpec}, prints messages. */
final class RoundMain {
  private static final Logger LOG = LogManager.getLogger(RoundMain.class);

  private RoundMain() {}

  public static void main(String[] arguments) {
    PrintStream messages = System.out;
    // A library that prints must not garble the messages.
    System.setOut(System.err);
    ChildJvm.endWithParent();
    int exitCode = ExitCode.OK;
    try {
      run(Json.read(arguments[0], RoundSpec.class), messages);
    } catch (InterruptedException | Peer.UnavailableException | RuntimeException | Error e) {
      if (!(e instanceof WrongAnswerException)) {
        LOG.error("the round failed", e);
      }
      messages.println(Json.line(RoundMessage.failed(e.toString())));
      exitCode = ExitCode.FAILED;
    }
    messages.flush();
    System.exit(exitCode);
  }

  private static void run(RoundSpec spec, PrintStream messages)
      throws InterruptedException, Peer.UnavailableException {
    Round.Listener listener =
        new Round.Listener() {
          @Override
          public void began(Workload workload, int threads) {
            send(RoundMessage.began(workload.id() + ", " + threads + " threads"));
          }

          @Override
          public void measured(Row row) {
            send(RoundMessage.measured(row));
          }

          @Override
          public void noted(String note) {
            send(RoundMessage.noted(note));
          }

          private void send(RoundMessage message) {
            messages.println(Json.line(message));
            messages.flush();
          }
        };
    Round.Totals totals = new Round(spec, spec.subject().peer().factory(), listener).run();
    messages.println(
        Json.line(
            RoundMessage.finished(
                new Summary(
                    ProcessUsage.peakResidentBytes(),
                    totals.engineBytes(),
                    ProcessUsage.kernelBytesWritten(),
                    totals.writeMemoryBytes()))));
  }
}
