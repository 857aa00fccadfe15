package org.loam.workbench;

import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.KvCommand;
import org.loam.workbench.bench.SplitsCommand;
import org.loam.workbench.bench.asterixdb.VersusCommand;
import org.loam.workbench.bench.latency.LatencyCommand;
import org.loam.workbench.bench.latency.TunerCostCommand;
import org.loam.workbench.bench.secondary.SecondaryCommand;
import org.loam.workbench.bench.tpcc.TpccCommand;
import org.loam.workbench.bench.trees.TreesCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam bench}: the group of benchmarks. */
@Command(
    name = "bench",
    description =
        "Runs a benchmark: engines side by side, write latency, many small trees, divisions of"
            + " memory, the cost of the memory tuner, secondary indexes, a workload derived from"
            + " TPC-C, or AsterixDB on Loam.",
    footer = {
      "  loam bench kv --quick --peers loam,rocksdb",
      "  loam bench latency --peers loam,rocksdb --html latency.html",
      "  loam bench trees --peers loam,rocksdb",
      "  loam bench splits --quick",
      "  loam bench tuner",
      "  loam bench secondary --quick",
      "  loam bench tpcc --warehouses 4 --peers loam,rocksdb",
      "  loam bench asterixdb --quick"
    },
    subcommands = {
      KvCommand.class,
      LatencyCommand.class,
      TreesCommand.class,
      SplitsCommand.class,
      TunerCostCommand.class,
      SecondaryCommand.class,
      TpccCommand.class,
      VersusCommand.class
    })
final class BenchCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    throw new ParameterException(
        spec.commandLine(),
        "which benchmark? There are: kv, latency, trees, splits, tuner, secondary, tpcc,"
            + " asterixdb");
  }
}
