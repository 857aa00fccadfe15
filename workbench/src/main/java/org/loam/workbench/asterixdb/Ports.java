package org.loam.workbench.asterixdb;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Locale;
import org.loam.workbench.console.CommandException;

/** The ports that a cluster takes. */
final class Ports {
  private Ports() {}

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
