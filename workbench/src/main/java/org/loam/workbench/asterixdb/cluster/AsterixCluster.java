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
import org.loam.workbench.console.Progress;

/**
 * An AsterixDB cluster in a directory, running or not: a cluster controller and one or two node
 * controllers. Its processes have no owner, so any program finds them by the directory, and this
 * object keeps no state. Threads may share it; programs that start and stop wait for one another.
 */
public final class AsterixCluster {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  private final ClusterFiles files;
  private final ClusterProcesses processes;
  private final ClusterStart start;

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
    this.processes = new ClusterProcesses(files);
    this.start = new ClusterStart(files, artifacts, lastWords);
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
    return !processes.running().isEmpty();
  }

  /** Whether a node's process runs. */
  public boolean isRunning(Node node) {
    return processes.of(node).isRunning();
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
      return start.start(settings);
    }
  }

  /**
   * Waits until the controller takes statements and knows the processes that run as its nodes.
   *
   * @throws CommandException if a node does not run, or it takes three minutes
   */
  public void awaitActive() throws InterruptedException {
    start.awaitActive();
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
      Node.CONTROLLERS.forEach(node -> processes.of(node).askToEnd());
      List<Node> order = new ArrayList<>(Node.CONTROLLERS);
      order.add(Node.CC);
      for (Node node : order) {
        if (!processes.of(node).stop(STOP_LIMIT)) {
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

  /**
   * Stops a node.
   *
   * @return false if it had to be ended by force
   */
  public boolean stop(Node node) throws InterruptedException {
    return processes.of(node).stop(STOP_LIMIT);
  }

  /** Kills all of it with SIGKILL, whether it runs or not. */
  public void killAll() throws InterruptedException {
    for (Node node : Node.values()) {
      kill(node);
    }
  }

  /** Kills a node with SIGKILL, and waits until it is gone. The controller notices it later. */
  public void kill(Node node) throws InterruptedException {
    processes.of(node).kill();
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
    Set<Node> running = processes.running();
    ClusterState believed = running.contains(Node.CC) ? api().state().orElse(null) : null;
    ClusterSettings settings = files.lastSettings();
    List<NodeStatus> nodes = new ArrayList<>();
    for (Node node : settings.processes()) {
      NodeProcess process = processes.of(node);
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

  private HttpApi api() {
    return new HttpApi(files.lastSettings());
  }
}
