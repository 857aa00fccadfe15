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
      "Shows the records that an index finds, in the order of the index. Without"
          + " --index it shows the records of a range of their own keys.",
      "",
      "A value that looks like a number, or is true, false or null, is one; every"
          + " other value is a text. '\"7\"' always is a text. Commas separate the values of"
          + " several parts. The first parts of a key stand for all keys that begin with"
          + " them. Bounds follow the order of the index: where it is descending, --from is"
          + " the larger one. A record shows once for each of its entries in the range; with"
          + " a[] in the index it may show several times."
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

  @Option(
      names = "--index",
      paramLabel = "<name>",
      description = "The index. Default: the key of the dataset.")
  private @Nullable String index;

  @Option(
      names = "--keys",
      description =
          "Show only what the index has: the values of the index's key and of the"
              + " record's key. No record is read. For a[], an entry has one element. A number"
              + " may be written in another way than in the record: 1 and 1.0 are the same key.")
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
