package org.loam.workbench.demo;

import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Progress;
import picocli.CommandLine.Option;

/** Where the records of a demonstration come from. */
public final class SourceOptions {
  /** Where records may come from. */
  enum Source {
    AUTO,
    APT,
    TPCH
  }

  @Option(
      names = "--source",
      paramLabel = "<source>",
      defaultValue = "auto",
      description =
          "Source of the records: apt (the package index), tpch (generated orders), or"
              + " auto (apt if it has records). Default: ${DEFAULT-VALUE}.")
  private Source source = Source.AUTO;

  @Option(names = "--refresh", description = "Run apt-get update if the package index is empty.")
  private boolean refresh;

  /**
   * The source that was chosen, or the best one there is.
   *
   * @throws CommandException if the machine does not have the one that was chosen
   */
  public RecordSource choose() throws InterruptedException {
    if (source == Source.TPCH) {
      return new TpchRows(TpchRows.SCALE_FACTOR);
    }
    boolean filled = PackageIndex.isFilled();
    if (!filled && refresh) {
      Progress.say("the package index is empty; running apt-get update");
      String problem = PackageIndex.refresh();
      if (problem != null) {
        Progress.say(problem);
      }
      filled = PackageIndex.isFilled();
    }
    if (filled) {
      return new PackageIndex();
    }
    String empty = "no package index on this machine (with apt, --refresh fetches it)";
    if (source == Source.APT) {
      throw CommandException.environment(empty + "; or choose --source tpch");
    }
    Progress.say(empty + "; using generated rows");
    return new TpchRows(TpchRows.SCALE_FACTOR);
  }
}
