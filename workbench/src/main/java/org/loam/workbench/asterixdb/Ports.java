package org.loam.workbench.asterixdb;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Locale;
import org.loam.workbench.console.CommandException;

/** The ports that a cluster takes. */
final class Ports {
  /** Below those that the system gives to whoever connects to somebody. */
  private static final int FIRST = 20_000;

  private static final int STEP = 10;

  private Ports() {}

  /**
   * Settings with ports that nobody has; each process begins to look elsewhere. A few ports behind
   * those of the cluster are left to whoever it works with.
   */
  static ClusterSettings findFree(long heapBytes, Storage storage) {
    int port = FIRST + (int) (ProcessHandle.current().pid() % 1000) * STEP;
    while (true) {
      ClusterSettings settings = new ClusterSettings(port, heapBytes, storage);
      try {
        requireFree(settings);
        return settings;
      } catch (CommandException e) {
        port += STEP;
      }
    }
  }

  /**
   * Insists on all of them.
   *
   * @throws CommandException if another program has one
   */
  static void requireFree(ClusterSettings settings) {
    int last = settings.port() + ClusterSettings.PORT_COUNT - 1;
    for (int port = settings.port(); port <= last; port++) {
      try {
        new ServerSocket(port).close();
      } catch (IOException e) {
        throw CommandException.environment(
            String.format(
                Locale.ROOT,
                "port %d is taken, %d to %d are needed; name other ones with --port, as --port %d",
                port,
                settings.port(),
                last,
                settings.port() + 100),
            e);
      }
    }
  }
}
