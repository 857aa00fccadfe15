package org.loam.workbench.bench.latency;

import java.io.PrintStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreFactory;

/** A child process: both phases of one engine. Takes a {@link LatencySpec}, prints messages. */
final class LatencyMain {
  private static final Logger LOG = LogManager.getLogger(LatencyMain.class);

  private LatencyMain() {}

  public static void main(String[] arguments) {
    PrintStream messages = System.out;
    // A library that prints must not garble the messages.
    System.setOut(System.err);
    ChildJvm.endWithParent();
    int exitCode = ExitCode.OK;
    try {
      LatencySpec spec = Json.read(arguments[0], LatencySpec.class);
      StoreFactory factory = spec.subject().peer().factory();
      if (spec.transactions() == null) {
        LatencyResult result =
            new LatencyRound(spec, factory, message -> send(messages, message)).run();
        send(messages, LatencyMessage.finished(result));
      } else {
        new TransactionRound(spec, spec.transactions(), factory, message -> send(messages, message))
            .run();
      }
    } catch (InterruptedException | Peer.UnavailableException | RuntimeException | Error e) {
      if (!(e instanceof WrongAnswerException)) {
        LOG.error("the measurement failed", e);
      }
      send(messages, LatencyMessage.failed(e.toString()));
      exitCode = ExitCode.FAILED;
    }
    System.exit(exitCode);
  }

  private static void send(PrintStream messages, LatencyMessage message) {
    messages.println(Json.line(message));
    messages.flush();
  }
}
