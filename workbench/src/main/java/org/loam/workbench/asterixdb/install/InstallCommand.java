package org.loam.workbench.asterixdb.install;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.MachineMemory;
import org.loam.workbench.asterixdb.cluster.Artifacts;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ReportOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code loam asterixdb install}: adds Loam to an unpacked distribution of AsterixDB. */
@Command(
    name = "install",
    description = {
      "Adds Loam to an unpacked distribution of AsterixDB 0.9.8: Loam's jar in repo/, and"
          + " the scripts asterixncloam and asterixccloam in bin/. AsterixDB's own files"
          + " stay as they are. Then the command shows what the configuration must say.",
      "",
      "The command may be repeated. It says what is already there, and replaces another"
          + " version of Loam. --conf checks a configuration file and does not change it:"
          + " commands and options of nodes, and their memory against that of this machine."
          + " The exit code is 0 only if nodes started with this file run on Loam."
    },
    footer = {
      "  loam asterixdb install /opt/apache-asterixdb-0.9.8",
      "  loam asterixdb install /opt/apache-asterixdb-0.9.8 --conf /etc/asterixdb/cc.conf"
    })
public final class InstallCommand implements Callable<Integer> {
  /** Heap and Loam get as much each; the rest is for the page cache and for other programs. */
  private static final int MACHINE_FRACTION = 4;

  @Mixin private ReportOptions options = new ReportOptions();

  @Parameters(
      paramLabel = "<directory>",
      description = "The unpacked distribution: the directory with bin and repo.")
  private @Nullable Path directory;

  @Option(
      names = "--conf",
      paramLabel = "<file>",
      description = "Check this configuration file of the cluster controller.")
  private @Nullable Path configuration;

  @Override
  public Integer call() {
    if (directory == null) {
      throw new AssertionError("a required parameter");
    }
    Distribution distribution = Distribution.in(directory);
    ConfigurationCheck check = configuration == null ? null : check(configuration);
    InstallReport report =
        new InstallReport(
            distribution.root().toString(),
            distribution.install(Artifacts.ofThisClone().nodeJar()),
            configuration(MachineMemory.limitBytes()),
            configuration == null ? null : configuration.toString(),
            check);
    options.print(report, report::text);
    return report.isRight() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static ConfigurationCheck check(Path file) {
    try {
      return ConfigurationCheck.of(IniFile.read(file), MachineMemory.limitBytes());
    } catch (NoSuchFileException e) {
      throw CommandException.environment("there is no file " + file, e);
    } catch (IOException e) {
      throw CommandException.environment("cannot read the file " + file + ": " + e, e);
    }
  }

  /** The lines for a machine with one node. */
  static List<String> configuration(long machineBytes) {
    long part = (machineBytes >> 20) / MACHINE_FRACTION;
    return List.of(
        "[nc]",
        "command=" + Script.NODE.command(),
        "; for one node on a machine with " + (machineBytes >> 20) + " MiB; divide among several",
        "jvm.args=-Xmx" + part + "m",
        "loam.memory=" + part + "MiB",
        "; AsterixDB's own storage keeps R-trees and inverted indexes only",
        "storage.buffercache.size=64MB",
        "storage.memorycomponent.globalbudget=64MB");
  }
}
