package org.loam.workbench.database;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.workbench.console.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code loam get}: records by their keys. */
@Command(
    name = "get",
    description = {
      "Shows records by their keys, a line of JSON for each. The exit code is 1 if a"
          + " record does not exist.",
      "",
      "A key that looks like a number, or is true or false, is one; every other key"
          + " is a text. '\"7\"' always is a text. Commas separate the values of a key with"
          + " several parts. A text with a comma in it must be in double quotes."
    },
    footer = {
      "  loam get 7 --dataset orders",
      "  loam get 1001,1 1001,2 --dataset lines",
      "  loam get '\"7\"' --dataset articles"
    })
public final class GetCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private DatasetOptions target = new DatasetOptions();

  @Parameters(arity = "1..*", paramLabel = "<key>", description = "The keys.")
  private List<String> keys = List.of();

  @Override
  public Integer call() {
    PrintWriter out = Commands.out(spec);
    int exitCode = ExitCode.OK;
    try (Engine engine = target.database().open()) {
      JsonDataset dataset = target.open(engine);
      // All keys first, so that a wrong one is said before anything is shown.
      List<byte[]> wanted = keys.stream().map(key -> KeyText.key(dataset, key)).toList();
      for (int i = 0; i < wanted.size(); i++) {
        // One by one: all of them may be more than the heap.
        byte[] record = dataset.dataset().get(wanted.get(i));
        if (record != null) {
          out.println(JsonLines.line(record));
        } else {
          out.flush();
          String absent = "there is no record " + keys.get(i) + " in dataset '";
          Commands.line(spec).getErr().println("loam: " + absent + target.name() + "'");
          exitCode = ExitCode.FAILED;
        }
      }
    }
    return exitCode;
  }
}
