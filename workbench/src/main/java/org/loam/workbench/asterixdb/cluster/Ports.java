package org.loam.workbench.asterixdb.cluster;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.loam.workbench.console.CommandException;

/** The ports that a cluster takes, and those of programs that work with it. */
public final class Ports {
  /** Below those that the system gives to outgoing connections. */
  private static final int FIRST = 20_000;

  private static final int STEP = 10;

  private Ports() {}

  /**
   * Settings with ports that are free; each process begins to look elsewhere. A few ports behind
   * those of the cluster are left to programs that work with it.
   */
  public static ClusterSettings findFree(long heapBytes, Storage storage) {
    int port = FIRST + (int) (ProcessHandle.current().pid() % 1000) * STEP;
    return findFree(port, heapBytes, storage);
  }

  /** Settings for a second cluster beside one that need not run yet. */
  public static ClusterSettings findFreeBehind(ClusterSettings first, Storage storage) {
    return findFree(first.port() + STEP, first.heapBytes(), storage);
  }

  private static ClusterSettings findFree(int from, long heapBytes, Storage storage) {
    int port = from;
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

  /** Free ports behind those of a cluster, as for the sockets of its feeds. */
  public static List<Integer> findFree(ClusterSettings cluster, int count) {
    List<Integer> free = new ArrayList<>();
    for (int port = cluster.port() + ClusterSettings.PORT_COUNT; free.size() < count; port++) {
      if (isFree(port)) {
        free.add(port);
      }
    }
    return free;
  }

  private static boolean isFree(int port) {
    try {
      new ServerSocket(port).close();
      return true;
    } catch (IOException e) {
      return false;
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
      if (!isFree(port)) {
        throw CommandException.environment(
            String.format(
                Locale.ROOT,
                "port %d is taken, %d to %d are needed; name other ones with --port, as --port %d",
                port,
                settings.port(),
                last,
                settings.port() + 100));
      }
    }
  }
}
