package org.loam.workbench.bench;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.loam.common.config.Settings;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.peer.LoamEngine;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings.Durability;
import picocli.CommandLine.Option;

/** Which engines a benchmark compares, and what all of them promise for a write. */
public final class PeerOptions {
  /** Memory with which settings are looked at, before it is known how much there will be. */
  private static final long AMPLE_BYTES = 1L << 40;

  /** Settings that have options of their own, which count for all engines. */
  private static final Map<String, String> OPTIONS =
      Map.of("memory.total", "--memory", "durability", "--durability");

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "<peer>",
      defaultValue = "loam",
      description =
          "Engines, comma-separated: loam, rocksdb, rocksdb-buffered, inline-btree (in memory,"
              + " without a log). Default: loam.")
  private List<String> peers = List.of();

  @Option(
      names = "--durability",
      paramLabel = "<kind>",
      defaultValue = "process",
      description =
          "When a write is acknowledged: process (the operating system has it) or sync (the"
              + " disk has it). Default: ${DEFAULT-VALUE}.")
  private Durability durability = Durability.PROCESS;

  @Option(
      names = "--set",
      paramLabel = "<name>=<value>",
      description =
          "A setting of Loam that is not its default, such as write.control=PACE. May be"
              + " repeated.")
  private Map<String, String> settings = Map.of();

  public Durability durability() {
    return durability;
  }

  /**
   * The engines that were asked for, each once.
   *
   * @param options that a refusal is told with
   */
  public Set<Peer> chosen(RoundOptions options) {
    OPTIONS.forEach(
        (name, option) -> {
          if (settings.containsKey(name)) {
            throw options.usage("--set " + name + " counts for Loam alone; use " + option);
          }
        });
    options.parsed(() -> LoamEngine.config(AMPLE_BYTES, durability, settings));
    Set<Peer> chosen = new LinkedHashSet<>();
    for (String peer : peers) {
      chosen.add(options.parsed(() -> Peer.of(peer)));
    }
    return chosen;
  }

  /**
   * Refuses settings that an open engine of Loam cannot be changed to.
   *
   * @param option that they come from
   * @param options that a refusal is told with
   */
  public void requireLive(String option, RoundOptions options, Map<String, String> changes) {
    Map<String, String> changed = new HashMap<>(settings);
    changed.putAll(changes);
    options.parsed(() -> LoamEngine.config(AMPLE_BYTES, durability, changed));
    for (String name : changes.keySet()) {
      String why = Settings.find(name).orElseThrow().fixedBecause();
      if (why != null) {
        throw options.usage(option + " " + name + ", rule: a live setting; it is fixed: " + why);
      }
    }
  }

  /**
   * An engine with the settings that were asked for.
   *
   * @param directory for its databases
   */
  public Subject subject(Peer peer, Path directory) {
    return new Subject(peer, directory.toString(), peer == Peer.LOAM ? settings : Map.of());
  }

  /** The settings of Loam that are not its defaults. */
  public Map<String, String> settings() {
    return settings;
  }

  /**
   * Refuses engines that this build lacks.
   *
   * @throws CommandException if there is one
   */
  public static void requireAvailable(Iterable<Peer> chosen) {
    chosen.forEach(PeerOptions::factory);
  }

  /**
   * What opens an engine.
   *
   * @throws CommandException if this build lacks it
   */
  public static StoreFactory factory(Peer peer) {
    try {
      return peer.factory();
    } catch (Peer.UnavailableException e) {
      throw CommandException.environment(String.valueOf(e.getMessage()), e);
    }
  }
}
