package org.loam.workbench.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Starts this program again in a process of its own: same Java, same class path. The child speaks
 * through its standard output, shows its errors on ours, and ends when we end.
 */
public final class ChildJvm {
  /** How options begin that a child has as well. */
  private static final List<String> INHERITED = List.of("--", "-Dloam.", "-XX:TieredStopAtLevel=");

  private ChildJvm() {}

  /**
   * Starts a class with a main method.
   *
   * @param jvmOptions in addition to our properties, rights to native code and limit of compilation
   */
  public static Process start(Class<?> main, List<String> jvmOptions, List<String> arguments) {
    List<String> command =
        command(main, System.getProperty("java.class.path"), jvmOptions, arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    try {
      Process process = builder.start();
      Thread hook = new Thread(process::destroyForcibly, "end child");
      Runtime.getRuntime().addShutdownHook(hook);
      var unused = process.onExit().thenRun(() -> forget(hook));
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a class with a main method and takes the lines that it prints, until it ends.
   *
   * @param jvmOptions as of {@link #start}
   * @param lines takes each line; what it throws ends the child
   * @return the exit code
   */
  public static int run(
      Class<?> main, List<String> jvmOptions, List<String> arguments, Consumer<String> lines) {
    Process child = start(main, jvmOptions, arguments);
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.accept(line);
      }
      return child.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("interrupted");
    } finally {
      child.destroyForcibly();
    }
  }

  /** The command of {@link #start}, with a class path that may be another one. */
  public static List<String> command(
      Class<?> main, String classPath, List<String> jvmOptions, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (INHERITED.stream().anyMatch(option::startsWith)) {
        command.add(option);
      }
    }
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(classPath);
    command.add(main.getName());
    command.addAll(arguments);
    return command;
  }

  /** In the child: ends it when the parent is gone, so that no process is left behind. */
  public static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // The parent says nothing; only the end of the stream matters.
                }
              } catch (IOException e) {
                // As good as the end.
              }
              Runtime.getRuntime().halt(ExitCode.INTERNAL);
            },
            "watch parent");
    watch.setDaemon(true);
    watch.start();
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Shutting down: the hook does no harm.
    }
  }
}
