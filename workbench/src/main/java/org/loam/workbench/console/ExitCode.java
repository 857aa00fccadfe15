package org.loam.workbench.console;

/** What a process tells its caller when it ends; listed in {@code loam --help}. */
public final class ExitCode {
  /** Done, and every check held. */
  public static final int OK = 0;

  /** A check failed: a wrong answer, a lost write, a fault of an engine. */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** The machine lacks something: disk space, a tool, a library, an empty directory. */
  public static final int ENVIRONMENT = 3;

  /** A mistake in this program. */
  public static final int INTERNAL = 70;

  private ExitCode() {}
}
