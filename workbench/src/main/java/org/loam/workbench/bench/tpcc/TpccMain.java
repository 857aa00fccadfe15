package org.loam.workbench.bench.tpcc;

import java.io.PrintStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.peer.Peer;

/** A child process: one engine, one run. Takes a {@link TpccSpec}, prints messages. */
final class TpccMain {
  private static final Logger LOG = LogManager.getLogger(TpccMain.class);

  private TpccMain() {}

  public static void main(String[] arguments) {
    PrintStream messages = System.out;
    // A library that prints must not garble the messages.
    System.setOut(System.err);
    ChildJvm.endWithParent();
    int exitCode = ExitCode.OK;
    try {
      TpccSpec spec = Json.read(arguments[0], TpccSpec.class);
      TpccRow row =
          new TpccRound(spec, spec.subject().peer().factory(), message -> send(messages, message))
              .run();
      send(messages, TpccMessage.finished(row));
    } catch (InterruptedException | Peer.UnavailableException | RuntimeException | Error e) {
      if (!(e instanceof WrongAnswerException)) {
        LOG.error("the run failed", e);
      }
      send(messages, TpccMessage.failed(e.toString()));
      exitCode = ExitCode.FAILED;
    }
    System.exit(exitCode);
  }

  private static void send(PrintStream messages, TpccMessage message) {
    messages.println(Json.line(message));
    messages.flush();
  }
}
