package org.loam.workbench.inspect;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ReportOptions;

/** How a dump is printed: as JSON, or as text with the damage at its end. */
final class DumpOptions extends ReportOptions {
  /** Refuses a limit that is none. */
  void requireLimit(long limit) {
    if (limit < 0) {
      throw usage("--limit = " + limit + ", rule: 0 or more");
    }
  }

  /** Prints; returns the exit code. */
  int print(Object dump, List<String> damage, Consumer<PrintWriter> text) {
    print(
        dump,
        out -> {
          text.accept(out);
          damage.forEach(what -> out.println("damaged: " + what));
        });
    return damage.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
