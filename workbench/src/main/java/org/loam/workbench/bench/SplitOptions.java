package org.loam.workbench.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.engine.Engine;
import org.loam.workbench.peer.LoamEngine;
import org.loam.workbench.peer.Peer;
import picocli.CommandLine.Option;

/** With which divisions of its memory an engine is measured, besides its own. */
public final class SplitOptions {
  private static final int MOST_PERCENT = 90;

  @Option(
      names = "--splits",
      split = ",",
      paramLabel = "<percent>",
      description =
          "Measure each engine also with so much of its memory as write memory, which stays so;"
              + " comma-separated. The cache of RocksDB then has all of the memory, and what"
              + " memtables use is charged to it.")
  private List<Integer> splits = List.of();

  /**
   * Refuses what is no part of a memory, engines that have nothing to divide, and splits with which
   * Loam does not open.
   *
   * @param options that a refusal is told with
   * @param memoryBytes that is split
   */
  public void requireValid(
      RoundOptions options, PeerOptions peers, Set<Peer> chosen, long memoryBytes) {
    if (!splits.isEmpty() && chosen.contains(Peer.INLINE_BTREE)) {
      throw options.usage("--splits = " + splits + ", rule: no inline-btree, which has no cache");
    }
    for (int percent : splits) {
      options.requireIn("--splits", percent, 1, MOST_PERCENT);
      if (chosen.contains(Peer.LOAM)) {
        Subject loam = split(peers.subject(Peer.LOAM, Path.of("")), memoryBytes, percent);
        requireFits(
            options,
            "--splits = " + percent,
            () -> LoamEngine.config(memoryBytes, peers.durability(), loam.settings()));
      }
    }
  }

  /**
   * Refuses a split with which Loam does not open.
   *
   * @param split the option and its value
   */
  static void requireFits(RoundOptions options, String split, Supplier<EngineConfig> config) {
    try {
      Engine.requireFits(config.get());
    } catch (IllegalArgumentException e) {
      throw options.usage(
          split
              + ", with which Loam does not open; choose another split or more --memory: "
              + e.getMessage());
    }
  }

  /**
   * What is measured, by name: each engine as it is, then with each split.
   *
   * @param memoryBytes that is split
   * @param directory for databases
   */
  public Map<String, Subject> subjects(
      PeerOptions peers, Set<Peer> chosen, long memoryBytes, Path directory) {
    Map<String, Subject> subjects = new LinkedHashMap<>();
    for (Peer peer : chosen) {
      Subject usual = peers.subject(peer, directory);
      subjects.put(peer.id(), usual);
      for (int percent : splits) {
        subjects.put(peer.id() + "-" + percent, split(usual, memoryBytes, percent));
      }
    }
    return subjects;
  }

  private static Subject split(Subject usual, long memoryBytes, int percent) {
    Map<String, String> settings = new LinkedHashMap<>(usual.settings());
    if (usual.peer() == Peer.LOAM) {
      settings.put("write.initialBytes", memoryBytes * percent / 100 + "B");
      settings.put("tuner.mode", TunerMode.FROZEN.name());
    } else {
      settings.put("write.percent", String.valueOf(percent));
    }
    return new Subject(usual.peer(), usual.directory(), settings);
  }
}
