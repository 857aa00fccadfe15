package org.loam.it.corrupt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.sim.Exploration;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.it.model.Ledger;
import org.loam.it.model.Ledger.WrongAnswer;

/** Opens damaged copies of a database, reads everything, and judges. Thread-safe. */
final class Probe {
  private final Victim victim;
  private final List<TreeSet<String>> keys;

  Probe(Victim victim) {
    this.victim = victim;
    this.keys = List.of(victim.keys(0), victim.keys(1));
  }

  /**
   * Damages a copy, opens it and reads everything.
   *
   * @param named what a refusal must mention
   * @param repair undoes the damage: then everything must be right, an open that was refused having
   *     destroyed nothing; null to leave that out
   */
  Outcome judge(String named, Consumer<SimDisk> damage, @Nullable Consumer<SimDisk> repair) {
    SimDisk disk;
    synchronized (victim) {
      disk = victim.disk().copy();
    }
    damage.accept(disk);
    Outcome[] outcome = {Outcome.RIGHT};
    try (Simulation sim = Simulation.over(disk, 77, Exploration.TURNS)) {
      sim.run(() -> outcome[0] = openAndRead(sim, named));
      if (outcome[0] == Outcome.REFUSED && repair != null) {
        repair.accept(disk);
        sim.run(() -> requireUnharmed(sim));
      }
    }
    return outcome[0];
  }

  private void requireUnharmed(Simulation sim) {
    Engine engine = Engine.open(sim.env(), sim.directory(), victim.config());
    victim.ledger().verify(engine, victim.ledger().acknowledged());
  }

  private Outcome openAndRead(Simulation sim, String named) {
    Engine engine;
    try {
      engine = Engine.open(sim.env(), sim.directory(), victim.config());
    } catch (StorageException e) {
      requireNaming(e, named);
      require(sim.liveBytes() == 0, "a refused open leaks " + sim.liveBytes() + " bytes");
      return Outcome.REFUSED;
    }
    long last = victim.ledger().last();
    boolean cut = engine.recovery().cut() != null;
    long number = last;
    boolean refused = false;
    try {
      number = victim.ledger().numberIn(engine);
    } catch (StorageException e) {
      requireNaming(e, named);
      refused = true;
    }
    require(number == last || cut, "batch " + number + " of " + last + ", and no cut is reported");
    require(
        number >= victim.surelyDurable(),
        "cut at batch " + number + ", though " + victim.surelyDurable() + " was durable");
    List<TreeMap<String, byte[]>> content = victim.ledger().contentAt(number);
    for (int t = 0; t < keys.size(); t++) {
      String name = victim.ledger().treeNames().get(t);
      require(engine.hasTree(name), "tree " + name + " is missing");
      refused |= get(engine.tree(name), keys.get(t), content.get(t), named);
      refused |= scan(engine.tree(name), content.get(t), named);
    }
    if (refused) {
      return Outcome.READS_REFUSED;
    }
    return number < last ? Outcome.CUT : Outcome.RIGHT;
  }

  /** Each key for itself: a refusal of one says nothing about others. */
  private static boolean get(
      Tree tree, TreeSet<String> keys, TreeMap<String, byte[]> content, String named) {
    boolean refused = false;
    for (String key : keys) {
      try {
        Ledger.compare("get " + key, tree.get(key.getBytes(UTF_8)), content.get(key));
      } catch (StorageException e) {
        requireNaming(e, named);
        refused = true;
      }
    }
    return refused;
  }

  private static boolean scan(Tree tree, TreeMap<String, byte[]> content, String named) {
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      for (Map.Entry<String, byte[]> entry : content.entrySet()) {
        require(cursor.next(), "the scan ends before " + entry.getKey());
        require(
            Arrays.equals(cursor.key(), entry.getKey().getBytes(UTF_8)),
            "the scan shows another key than " + entry.getKey());
        Ledger.compare("scan " + entry.getKey(), cursor.value(), entry.getValue());
      }
      require(!cursor.next(), "the scan shows too much");
      return false;
    } catch (StorageException e) {
      requireNaming(e, named);
      return true;
    }
  }

  private static void requireNaming(StorageException e, String named) {
    require(
        e instanceof CorruptionException || e instanceof UnsupportedFormatException,
        "not the exception for damage: " + e);
    require(
        String.valueOf(e.getMessage()).contains(named),
        "the message does not name " + named + ": " + e.getMessage());
  }

  static String fileName(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new WrongAnswer(what);
    }
  }
}
