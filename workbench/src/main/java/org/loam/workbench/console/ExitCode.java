package org.loam.workbench.console;

/** What a process tells its caller when it ends; listed in {@code loam --help}. */
public final class ExitCode {
  /** Done, and every check held. */
  public static final int OK = 0;

  /** A check failed: an absent record, bad input, a wrong answer, a fault of an engine. */
  public static final int FAILED = 1;

  /** The command line is wrong, or names what the database does not have. */
  public static final int USAGE = 2;

  /** The machine lacks something: a free database, disk space, a file, a tool, a library. */
  public static final int ENVIRONMENT = 3;

  /** A mistake in this program. */
  public static final int INTERNAL = 70;

  private ExitCode() {}
}
