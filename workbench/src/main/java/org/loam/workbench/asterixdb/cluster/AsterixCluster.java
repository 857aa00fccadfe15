package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Progress;

/**
 * An AsterixDB cluster in a directory, running or not: a cluster controller and one or two node
 * controllers. Its processes have no owner, so any program finds them by the directory, and this
 * object keeps no state. Threads may share it; programs that start and stop wait for one another.
 */
public final class AsterixCluster {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int SHOWN_LINES = 15;

  private final ClusterFiles files;
  private final Artifacts artifacts;
  private final Consumer<String> lastWords;

  /**
   * The cluster in a directory, which need not exist.
   *
   * @throws CommandException if AsterixDB cannot have the directory's name in its configuration
   */
  public AsterixCluster(Path directory, Artifacts artifacts) {
    this(directory, artifacts, Progress::say);
  }

  /**
   * As the other constructor.
   *
   * @param lastWords takes what a node said at last that does not start
   */
  public AsterixCluster(Path directory, Artifacts artifacts, Consumer<String> lastWords) {
    this.files = new ClusterFiles(directory);
    this.artifacts = artifacts;
    this.lastWords = lastWords;
  }

  /** Where it keeps all its files. */
  public Path directory() {
    return files.directory();
  }

  /** The settings of the last start; empty if there was none. */
  public Optional<ClusterSettings> settings() {
    return files.readSettings();
  }

  /** Bytes of the files in which its nodes keep datasets. */
  public long dataBytes() {
    return files.dataBytes();
  }

  /** Whether any of its processes runs. */
  public boolean isRunning() {
    return !running().isEmpty();
  }

  /** Whether a node's process runs. */
  public boolean isRunning(Node node) {
    return process(node).isRunning();
  }

  private Set<Node> running() {
    Set<Node> running = EnumSet.allOf(Node.class);
    running.removeIf(node -> !isRunning(node));
    return running;
  }

  /**
   * Starts what does not run, and waits until all of it is active. If that fails, what it started
   * is stopped again, and the last words of the node that failed are shown.
   *
   * @param settings those of the running part, if some of it runs
   * @return what it started; nothing if all of it ran
   * @throws CommandException if it runs with other settings, has data on another number of devices,
   *     a port is taken, or a node fails
   */
  public Set<Node> start(ClusterSettings settings) throws InterruptedException {
    files.makeDirectory();
    try (DirectoryLock unused = DirectoryLock.take(files.lock())) {
      Set<Node> running = running();
      requireSameDevices(settings);
      if (!running.isEmpty()) {
        requireSame(settings);
      }
      if (!running.contains(Node.CC)) {
        // Node controllers know the controller that they registered with, and no later one.
        end(running);
        running = Set.of();
        Ports.requireFree(settings);
        files.prepare(settings);
      }
      Set<Node> missing = settings.processes();
      missing.removeAll(running);
      startAll(missing, settings);
      return missing;
    }
  }

  /** AsterixDB finds a partition by counting devices. */
  private void requireSameDevices(ClusterSettings wanted) {
    int devices = settings().orElse(wanted).devices();
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
    ClusterSettings used = settings().orElse(wanted);
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
    try (ExitHook unused = new ExitHook("end nodes", () -> end(nodes))) {
      for (Node node : nodes) {
        process(node).start(settings, classPath);
      }
      awaitActive();
      started = true;
    } finally {
      if (!started) {
        end(nodes);
      }
    }
  }

  /** Ends processes by force. */
  private void end(Set<Node> nodes) throws InterruptedException {
    for (Node node : nodes) {
      process(node).stop(Duration.ZERO);
    }
  }

  /**
   * Waits until the controller takes statements and knows the processes that run as its nodes.
   *
   * @throws CommandException if a node does not run, or it takes three minutes
   */
  public void awaitActive() throws InterruptedException {
    HttpApi api = api();
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (true) {
      for (Node node : lastSettings().processes()) {
        if (!isRunning(node)) {
          throw failure(node, node.id() + " has ended");
        }
      }
      if (isActive(api)) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw failure(Node.CC, "AsterixDB is not active after " + START_LIMIT.toMinutes() + " min");
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private boolean isActive(HttpApi api) throws InterruptedException {
    Set<Node> controllers = lastSettings().controllers();
    for (Node node : controllers) {
      // A node that has just died is active for the controller, until its successor registers.
      if (!api.registeredId(node).equals(process(node).recordedId())) {
        return false;
      }
    }
    // After that: what was active before the successor registered is not while it recovers.
    return api.state().filter(state -> state.isActive(controllers)).isPresent();
  }

  private CommandException failure(Node node, String what) {
    NodeProcess process = process(node);
    Optional<String> fault = process.startFault();
    if (fault.isPresent()) {
      return CommandException.failed(node.id() + " did not start: " + fault.get());
    }
    process.lastLines(SHOWN_LINES).forEach(lastWords);
    return CommandException.failed(what + "; all that it said is in " + files.log(node));
  }

  /**
   * Stops all of it: node controllers first, the cluster controller at last.
   *
   * @return those that had to be ended by force, which recover at the next start
   */
  public Set<Node> stop() throws InterruptedException {
    Set<Node> forced = EnumSet.noneOf(Node.class);
    if (settings().isEmpty()) {
      return forced;
    }
    try (DirectoryLock unused = DirectoryLock.take(files.lock())) {
      Node.CONTROLLERS.forEach(node -> process(node).askToEnd());
      List<Node> order = new ArrayList<>(Node.CONTROLLERS);
      order.add(Node.CC);
      for (Node node : order) {
        if (!process(node).stop(STOP_LIMIT)) {
          forced.add(node);
        }
      }
    }
    return forced;
  }

  /**
   * Starts what was killed, as {@link #start} does, a second time if the cluster controller has
   * ended meanwhile: it ends itself when the node with the metadata dies as it commits there.
   *
   * @throws CommandException as of {@link #start}
   */
  public void startAgain(ClusterSettings settings) throws InterruptedException {
    try {
      start(settings);
    } catch (CommandException e) {
      if (isRunning(Node.CC)) {
        throw e;
      }
      start(settings);
    }
  }

  /** Kills all of it with SIGKILL, whether it runs or not. */
  public void killAll() throws InterruptedException {
    for (Node node : Node.values()) {
      kill(node);
    }
  }

  /** Kills a node with SIGKILL, and waits until it is gone. The controller notices it later. */
  public void kill(Node node) throws InterruptedException {
    process(node).kill();
  }

  /**
   * Runs a script, statement by statement.
   *
   * @param rows takes what statements result in, row by row
   * @throws StatementException at the first statement that fails
   * @throws CommandException if there is no answer
   */
  public void run(String script, Consumer<JsonNode> rows) throws InterruptedException {
    run(script, rows, warning -> {});
  }

  /**
   * As the other method.
   *
   * @param warnings takes AsterixDB's warnings
   */
  public void run(String script, Consumer<JsonNode> rows, Consumer<String> warnings)
      throws InterruptedException {
    HttpApi api = api();
    for (SqlScript.Statement statement : SqlScript.statements(script)) {
      api.run(statement, rows).forEach(warnings);
    }
  }

  /** Runs a script, as {@link #run} does, and gives all rows back. */
  public List<JsonNode> rows(String script) throws InterruptedException {
    return client().rows(script);
  }

  /** A client for many statements, while the cluster runs with these settings. */
  public StatementClient client() {
    return new StatementClient(api());
  }

  /** What Loam holds on a node and has done; empty if the node does not answer or has no Loam. */
  public Optional<JsonNode> loamStatistics(Node node) throws InterruptedException {
    return api().loamStatistics(node);
  }

  /** Where statements go. */
  public String queryUrl() {
    return api().queryUrl();
  }

  /** What is known of it now. */
  public ClusterStatus status() throws InterruptedException {
    Set<Node> running = running();
    ClusterState believed = running.contains(Node.CC) ? api().state().orElse(null) : null;
    ClusterSettings settings = lastSettings();
    List<NodeStatus> nodes = new ArrayList<>();
    for (Node node : settings.processes()) {
      NodeProcess process = process(node);
      nodes.add(
          new NodeStatus(
              node.id(),
              state(process, believed),
              process.handle().map(ProcessHandle::pid).orElse(null),
              process.residentBytes().orElse(null)));
    }
    return new ClusterStatus(
        Artifacts.VERSION,
        files.directory().toString(),
        queryUrl(),
        settings.storage().name().toLowerCase(Locale.ROOT),
        state(running, settings, believed),
        nodes);
  }

  private static String state(
      Set<Node> running, ClusterSettings settings, @Nullable ClusterState believed) {
    if (running.isEmpty()) {
      return "STOPPED";
    }
    if (running.size() < settings.processes().size()) {
      return "UNUSABLE";
    }
    return believed == null ? "STARTING" : believed.cluster();
  }

  private static String state(NodeProcess process, @Nullable ClusterState believed) {
    if (!process.isRunning()) {
      return process.recordedId().isPresent() ? "DEAD" : "STOPPED";
    }
    if (believed == null) {
      return "UNKNOWN";
    }
    return process.node() == Node.CC
        ? ClusterState.ACTIVE
        : believed.nodes().getOrDefault(process.node(), "UNKNOWN");
  }

  private NodeProcess process(Node node) {
    return new NodeProcess(node, files);
  }

  private HttpApi api() {
    return new HttpApi(lastSettings());
  }

  private ClusterSettings lastSettings() {
    return settings().orElse(ClusterSettings.DEFAULT);
  }
}
