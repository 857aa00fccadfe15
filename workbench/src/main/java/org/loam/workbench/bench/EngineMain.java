package org.loam.workbench.bench;

import java.io.PrintStream;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.peer.Peer;

/**
 * The main method of a child process that measures one engine: it takes what is to be measured as
 * JSON, prints each message as a line of JSON, and ends with its parent. {@link EngineProcess} is
 * the parent's side.
 */
public final class EngineMain {
  private static final Logger LOG = LogManager.getLogger(EngineMain.class);

  private EngineMain() {}

  /**
   * What is measured.
   *
   * @param <S> what is to be measured
   * @param <R> what it is measured as
   */
  public interface Measurement<S, R> {
    /** Measures, and sends what the parent should know. */
    void run(S spec, Consumer<EngineMessage<R>> messages)
        throws InterruptedException, Peer.UnavailableException;
  }

  /**
   * Measures, and ends the process.
   *
   * @param specType type of the only argument
   */
  public static <S, R> void run(
      String[] arguments, Class<S> specType, Measurement<S, R> measurement) {
    PrintStream lines = System.out;
    // A library that prints must not garble the messages.
    System.setOut(System.err);
    ChildJvm.endWithParent();
    Consumer<EngineMessage<R>> messages =
        message -> {
          lines.println(Json.line(message));
          lines.flush();
        };
    int exitCode = ExitCode.OK;
    try {
      measurement.run(Json.read(arguments[0], specType), messages);
    } catch (InterruptedException | Peer.UnavailableException | RuntimeException | Error e) {
      if (!(e instanceof WrongAnswerException)) {
        LOG.error("the measurement failed", e);
      }
      messages.accept(EngineMessage.failed(e.toString()));
      exitCode = ExitCode.FAILED;
    }
    System.exit(exitCode);
  }
}
