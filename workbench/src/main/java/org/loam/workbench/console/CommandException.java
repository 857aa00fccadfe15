package org.loam.workbench.console;

import org.jspecify.annotations.Nullable;

/** Ends a command with one line for the user, remedy included, and an exit code. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** A check failed. */
  public static CommandException failed(String message) {
    return new CommandException(ExitCode.FAILED, message, null);
  }

  /** What was asked for cannot be, as only the data could tell. */
  public static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message, null);
  }

  /** The machine lacks something. */
  public static CommandException environment(String message) {
    return new CommandException(ExitCode.ENVIRONMENT, message, null);
  }

  /** The machine lacks something, as the cause found out. */
  public static CommandException environment(String message, Throwable cause) {
    return new CommandException(ExitCode.ENVIRONMENT, message, cause);
  }

  public int exitCode() {
    return exitCode;
  }
}
