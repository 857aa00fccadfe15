package org.loam.workbench.database;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.engine.IndexProgress;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam create}: a dataset, or indexes of one that is there. */
@Command(
    name = "create",
    description = {
      "Creates a dataset of JSON records, and the database if it does not exist."
          + " Without --key it adds indexes to an existing dataset: all of them, or none if"
          + " one is refused."
    },
    footer = {
      "  loam create --dataset orders --key id --index city=address.city",
      "  loam create --dataset orders --index latest=customer,date:desc",
      "  loam create --dataset lines --key order,line --index article=articles[].name"
    })
public final class CreateCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private DatasetOptions target = new DatasetOptions();
  @Mixin private ShapeOptions shape = new ShapeOptions();

  @Override
  public Integer call() {
    PrintWriter out = Commands.out(spec);
    if (shape.hasKey()) {
      create(out);
    } else if (!shape.indexes().isEmpty()) {
      addIndexes(out);
    } else {
      throw new ParameterException(
          Commands.line(spec), "give --key to create a dataset, or --index to add to one");
    }
    return ExitCode.OK;
  }

  private void create(PrintWriter out) {
    shape.requirePossible(target.name());
    try (Engine engine = target.database().openOrCreate()) {
      if (engine.datasets().has(target.name())) {
        throw CommandException.usage(
            "dataset '"
                + target.name()
                + "' is there already, with "
                + ShapeOptions.describe(target.open(engine))
                + "; leave --key out to add indexes, or drop it first");
      }
      JsonDataset dataset = shape.create(engine, target.name());
      out.println("created dataset '" + target.name() + "', " + ShapeOptions.describe(dataset));
    }
  }

  private void addIndexes(PrintWriter out) {
    shape.requireDistinctIndexes();
    try (Engine engine = target.database().open()) {
      JsonDataset dataset = target.open(engine);
      shape.indexes().forEach(index -> dataset.dataset().requireNoIndex(index.name()));
      createAll(dataset);
      for (JsonIndex index : shape.indexes()) {
        out.println("created index " + IndexText.of(index) + " of dataset '" + target.name() + "'");
      }
    }
  }

  /** Creates all or none of the indexes. */
  private void createAll(JsonDataset dataset) {
    Deque<String> created = new ArrayDeque<>();
    try {
      for (JsonIndex index : shape.indexes()) {
        try (Bar bar = new Bar("index " + index.name())) {
          dataset.createIndex(index, bar);
        }
        created.push(index.name());
      }
    } catch (RuntimeException e) {
      try {
        created.forEach(dataset::dropIndex);
      } catch (RuntimeException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  /** Shows the records that are read for an index, from the first call on, which tells how many. */
  private static final class Bar implements IndexProgress, AutoCloseable {
    private final String task;
    private @Nullable Progress progress;
    private long shown;

    Bar(String task) {
      this.task = task;
    }

    @Override
    public void at(long doneRecords, long totalRecords) {
      Progress now = progress;
      if (now == null) {
        now = Progress.startRecords(task, totalRecords);
        progress = now;
      }
      now.setTotal(totalRecords);
      now.step(doneRecords - shown);
      shown = doneRecords;
    }

    @Override
    public void close() {
      if (progress != null) {
        progress.close();
      }
    }
  }
}
