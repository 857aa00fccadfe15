package org.loam.workbench.database;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What the commands ask the command line that runs them. */
final class Commands {
  private Commands() {}

  static CommandLine line(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return spec.commandLine();
  }

  /** Where results go. */
  static PrintWriter out(@Nullable CommandSpec spec) {
    return line(spec).getOut();
  }
}
