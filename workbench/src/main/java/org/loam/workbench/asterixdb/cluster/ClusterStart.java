package org.loam.workbench.asterixdb.cluster;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitHook;

/** Starts the processes of a cluster, and waits until all of it is active. */
final class ClusterStart {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int SHOWN_LINES = 15;

  private final ClusterFiles files;
  private final ClusterProcesses processes;
  private final Artifacts artifacts;
  private final Consumer<String> lastWords;

  /**
   * @param lastWords takes what a node said at last that does not start
   */
  ClusterStart(ClusterFiles files, Artifacts artifacts, Consumer<String> lastWords) {
    this.files = files;
    this.processes = new ClusterProcesses(files);
    this.artifacts = artifacts;
    this.lastWords = lastWords;
  }

  /** See {@link AsterixCluster#start}. The directory is locked. */
  Set<Node> start(ClusterSettings settings) throws InterruptedException {
    Set<Node> running = processes.running();
    requireSameDevices(settings);
    if (!running.isEmpty()) {
      requireSame(settings);
    }
    if (running.contains(Node.CC)) {
      Set<Node> missing = settings.processes();
      missing.removeAll(running);
      startAll(missing, settings);
      return missing;
    }
    // Node controllers know the controller that they registered with, and no later one.
    processes.end(running);
    Ports.requireFree(settings);
    Optional<ClusterSettings> last = files.readSettings();
    files.prepare(settings);
    Set<Node> all = settings.processes();
    boolean started = false;
    try {
      startAll(all, settings);
      started = true;
    } finally {
      if (!started) {
        // A start that names no settings does not repeat those that failed.
        last.ifPresent(files::prepare);
      }
    }
    return all;
  }

  /** AsterixDB finds a partition by counting devices. */
  private void requireSameDevices(ClusterSettings wanted) {
    int devices = files.readSettings().orElse(wanted).devices();
    if (devices != wanted.devices()) {
      throw CommandException.usage(
          String.format(
              Locale.ROOT,
              "each node of the cluster in %s has its data on %d devices for good, not on %d;"
                  + " name another --directory for a cluster with --devices %d",
              files.directory(),
              devices,
              wanted.devices(),
              wanted.devices()));
    }
  }

  private void requireSame(ClusterSettings wanted) {
    ClusterSettings used = files.readSettings().orElse(wanted);
    if (!used.equals(wanted)) {
      throw CommandException.usage(
          String.format(
              Locale.ROOT,
              "the cluster in %s runs with port %d, %d MiB of memory and %s storage; stop it first",
              files.directory(),
              used.port(),
              used.heapBytes() >> 20,
              used.storage().name().toLowerCase(Locale.ROOT)));
    }
  }

  private void startAll(Set<Node> nodes, ClusterSettings settings) throws InterruptedException {
    if (nodes.isEmpty()) {
      awaitActive();
      return;
    }
    String classPath = artifacts.classPath(settings.storage());
    boolean started = false;
    // After an interrupt of the command half a cluster must not stay.
    try (ExitHook unused = new ExitHook("end nodes", () -> processes.end(nodes))) {
      for (Node node : nodes) {
        processes.of(node).start(settings, classPath);
      }
      awaitActive();
      started = true;
    } finally {
      if (!started) {
        processes.end(nodes);
      }
    }
  }

  /** Waits until the controller takes statements and knows the processes that run as its nodes. */
  void awaitActive() throws InterruptedException {
    HttpApi api = new HttpApi(files.lastSettings());
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      for (Node node : files.lastSettings().processes()) {
        if (!processes.of(node).isRunning()) {
          throw failure(node, node.id() + " has ended");
        }
      }
      if (isActive(api)) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw failure(Node.CC, "AsterixDB is not active after " + LIMIT.toMinutes() + " min");
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private boolean isActive(HttpApi api) throws InterruptedException {
    Set<Node> controllers = files.lastSettings().controllers();
    for (Node node : controllers) {
      // A node that has just died is active for the controller, until its successor registers.
      if (!api.registeredId(node).equals(processes.of(node).recordedId())) {
        return false;
      }
    }
    // After that: what was active before the successor registered is not while it recovers.
    return api.state().filter(state -> state.isActive(controllers)).isPresent();
  }

  private CommandException failure(Node node, String what) {
    NodeProcess process = processes.of(node);
    Optional<String> fault = process.startFault();
    if (fault.isPresent()) {
      return CommandException.failed(node.id() + " did not start: " + fault.get());
    }
    process.lastLines(SHOWN_LINES).forEach(lastWords);
    return CommandException.failed(what + "; all that it said is in " + files.log(node));
  }
}
