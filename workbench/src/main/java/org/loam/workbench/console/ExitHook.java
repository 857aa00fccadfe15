package org.loam.workbench.console;

/** Something to be done if the process ends before this is closed. */
public final class ExitHook implements AutoCloseable {
  private final Thread hook;

  /**
   * Takes care of it from now on.
   *
   * @param name of the thread that does it
   */
  public ExitHook(String name, InterruptibleWork work) {
    hook =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            name);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** What may wait. */
  public interface InterruptibleWork {
    void run() throws InterruptedException;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Shutting down: the hook does what it is for.
    }
  }
}
