package org.loam.workbench.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.engine.json.JsonDataset;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code loam delete}: takes records away by their keys. */
@Command(
    name = "delete",
    description = "Deletes records by their keys, all at once, and shows how many of them existed.",
    footer = {"  loam delete 7 8 --dataset orders", "  loam delete 1001,1 --dataset lines"})
public final class DeleteCommand implements Callable<Integer> {
  /**
   * What it did.
   *
   * @param deleted records
   * @param absent keys of which there was no record
   */
  record Report(@JsonProperty("deleted") long deleted, @JsonProperty("absent") long absent) {
    String text() {
      return deleted + " deleted, " + absent + " not there" + System.lineSeparator();
    }
  }

  @Mixin private ReportOptions options = new ReportOptions();
  @Mixin private DatasetOptions target = new DatasetOptions();

  @Parameters(arity = "1..*", paramLabel = "<key>", description = "The keys, written as for get.")
  private List<String> keys = List.of();

  @Override
  public Integer call() {
    try (Engine engine = target.database().open()) {
      JsonDataset dataset = target.open(engine);
      TreeSet<byte[]> distinct = new TreeSet<>(Arrays::compareUnsigned);
      keys.forEach(key -> distinct.add(KeyText.key(dataset, key)));
      long deleted = distinct.stream().filter(key -> isThere(dataset, key)).count();
      DatasetBatch batch = new DatasetBatch();
      distinct.forEach(key -> batch.delete(dataset.dataset(), key));
      engine.datasets().write(batch);
      Report report = new Report(deleted, distinct.size() - deleted);
      options.print(report, report::text);
    }
    return ExitCode.OK;
  }

  /** Nothing of the record is copied: all of them may be more than the heap. */
  private static boolean isThere(JsonDataset dataset, byte[] key) {
    return dataset.dataset().get(key, new byte[0]) != Tree.ABSENT;
  }
}
