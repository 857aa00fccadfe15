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
      "Shows what is in the files of a database, even if it is damaged or was not"
          + " closed: what can be read, and what is wrong. It opens no file for writing and"
          + " recovers nothing. If the database is in use, the files may be of different"
          + " moments.",
      "",
      "The exit code is 0 if nothing is damaged, else 1."
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
