package org.loam.workbench.inspect;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam inspect}: what is in the files. */
@Command(
    name = "inspect",
    description = {
      "Shows what is in the files of a database, also of one that was damaged or not closed: what"
          + " can be read, and what is wrong. Opens nothing for writing and recovers nothing.",
      "",
      "Of a database that is in use it shows files as they are, perhaps of different moments.",
      "",
      "Exit code 0 if nothing is damaged, 1 if anything is."
    },
    subcommands = {
      InspectManifestCommand.class,
      InspectSSTableCommand.class,
      InspectLogCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "  loam inspect manifest --directory /srv/orders",
      "  loam inspect sstable /srv/orders/data/00000007.sst --pages --entries --limit 20",
      "  loam inspect log --directory /srv/orders --frames"
    })
public final class InspectCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    throw new ParameterException(
        spec.commandLine(), "say what to inspect: manifest, sstable or log");
  }
}
