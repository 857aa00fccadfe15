package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hyracks.util.ExitUtil;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Filter.Result;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A node that AsterixDB halts while it starts says why; AsterixDB tells its log only. */
class HaltLogTest {
  private boolean isStarting = true;
  private final StartFault fault =
      new StartFault(() -> isStarting, () -> Optional.of("txn.log.dir: /log is full"));
  private final HaltLog log = new HaltLog(fault::willEnd);

  private void logged(Level level, String logger, String message, @Nullable Throwable thrown) {
    Log4jLogEvent event =
        Log4jLogEvent.newBuilder()
            .setLevel(level)
            .setLoggerName(logger)
            .setMessage(new SimpleMessage(message))
            .setThrown(thrown)
            .build();
    assertThat(log.filter(event)).isEqualTo(Result.NEUTRAL);
  }

  private void logged(String message) {
    logged(Level.ERROR, "org.apache.Any", message, null);
  }

  /** As the thread that writes AsterixDB's log ends the node. */
  private String halt() {
    return StandardError.during(
        () -> logged(Level.FATAL, ExitUtil.class.getName(), "JVM halting with status 14", null));
  }

  private static String line(String text) {
    return "org.loam.asterix.runtime.StartException: the start failed: "
        + text
        + "; txn.log.dir: /log is full"
        + System.lineSeparator();
  }

  @Test
  void aHaltIsSaidOnceWithWhatItsThreadHasLoggedLast() {
    logged("something else");
    logged(
        Level.ERROR,
        "org.apache.LogFlusher",
        "LogFlusher is terminating abnormally",
        new IllegalStateException(new IOException("No space left on device")));
    CompletableFuture.runAsync(() -> logged("of another thread")).join();
    logged(Level.WARN, "org.apache.Any", "a warning", null);
    assertThat(halt())
        .isEqualTo(line("LogFlusher is terminating abnormally: No space left on device"));
    assertThat(halt()).isEmpty();
  }

  @Test
  void aHaltWithoutACauseIsSaidAsWell() {
    assertThat(halt()).isEqualTo(line("AsterixDB halts the node; its log says why"));
  }

  @Test
  void aNodeThatHasStartedTellsItsLogOnly() {
    isStarting = false;
    logged("the cause");
    assertThat(halt()).isEmpty();
  }
}
