package org.loam.workbench.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts this program again in a process of its own: same Java, same class path. The child speaks
 * through its standard output, shows its errors on ours, and ends when we end.
 */
public final class ChildJvm {
  private ChildJvm() {}

  /**
   * Starts a class with a main method.
   *
   * @param jvmOptions in addition to our properties and rights to native code
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

  /** The command of {@link #start}, with a class path that may be another one. */
  public static List<String> command(
      Class<?> main, String classPath, List<String> jvmOptions, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (option.startsWith("--") || option.startsWith("-Dloam.")) {
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
