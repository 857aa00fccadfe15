package org.loam.workbench.database;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.workbench.console.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam query}: the records that an index finds, or a range of keys. */
@Command(
    name = "query",
    description = {
      "Shows the records that an index finds, in the order of the index; without --index, those of"
          + " a range of their own keys.",
      "",
      "Values are numbers, true, false or null if they look like it, else texts; '\"7\"' is a text"
          + " for certain. Values of several parts are separated by commas; the first parts of a"
          + " key stand for all keys that begin with them. Bounds are meant in the order of the"
          + " index: where that is descending, --from is the larger one. A record shows once for"
          + " each of its entries in the range: with a[] in the index perhaps more than once."
    },
    footer = {
      "  loam query --dataset orders --index city --equal Oslo",
      "  loam query --dataset orders --index latest --equal ann --limit 10 --format table",
      "  loam query --dataset orders --index city --prefix Os --select id,address.city",
      "  loam query --dataset orders --index city --equal Oslo --keys",
      "  loam query --dataset orders --from 1000 --before 2000"
    })
public final class QueryCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private DatasetOptions target = new DatasetOptions();

  @Option(names = "--index", paramLabel = "<name>", description = "The index. Default: the key.")
  private @Nullable String index;

  @Option(
      names = "--keys",
      description =
          "Show the values of the index's key and of the record's key only, of the index alone: no"
              + " record is read. Of a[] that is one element. A number may be spelled otherwise"
              + " than in the record: 1 and 1.0 are one key.")
  private boolean keys;

  @Mixin private RangeOptions range = new RangeOptions();
  @Mixin private WalkOptions walk = new WalkOptions();

  @Override
  public Integer call() {
    PrintWriter out = Commands.out(spec);
    if (keys && index == null) {
      throw new ParameterException(
          Commands.line(spec), "--keys is for an index; name it with --index");
    }
    try (Engine engine = target.database().open()) {
      JsonDataset dataset = target.open(engine);
      if (index == null) {
        int parts = dataset.keyPaths().size();
        walk.showRecords(dataset, range.range(KeyText.ascending(parts)), out);
      } else if (keys) {
        walk.showKeys(dataset, index, range.range(dataset.index(index).parts()), out);
      } else {
        walk.showRecords(dataset, index, range.range(dataset.index(index).parts()), out);
      }
    }
    return ExitCode.OK;
  }
}
