package org.loam.workbench.inspect;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Prints a dump as JSON, or as text with the damage at its end. */
record Report(CommandLine command, boolean json) {
  static Report of(@Nullable CommandSpec spec, boolean json) {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return new Report(spec.commandLine(), json);
  }

  /** Refuses a limit that is none. */
  void requireLimit(long limit) {
    if (limit < 0) {
      throw new ParameterException(command, "--limit = " + limit + ", rule: 0 or more");
    }
  }

  /** Prints; returns the exit code. */
  int print(Object dump, List<String> damage, Consumer<PrintWriter> text) {
    PrintWriter out = command.getOut();
    if (json) {
      out.println(Json.document(dump));
    } else {
      text.accept(out);
      damage.forEach(what -> out.println("damaged: " + what));
    }
    return damage.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
