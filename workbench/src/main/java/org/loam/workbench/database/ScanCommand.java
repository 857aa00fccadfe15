package org.loam.workbench.database;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.workbench.console.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code loam scan}: all records of a dataset. */
@Command(
    name = "scan",
    description = "Shows all records of a dataset in the order of their keys.",
    footer = {
      "  loam scan --dataset orders > orders.jsonl",
      "  loam scan --dataset orders --reverse --limit 10 --format table",
      "  loam scan --dataset orders --select id,address.city"
    })
public final class ScanCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private DatasetOptions target = new DatasetOptions();
  @Mixin private WalkOptions walk = new WalkOptions();

  @Override
  public Integer call() {
    try (Engine engine = target.database().open()) {
      walk.showRecords(target.open(engine), KeyRange.ALL, Commands.out(spec));
    }
    return ExitCode.OK;
  }
}
