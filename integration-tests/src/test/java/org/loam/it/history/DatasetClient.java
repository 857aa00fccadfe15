package org.loam.it.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Cursor;
import org.loam.engine.Dataset;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Engine;
import org.loam.engine.WriteOptions;
import org.loam.it.orders.OrderIndex;

/** Does with a dataset what can be done with it. */
final class DatasetClient extends Client {
  static final int KEYS = 160;

  /** What all clients work with. */
  record World(Engine engine, Dataset dataset, Content content, VisitingIndex visitor) {
    History history() {
      return content.history;
    }
  }

  private final World world;
  private final History history;

  DatasetClient(int number, SplittableRandom random, World world) {
    super(number, random);
    this.world = world;
    this.history = world.history();
  }

  @Override
  void write() {
    write(world, history.anyGroup(random, number, COUNT), trail);
  }

  @Override
  boolean operate() {
    int kind = random.nextInt(2000);
    if (kind < 1200) {
      int group = history.anyGroup(random, number, COUNT);
      int[] slots = history.slots(group);
      if (slots.length == 1 && random.nextInt(8) == 0) {
        insertInVain(slots[0], history.acknowledged(group));
      }
      write(world, group, trail);
    } else if (kind < 1500) {
      get();
    } else if (kind < 1600) {
      getAll();
    } else if (kind < 1700) {
      scan();
    } else if (kind < 1960) {
      query();
    } else if (kind < 1998) {
      trail.note("flush");
      world.engine.flush();
    } else if (kind < 1999) {
      world.visitor.comeOrGo(world.dataset);
    } else {
      assertThat(world.engine.verify().findings()).isEmpty();
    }
    return kind >= 1960 && kind < 1998;
  }

  /** What a scan that is open does not see. */
  private void disturb() {
    switch (random.nextInt(400)) {
      case 0 -> world.engine.flush();
      case 1, 2, 3 -> write();
      default -> {}
    }
  }

  // ---- Writes.

  /** The next write to a group. Only for its writer. */
  static void write(World world, int group, Trail trail) {
    History history = world.history();
    long number = history.start(group);
    trail.note("write", history, group, number);
    int[] slots = history.slots(group);
    if (slots.length == 1) {
      writeOne(world, slots[0], number);
    } else {
      DatasetBatch batch = new DatasetBatch();
      for (int slot : slots) {
        if (history.shown(slot, number) == 0) {
          batch.delete(world.dataset, Content.key(slot));
        } else {
          batch.upsert(world.dataset, Content.key(slot), world.content.value(slot, number));
        }
      }
      world.engine.datasets().write(batch, WriteOptions.DEFAULT);
    }
    history.acknowledge(group, number);
    trail.note("acknowledged", history, group, number);
  }

  private static void writeOne(World world, int slot, long number) {
    History history = world.history();
    byte[] key = Content.key(slot);
    if (history.shown(slot, number) == 0) {
      world.dataset.delete(key);
      return;
    }
    byte[] record = world.content.value(slot, number);
    int group = history.group(slot);
    boolean isKnown = history.acknowledged(group) == number - 1;
    if (isKnown && history.shown(slot, number - 1) == 0) {
      if (!world.dataset.insert(key, record)) {
        throw new HistoryError("insert of slot " + slot + " found a record", history, group);
      }
    } else {
      world.dataset.upsert(key, record);
    }
  }

  private void insertInVain(int slot, long number) {
    if (history.shown(slot, number) != 0 && world.dataset.insert(Content.key(slot), new byte[0])) {
      throw new HistoryError(
          "insert of slot " + slot + " found no record", history, history.group(slot));
    }
  }

  // ---- Reads.

  private void get() {
    int slot = random.nextInt(KEYS);
    Moment moment = Moment.begin(world.content, number);
    byte[] record = world.dataset.get(Content.key(slot));
    moment.end();
    moment.see("get", slot, record);
    moment.check();
  }

  private void getAll() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = random.nextInt(30); i >= 0; i--) {
      keys.add(Content.key(random.nextInt(KEYS)));
    }
    Moment moment = Moment.begin(world.content, number);
    List<byte @Nullable []> records = world.dataset.getAll(keys);
    moment.end();
    for (int i = 0; i < keys.size(); i++) {
      moment.see("getAll", Content.id(keys.get(i)), records.get(i));
    }
    moment.check();
  }

  private void scan() {
    RangeScan scan = RangeScan.random(random, KEYS);
    Moment moment = Moment.begin(world.content, number);
    try (Cursor cursor = world.dataset.scan(scan.options())) {
      moment.end();
      scan.read(cursor, 0, moment, this::disturb);
    }
    moment.check();
  }

  private void query() {
    int which = random.nextInt(VisitingIndex.RESIDENTS.size() + 1);
    boolean isVisitor = which == VisitingIndex.RESIDENTS.size();
    OrderIndex index = isVisitor ? VisitingIndex.VISITOR : VisitingIndex.RESIDENTS.get(which);
    IndexAnswer answer = IndexAnswer.random(index, random, world.content, KEYS);
    trail.note("query of " + index);
    boolean keysOnly = random.nextBoolean();
    if (isVisitor) {
      world.visitor.use(() -> answer.ask(world.dataset, keysOnly, number));
    } else {
      answer.ask(world.dataset, keysOnly, number);
    }
  }

  /** The entries of an index that are due to a slot after a write. */
  static List<OrderIndex.Entry> entries(OrderIndex index, Content content, int slot, long number) {
    if (content.history.shown(slot, number) == 0) {
      return List.of();
    }
    String key = new String(Content.key(slot), UTF_8);
    return index.entries(Map.of(key, content.value(slot, number)));
  }
}
