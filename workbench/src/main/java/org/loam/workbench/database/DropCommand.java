package org.loam.workbench.database;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.workbench.console.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loam drop}: takes a dataset or an index away. */
@Command(
    name = "drop",
    description =
        "Drops an index, or a dataset with its records and indexes. It does not ask for"
            + " confirmation.",
    footer = {"  loam drop --dataset orders --index city", "  loam drop --dataset orders"})
public final class DropCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private DatasetOptions target = new DatasetOptions();

  @Option(
      names = "--index",
      paramLabel = "<name>",
      description =
          "The index to drop. Without this option, the dataset and all of its indexes are"
              + " dropped.")
  private @Nullable String index;

  @Override
  public Integer call() {
    try (Engine engine = target.database().open()) {
      String of = "dataset '" + target.name() + "'";
      if (index == null) {
        engine.datasets().drop(target.name());
        Commands.out(spec).println("dropped " + of);
      } else {
        target.open(engine).dropIndex(index);
        Commands.out(spec).println("dropped index '" + index + "' of " + of);
      }
    }
    return ExitCode.OK;
  }
}
