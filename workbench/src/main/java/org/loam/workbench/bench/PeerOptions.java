package org.loam.workbench.bench;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import picocli.CommandLine.Option;

/** Which engines a benchmark compares, and what all of them promise for a write. */
public final class PeerOptions {
  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "<peer>",
      defaultValue = "loam",
      description = "Engines, comma-separated: loam, rocksdb, rocksdb-buffered. Default: loam.")
  private List<String> peers = List.of();

  @Option(
      names = "--durability",
      paramLabel = "<kind>",
      defaultValue = "process",
      description =
          "When a write is acknowledged: process (the operating system has it) or sync (the"
              + " disk has it). Default: ${DEFAULT-VALUE}.")
  private Durability durability = Durability.PROCESS;

  public Durability durability() {
    return durability;
  }

  /**
   * The engines that were asked for, each once.
   *
   * @param options that a refusal is told with
   */
  public Set<Peer> chosen(MeasureOptions options) {
    Set<Peer> chosen = new LinkedHashSet<>();
    for (String peer : peers) {
      chosen.add(options.parsed(() -> Peer.of(peer)));
    }
    return chosen;
  }

  /**
   * Refuses engines that this build lacks.
   *
   * @throws CommandException if there is one
   */
  public static void requireAvailable(Iterable<Peer> chosen) {
    for (Peer peer : chosen) {
      try {
        peer.factory();
      } catch (Peer.UnavailableException e) {
        throw CommandException.environment(String.valueOf(e.getMessage()), e);
      }
    }
  }
}
