package org.loam.asterix.runtime;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.util.PropertySource;
import org.jspecify.annotations.Nullable;

/**
 * Says on standard error that a process has Loam's jar on its class path, but was told to run an
 * application of AsterixDB. AsterixDB's scripts name one on the command line, which wins over
 * {@code app.class} in the configuration.
 *
 * <p>A node controller of AsterixDB loads no service and no extension before it opens its storage,
 * so no hook of AsterixDB's can say it. Log4j, which both kinds of controller start before anything
 * else, loads every source of properties that it finds; this one has no property.
 */
public final class StockNotice implements PropertySource {
  /** Log4j looks for sources once with each class loader. */
  private static final AtomicBoolean SAID = new AtomicBoolean();

  /** Log4j keeps one source of each priority, so this must be one that no other source has. */
  private static final int PRIORITY = 1_000_073;

  private static final Pattern CONTROLLER =
      Pattern.compile(
          "org\\.apache\\.hyracks\\.control\\.(cc\\.CC|nc\\.NC)Driver(?= ).*? -app-class (\\S+).*");

  private static final String OURS = "org.loam.";

  /** Made by Log4j. */
  public StockNotice() {
    if (!SAID.getAndSet(true)) {
      of(System.getProperty("sun.java.command")).ifPresent(System.err::println);
    }
  }

  /**
   * What to say of a process; empty if it is no controller, or runs Loam's application.
   *
   * @param command its main class and arguments; null if the JVM does not tell
   */
  static Optional<String> of(@Nullable String command) {
    Matcher controller = CONTROLLER.matcher(command == null ? "" : command);
    if (!controller.matches() || controller.group(2).startsWith(OURS)) {
      return Optional.empty();
    }
    String application = "(" + controller.group(2) + "), although Loam's jar is on its class path";
    String remedy = "; to do without Loam, remove the jar";
    return Optional.of(
        controller.group(1).startsWith("nc")
            ? "WARNING: LOAM IS NOT IN USE: this node controller keeps its data in AsterixDB's own"
                + " storage "
                + application
                + "; start it with bin/asterixncloam: [nc] command=asterixncloam"
                + remedy
            : "WARNING: LOAM IS NOT IN USE: this is AsterixDB's own cluster controller "
                + application
                + "; start it with bin/asterixccloam"
                + remedy);
  }

  @Override
  public int getPriority() {
    return PRIORITY;
  }
}
