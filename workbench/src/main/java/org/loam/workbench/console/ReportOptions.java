package org.loam.workbench.console;

import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How a command reports, to people or to programs, and how it refuses what it was asked. */
public class ReportOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  /**
   * Prints a report in the form that was asked for.
   *
   * @param document the report as JSON
   * @param text the report as lines, with the end of the last
   */
  public final void print(Object document, Supplier<String> text) {
    print(document, out -> out.print(text.get()));
  }

  /**
   * Prints a report in the form that was asked for.
   *
   * @param document the report as JSON
   * @param text prints the report as lines
   */
  public final void print(Object document, Consumer<PrintWriter> text) {
    PrintWriter out = out();
    if (json) {
      out.println(Json.document(document));
    } else {
      text.accept(out);
    }
    out.flush();
  }

  /** Where results go. */
  public final PrintWriter out() {
    return commandLine().getOut();
  }

  /** Refuses a number out of its bounds. */
  public final int requireIn(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw usage(option + " = " + value + ", rule: " + least + " to " + most);
    }
    return value;
  }

  /** Refuses a number below its bound. */
  public final int requireAtLeast(String option, int value, int least) {
    if (value < least) {
      throw usage(option + " = " + value + ", rule: at least " + least);
    }
    return value;
  }

  /** What to throw if what was asked for is against a rule. */
  public final ParameterException usage(String message) {
    return new ParameterException(commandLine(), message);
  }

  private CommandLine commandLine() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return spec.commandLine();
  }
}
