package org.loam.it.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.engine.WriteOptions;

/** Does with trees what can be done with them. */
final class TreeClient extends Client {
  /**
   * What all clients work with.
   *
   * @param guests trees that come and go; null while they are replaced
   */
  record World(
      Engine engine,
      TreePair residents,
      AtomicReference<@Nullable TreePair> guests,
      Tree counterTree,
      Counters counters) {}

  private final World world;
  private final byte[] target = new byte[4096];
  private int guestCount;

  TreeClient(int number, SplittableRandom random, World world) {
    super(number, random);
    this.world = world;
  }

  @Override
  void write() {
    write(world.residents);
  }

  @Override
  boolean operate() {
    if (random.nextInt(1000) == 0) {
      replaceGuests();
    }
    TreePair guests = random.nextInt(3) == 0 ? world.guests.get() : null;
    TreePair pair = guests == null ? world.residents : guests;
    try {
      return operate(pair);
    } catch (ClosedException e) {
      if (!pair.dropped) {
        throw e;
      }
      return false;
    }
  }

  private boolean operate(TreePair pair) {
    int kind = random.nextInt(2000);
    if (kind < 1000) {
      write(pair);
    } else if (kind < 1450) {
      get(pair);
    } else if (kind < 1550) {
      getAll(pair);
    } else if (kind < 1700) {
      scan(pair);
    } else if (kind < 1850) {
      snapshot(pair);
    } else if (kind < 1950) {
      world.counters.increment(world.counterTree, random);
    } else {
      return change(pair, kind);
    }
    return false;
  }

  private void write(TreePair pair) {
    WriteOptions options = WriteOptions.DEFAULT;
    int group = pair.history.anyGroup(random, number, COUNT);
    pair.write(group, random.nextInt(100) == 0 ? options.sync() : options, trail);
  }

  /** What a scan that is open does not see. */
  private void disturb(TreePair pair) {
    switch (random.nextInt(400)) {
      case 0 -> pair.trees.get(random.nextInt(pair.trees.size())).flush();
      case 1, 2, 3 -> write(pair);
      default -> {}
    }
  }

  /** Rearranges components; what readers see stays. */
  private boolean change(TreePair pair, int kind) {
    Tree tree = pair.trees.get(random.nextInt(pair.trees.size()));
    trail.note("change " + kind + " of " + tree);
    if (kind < 1980) {
      tree.host().beginFlush();
    } else if (kind < 1988) {
      tree.flush();
    } else if (kind < 1992) {
      world.engine.flush();
    } else if (kind < 1998) {
      tree.compact();
    } else {
      assertThat(world.engine.verify().findings()).isEmpty();
    }
    return kind < 1992;
  }

  private void replaceGuests() {
    TreePair old = world.guests.getAndSet(null);
    if (old != null) {
      trail.note("drop of " + old.names);
      old.dropped = true;
      old.names.forEach(world.engine::dropTree);
      for (String name : old.names) {
        assertThat(world.engine.hasTree(name)).as(name).isFalse();
      }
      // A name is used again, but not at once.
      String name = TreeRun.GUEST + number + "." + guestCount++ % 3;
      world.guests.set(TreePair.create(world.engine, name, random));
    }
  }

  private Moment begin(TreePair pair, String what) {
    trail.note(what + " of " + pair.names);
    return Moment.begin(pair.content, number);
  }

  private int anySlot(TreePair pair) {
    return random.nextInt(pair.history.slotCount());
  }

  private void get(TreePair pair) {
    int slot = anySlot(pair);
    boolean copies = random.nextInt(4) == 0;
    Moment moment = begin(pair, "get");
    byte[] value = copies ? getCopy(pair, slot) : pair.tree(slot).get(TreePair.key(slot));
    moment.end();
    moment.see("get", slot, value);
    moment.check();
  }

  private byte @Nullable [] getCopy(TreePair pair, int slot) {
    int length = pair.tree(slot).get(TreePair.key(slot), target);
    return length == Tree.ABSENT ? null : Arrays.copyOf(target, length);
  }

  private void getAll(TreePair pair) {
    int tree = random.nextInt(pair.trees.size());
    List<Integer> slots = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    for (int i = random.nextInt(30); i >= 0; i--) {
      int slot = tree * TreePair.KEYS + random.nextInt(TreePair.KEYS);
      slots.add(slot);
      keys.add(TreePair.key(slot));
    }
    Moment moment = begin(pair, "getAll");
    List<byte @Nullable []> values = pair.trees.get(tree).getAll(keys);
    moment.end();
    assertThat(values).hasSameSizeAs(keys);
    for (int i = 0; i < slots.size(); i++) {
      moment.see("getAll", slots.get(i), values.get(i));
    }
    moment.check();
  }

  private void scan(TreePair pair) {
    int tree = random.nextInt(pair.trees.size());
    RangeScan scan = RangeScan.random(random, TreePair.KEYS);
    Moment moment = begin(pair, "scan");
    try (Cursor cursor = pair.trees.get(tree).scan(scan.options())) {
      moment.end();
      scan.read(cursor, tree * TreePair.KEYS, moment, () -> disturb(pair));
    }
    moment.check();
  }

  /** All of a snapshot is one moment: keys of a group, trees, and what is read twice. */
  private void snapshot(TreePair pair) {
    Moment moment = begin(pair, "snapshot");
    try (Snapshot snapshot = world.engine.snapshot()) {
      moment.end();
      int[] slots = pair.history.slots(random.nextInt(pair.history.groupCount()));
      for (int i = random.nextInt(2 * slots.length); i >= 0; i--) {
        see(pair, snapshot, slots[i % slots.length], moment);
      }
      if (random.nextInt(4) == 0) {
        for (int tree = 0; tree < pair.trees.size(); tree++) {
          RangeScan scan = RangeScan.random(random, TreePair.KEYS);
          try (Cursor cursor = snapshot.scan(pair.trees.get(tree), scan.options())) {
            scan.read(cursor, tree * TreePair.KEYS, moment, () -> disturb(pair));
          }
        }
        see(pair, snapshot, anySlot(pair), moment);
      }
    }
    moment.check();
  }

  private static void see(TreePair pair, Snapshot snapshot, int slot, Moment moment) {
    byte[] value = snapshot.get(pair.tree(slot), TreePair.key(slot));
    moment.see("snapshot", slot, value);
  }
}
