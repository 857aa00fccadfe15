package org.loam.workbench.asterixdb.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ProcessFile;

/**
 * The process of one node. A file has its identifier. The process of that identifier must also have
 * an argument that names this node and directory: another program may have the identifier by now.
 */
final class NodeProcess {
  private static final String MARK = "-Dloam.asterixdb.node=";

  /**
   * Signals of the terminal are meant for the caller, so the node ignores them. Where the system
   * can do it, the node gets a session of its own, and so survives signals to the caller's process
   * group.
   */
  private static final String DETACH = "trap '' HUP INT TSTP; exec $(command -v setsid) \"$@\"";

  /** As Java prints an exception of the plug-in. */
  private static final Pattern START_FAULT =
      Pattern.compile("(?:.* )?org\\.loam\\.asterix\\.runtime\\.StartException: (.*)");

  private static final long CONTROLLER_HEAP_BYTES = 384L << 20;
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int LOOKS = 50;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);
  private static final Duration REAP_LIMIT = Duration.ofSeconds(1);

  private final Node node;
  private final ClusterFiles files;

  NodeProcess(Node node, ClusterFiles files) {
    this.node = node;
    this.files = files;
  }

  Node node() {
    return node;
  }

  /** The identifier in the file, right or not; empty if the node never started, or was stopped. */
  Optional<Long> recordedId() {
    try {
      return Optional.of(Long.parseLong(Files.readString(files.processId(node)).strip()));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The process, if it runs. */
  Optional<ProcessHandle> handle() {
    return recordedId().flatMap(ProcessHandle::of).filter(this::isOurs);
  }

  boolean isRunning() {
    return handle().isPresent();
  }

  /**
   * A process has no arguments once it has ended and waits for its parent to notice. A process that
   * becomes another program, as the shell that starts a node does, has none for a moment.
   */
  private boolean isOurs(ProcessHandle process) {
    for (int look = 0; look < LOOKS && process.isAlive(); look++) {
      Optional<String[]> arguments = process.info().arguments();
      if (arguments.isPresent()) {
        return Arrays.asList(arguments.get()).contains(mark());
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    return false;
  }

  private String mark() {
    return MARK + files.home(node);
  }

  /** Starts it, detached. Its output goes to {@link ClusterFiles#output}; its log begins anew. */
  void start(ClusterSettings settings, String classPath) {
    ProcessBuilder builder =
        new ProcessBuilder(command(settings))
            .directory(files.home(node).toFile())
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(files.output(node).toFile());
    // The class path is in the environment, so that the arguments stay short enough to be read
    // back.
    builder.environment().put("CLASSPATH", classPath);
    try {
      keepOldLog();
      Process process = builder.start();
      try {
        Files.writeString(files.processId(node), Long.toString(process.pid()));
      } catch (IOException e) {
        process.destroyForcibly();
        throw e;
      }
    } catch (IOException e) {
      throw CommandException.environment("cannot start " + node.id() + ": " + e.getMessage(), e);
    }
  }

  /** Without this, AsterixDB would append to the log of the last start. */
  private void keepOldLog() throws IOException {
    Path log = files.log(node);
    if (Files.exists(log)) {
      Path old = log.resolveSibling(log.getFileName() + ".old");
      Files.move(log, old, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private List<String> command(ClusterSettings settings) {
    long heapBytes = node == Node.CC ? CONTROLLER_HEAP_BYTES : settings.heapBytes();
    List<String> command = new ArrayList<>(List.of("sh", "-c", DETACH, "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(mark());
    command.add("-Xmx" + heapBytes);
    command.add("-XX:+UseSerialGC");
    if (settings.brief()) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.add(node.mainClass());
    command.addAll(List.of("-config-file", files.configuration().toString()));
    command.addAll(node.arguments());
    return command;
  }

  /** Asks it to end, and does not wait. */
  void askToEnd() {
    handle().ifPresent(ProcessHandle::destroy);
  }

  /**
   * Asks it to end, and makes it end if it does not.
   *
   * @return whether it ended by itself
   */
  boolean stop(Duration limit) throws InterruptedException {
    Optional<ProcessHandle> process = handle();
    boolean gracefully = true;
    if (process.isPresent()) {
      process.get().destroy();
      gracefully = awaitEnd(process.get(), limit);
      if (!gracefully) {
        kill();
      }
    }
    forget();
    return gracefully;
  }

  /** Ends it at once, as a loss of power would; the file stays. */
  void kill() throws InterruptedException {
    Optional<ProcessHandle> process = handle();
    if (process.isPresent()) {
      process.get().destroyForcibly();
      while (!awaitEnd(process.get(), REAP_LIMIT)) {
        process.get().destroyForcibly();
      }
    }
  }

  private boolean awaitEnd(ProcessHandle process, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (isOurs(process)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(POLL.toMillis());
    }
    // Its ports are free when it is gone for good, but its parent may never take note of its end.
    long reapDeadline = System.nanoTime() + REAP_LIMIT.toNanos();
    while (process.isAlive() && System.nanoTime() < reapDeadline) {
      Thread.sleep(POLL.toMillis());
    }
    return true;
  }

  private void forget() {
    try {
      Files.deleteIfExists(files.processId(node));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its resident memory; empty if it does not run, or if the system does not report it. */
  Optional<Long> residentBytes() {
    return handle()
        .map(process -> ProcessFile.number(Path.of("/proc/" + process.pid() + "/status"), "VmRSS:"))
        .filter(kib -> kib >= 0)
        .map(kib -> kib << 10);
  }

  /** Why Loam did not let the node start, in its words; empty if it ended for another reason. */
  Optional<String> startFault() {
    return lastLines(Integer.MAX_VALUE).stream()
        .map(START_FAULT::matcher)
        .filter(Matcher::matches)
        .map(fault -> fault.group(1))
        .findFirst();
  }

  /**
   * The lines it has written since it was started: messages and causes, without stack frames.
   *
   * @param count the most lines of its output, and the most of its log
   */
  List<String> lastLines(int count) {
    List<String> lines = new ArrayList<>(lastLines(files.output(node), count));
    lines.addAll(lastLines(files.log(node), count));
    return lines;
  }

  private static List<String> lastLines(Path file, int count) {
    try {
      // A node writes in the charset of its locale, perhaps not in this one.
      List<String> lines =
          new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.matches("\\s+(at |\\.\\.\\. ).*"))
              .toList();
      return lines.subList(Math.max(0, lines.size() - count), lines.size());
    } catch (IOException e) {
      return List.of();
    }
  }
}
