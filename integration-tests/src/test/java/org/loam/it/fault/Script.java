package org.loam.it.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.loam.it.Digits;
import org.loam.it.model.Ledger.Change;

/**
 * What the client does, always the same: two trees, values with pages of their own, two levels on
 * disk, more than one log segment, a death in the middle of a merge, a bulk load, clean closes.
 */
final class Script {
  static final List<String> TREES = List.of("main", "index");

  private static final int KEYS = 24;

  /** One thing to do. */
  enum Kind {
    CREATE_TREES,
    WRITE,
    /** A write that asks for durability beyond that of the database. */
    WRITE_FORCED,
    GET,
    SCAN,
    TAKE_SNAPSHOT,
    CHECK_SNAPSHOT,
    FLUSH,
    COMPACT,
    CREATE_AND_DROP_TREE,
    BULK_LOAD,
    /** The process dies. */
    DIE,
    CLOSE
  }

  /** A step; the seed makes its keys and values. */
  record Step(Kind kind, long seed) {
    RandomGenerator random() {
      return new SplittableRandom(seed);
    }
  }

  private final List<List<Step>> lives = new ArrayList<>();
  private List<Step> life = new ArrayList<>();
  private int seed = 1000;

  private Script() {}

  /** The steps of each life; the first begins with an empty disk. */
  static List<List<Step>> lives() {
    Script script = new Script();
    script.add(Kind.CREATE_TREES);
    script.work(6);
    script.add(Kind.FLUSH);
    script.work(6);
    script.add(Kind.FLUSH, Kind.CLOSE);
    script.nextLife();
    script.add(Kind.TAKE_SNAPSHOT);
    script.work(6);
    script.add(Kind.FLUSH, Kind.CHECK_SNAPSHOT, Kind.COMPACT);
    script.work(4);
    script.add(Kind.FLUSH, Kind.WRITE, Kind.WRITE, Kind.DIE);
    script.nextLife();
    script.work(5);
    script.add(Kind.CREATE_AND_DROP_TREE, Kind.BULK_LOAD, Kind.WRITE_FORCED, Kind.CLOSE);
    script.nextLife();
    script.add(Kind.SCAN, Kind.CLOSE);
    script.nextLife();
    return List.copyOf(script.lives);
  }

  /** What a database that was struck must still be able to do. */
  static List<Step> afterwards() {
    Script script = new Script();
    script.seed = 5000;
    script.add(Kind.SCAN, Kind.WRITE, Kind.CLOSE);
    return List.copyOf(script.life);
  }

  private void nextLife() {
    lives.add(List.copyOf(life));
    life = new ArrayList<>();
  }

  private void work(int writes) {
    for (int i = 0; i < writes; i++) {
      add(Kind.WRITE);
      if (i % 3 == 1) {
        add(Kind.GET);
      }
    }
    add(Kind.SCAN);
  }

  private void add(Kind... kinds) {
    for (Kind kind : kinds) {
      life.add(new Step(kind, seed++));
    }
  }

  /** The batch of a write; every third has a value that needs pages of its own. */
  static List<Change> changes(Step step) {
    RandomGenerator random = step.random();
    List<Change> changes = new ArrayList<>();
    boolean large = random.nextInt(3) == 0;
    int count = large ? 1 : 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      int tree = random.nextInt(TREES.size());
      String key = key(random);
      if (!large && random.nextInt(4) == 0) {
        changes.add(new Change(tree, key, null));
      } else {
        byte[] value = new byte[large ? 4000 + random.nextInt(9000) : random.nextInt(400)];
        random.nextBytes(value);
        changes.add(new Change(tree, key, value));
      }
    }
    return changes;
  }

  static String key(RandomGenerator random) {
    return "key" + Digits.of(random.nextInt(KEYS), 3);
  }
}
