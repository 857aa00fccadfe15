package org.loam.it.corrupt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.it.model.Ledger;
import org.loam.it.model.Ledger.Change;

/**
 * A small database at rest, to be damaged: tables with LSNs and without, values with pages of their
 * own, several log segments; values are mostly zeros, so that the bytes that matter are few.
 *
 * @param name how it came to rest
 * @param disk never to be used itself, only copies of it
 * @param ledger what was written; all of it was acknowledged
 * @param surelyDurable number of the batch up to which nothing may be missing even if the log is
 *     cut
 */
record Victim(String name, Durability durability, SimDisk disk, Ledger ledger, long surelyDurable) {

  private static final List<String> TREES = List.of("main", "index");

  static List<Victim> all() {
    return List.of(
        make("closed", Durability.SYNC, null),
        make("crashed SYNC", Durability.SYNC, CrashKind.POWER_LOSS),
        make("crashed PROCESS", Durability.PROCESS, CrashKind.PROCESS_DEATH));
  }

  EngineConfig config() {
    return config(durability);
  }

  private static EngineConfig config(Durability durability) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(durability)
        .writeInitialBytes(256 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(256 << 10)
        .sstableBytes(64 << 10)
        .ioForceBytes(64 << 10)
        .flushThreads(1)
        .mergeThreads(1)
        .build();
  }

  private static Victim make(
      String name, Durability durability, @org.jspecify.annotations.Nullable CrashKind crash) {
    Ledger ledger = new Ledger(TREES);
    try (Simulation sim = Simulation.seeded(5)) {
      sim.run(() -> fill(sim, durability, ledger, crash));
      sim.close();
      // All but the last frame of a SYNC database are below a durable mark.
      long durable =
          crash == null
              ? ledger.acknowledged()
              : durability == Durability.SYNC ? ledger.acknowledged() - 1 : ledger.forced();
      return new Victim(name, durability, sim.disk().copy(), ledger, durable);
    }
  }

  private static void fill(
      Simulation sim,
      Durability durability,
      Ledger ledger,
      @org.jspecify.annotations.Nullable CrashKind crash) {
    Engine engine = Engine.open(sim.env(), sim.directory(), config(durability));
    TREES.forEach(engine::createTree);
    for (int i = 0; i < 10; i++) {
      write(engine, ledger, i, 20);
    }
    // Versions that a snapshot needs are flushed, with their LSNs.
    try (Snapshot snapshot = engine.snapshot()) {
      for (int i = 0; i < 4; i++) {
        write(engine, ledger, i, 30);
      }
      engine.flush();
      ledger.force();
      snapshot.get(engine.tree(TREES.get(0)), "key0".getBytes(UTF_8));
    }
    write(engine, ledger, 3, 9000);
    for (int i = 2; i < 7; i++) {
      write(engine, ledger, i, i == 4 ? -1 : 25);
    }
    engine.flush();
    ledger.force();
    // Into another segment of the log.
    for (int i = 0; i < 5; i++) {
      write(engine, ledger, 8, 9500 + i);
    }
    for (int i = 0; i < 6; i++) {
      write(engine, ledger, i, 15);
    }
    if (crash == null) {
      engine.close();
    } else {
      sim.crash(crash);
    }
  }

  /** Writes to both trees; a negative length deletes. */
  private static void write(Engine engine, Ledger ledger, int key, int length) {
    byte[] value = null;
    if (length >= 0) {
      value = new byte[length];
      byte[] text = ("value " + ledger.last()).getBytes(UTF_8);
      System.arraycopy(text, 0, value, 0, text.length);
    }
    List<Change> changes = new ArrayList<>();
    changes.add(new Change(0, "key" + key, value));
    if (length < 1000) {
      changes.add(new Change(1, "index" + (9 - key), value));
    }
    ledger.begin(changes);
    engine.write(ledger.toWrite(engine));
    ledger.acknowledge();
  }

  /** Every key that some batch wrote to a tree. */
  TreeSet<String> keys(int tree) {
    TreeSet<String> keys = new TreeSet<>();
    for (long n = 1; n <= ledger.last(); n++) {
      keys.addAll(ledger.contentAt(n).get(tree).keySet());
    }
    return keys;
  }

  /** What a file is for. */
  static String kind(Path file) {
    String name = String.valueOf(file.getFileName());
    if (name.startsWith("manifest-")) {
      return "manifest";
    }
    if (name.endsWith(".sst")) {
      return "table";
    }
    return name.endsWith(".seg") ? "log segment" : name;
  }
}
