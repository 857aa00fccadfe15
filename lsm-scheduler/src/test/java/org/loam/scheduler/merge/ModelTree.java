package org.loam.scheduler.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A tree whose components are maps in memory, with flushes and merges by the book, and next to it
 * the newest version of every key, to compare with. Sizes are in entries.
 */
public final class ModelTree {
  /** One version of a key; anti-matter if {@code deleted}. */
  record Entry(long version, boolean deleted) {}

  /** A plan that was started, with the components that may hold older versions, as of the start. */
  public record Running(MergePlan plan, List<Component> older) {}

  private final Random random;
  private final int treeId;
  private final int tableEntries;
  private final Map<Long, NavigableMap<Integer, Entry>> tables = new TreeMap<>();

  /** Oldest first. */
  private final List<Component> l0 = new ArrayList<>();

  private final TreeMap<Integer, List<Component>> levels = new TreeMap<>();
  private final TreeMap<Integer, byte[]> cursors = new TreeMap<>();
  private final List<Running> running = new ArrayList<>();
  private final TreeMap<Integer, Entry> newest = new TreeMap<>();
  private final MergedDepth mergedDepth = new MergedDepth();
  private double flushedPerScan = TreeShape.Lately.NOTHING.flushedPerScan();
  private Guards guards = Guards.NONE;
  private final TreeSet<Integer> guardKeys = new TreeSet<>();
  private long nextVersion;
  private long nextId;
  private long flushedEntries;
  private long mergedEntries;

  /**
   * An empty tree.
   *
   * @param tableEntries where merges cut their output
   */
  public ModelTree(Random random, int treeId, int tableEntries) {
    this.random = random;
    this.treeId = treeId;
    this.tableEntries = tableEntries;
  }

  /** The shape now, checked. */
  public TreeShape shape(long memoryEntries) {
    List<Level> shown = new ArrayList<>();
    levels.forEach((id, l) -> shown.add(new Level(id, List.copyOf(l), cursor(id))));
    List<MergePlan> plans = running.stream().map(Running::plan).toList();
    TreeShape shape =
        TreeShape.of(treeId, Depths.groups(l0), shown, plans, memoryEntries)
            .withLately(new TreeShape.Lately(mergedDepth.mean(), flushedPerScan));
    shape.check();
    return shape;
  }

  /** So much was flushed for a scan lately. */
  public void scanned(double bytesFlushed) {
    flushedPerScan = bytesFlushed;
  }

  private byte[] cursor(int level) {
    return cursors.getOrDefault(level, new byte[0]);
  }

  /** What was started and is not finished. */
  public List<Running> running() {
    return running;
  }

  /** Tables are cut at guards from now on. */
  public void cutAt(Guards keys) {
    guards = keys;
    guardKeys.clear();
    keys.keys().forEach(key -> guardKeys.add((key[0] & 0xff) << 8 | key[1] & 0xff));
  }

  /** The guards at which tables are cut. */
  public Guards guards() {
    return guards;
  }

  /** Entries written by merges, per entry flushed, since {@link #countFromNow}. */
  public double mergeAmplification() {
    return mergedEntries / (double) Math.max(1, flushedEntries);
  }

  /** Forgets what was flushed and merged so far. */
  public void countFromNow() {
    flushedEntries = 0;
    mergedEntries = 0;
  }

  /** Flushes new versions of the keys as a number of disjoint components. */
  public void flush(Iterable<Integer> keys, double deletedShare, int parts) {
    TreeMap<Integer, Entry> all = new TreeMap<>();
    for (int key : keys) {
      Entry entry = new Entry(nextVersion++, random.nextDouble() < deletedShare);
      all.put(key, entry);
      newest.put(key, entry);
    }
    flushedEntries += all.size();
    l0.addAll(cut(all, Math.max(1, all.size() / parts)));
  }

  /** Starts a plan on the shape as it is now. */
  public Running start(MergePlan plan, TreeShape shape) {
    Running started = new Running(plan, shape.olderThan(plan));
    running.add(started);
    mergedDepth.add(shape, plan);
    return started;
  }

  /** Forgets a started plan. */
  public void abort(Running merge) {
    running.remove(merge);
  }

  /** Carries a started plan out. */
  public void finish(Running merge) {
    running.remove(merge);
    MergePlan plan = merge.plan();
    TreeMap<Integer, Entry> result = new TreeMap<>();
    for (Component input : plan.inputs()) { // newest first: the first version of a key stays
      table(input).forEach(result::putIfAbsent);
    }
    if (plan.kind() == MergePlan.Kind.MERGE) {
      result
          .entrySet()
          .removeIf(e -> e.getValue().deleted() && isAbsent(e.getKey(), merge.older()));
      mergedEntries += result.size();
    }
    l0.removeAll(plan.inputs());
    levels.values().forEach(level -> level.removeAll(plan.inputs()));
    List<Component> target = levels.computeIfAbsent(plan.targetLevel(), l -> new ArrayList<>());
    if (plan.kind() == MergePlan.Kind.MOVE) {
      insert(target, plan.inputs().get(0));
    } else {
      plan.inputs().forEach(input -> tables.remove(input.id()));
      cut(result, tableEntries).forEach(table -> insert(target, table));
    }
    cursors.put(plan.fromLevel(), plan.cursor());
    levels.values().removeIf(List::isEmpty);
  }

  private boolean isAbsent(int key, List<Component> components) {
    byte[] bytes = bytes(key);
    KeyRange point = new KeyRange(bytes, bytes);
    return components.stream().noneMatch(c -> c.range().overlaps(point));
  }

  /** Looks every key up, newest component first, and compares with what was written last. */
  public void checkReads() {
    List<List<Component>> order = new ArrayList<>(Depths.groups(l0));
    order.addAll(levels.values());
    TreeMap<Integer, Entry> seen = new TreeMap<>();
    for (List<Component> run : order) {
      for (Component c : run) {
        table(c).forEach(seen::putIfAbsent);
      }
    }
    seen.values().removeIf(Entry::deleted);
    TreeMap<Integer, Entry> expected = new TreeMap<>(newest);
    expected.values().removeIf(Entry::deleted);
    assertThat(seen).isEqualTo(expected);
  }

  private NavigableMap<Integer, Entry> table(Component component) {
    NavigableMap<Integer, Entry> table = tables.get(component.id());
    assertThat(table).as("component " + component.id()).isNotNull();
    return table;
  }

  private List<Component> cut(NavigableMap<Integer, Entry> entries, int size) {
    List<Component> made = new ArrayList<>();
    TreeMap<Integer, Entry> part = new TreeMap<>();
    for (Map.Entry<Integer, Entry> e : entries.entrySet()) {
      Integer guard = guardKeys.floor(e.getKey());
      boolean isCut = guard != null && !part.isEmpty() && part.lastKey() < guard;
      if (part.size() == size || isCut) {
        made.add(make(part));
        part = new TreeMap<>();
      }
      part.put(e.getKey(), e.getValue());
    }
    if (!part.isEmpty()) {
      made.add(make(part));
    }
    return made;
  }

  private Component make(NavigableMap<Integer, Entry> entries) {
    long id = nextId++;
    tables.put(id, entries);
    KeyRange range = new KeyRange(bytes(entries.firstKey()), bytes(entries.lastKey()));
    return new Component(id, entries.size(), range);
  }

  private static void insert(List<Component> sorted, Component component) {
    int at = 0;
    while (at < sorted.size() && sorted.get(at).range().isBefore(component.range())) {
      at++;
    }
    sorted.add(at, component);
  }

  /** Two bytes, the first beyond 127 for half of the keys: order must be unsigned. */
  public static byte[] bytes(int key) {
    return new byte[] {(byte) (key >>> 8), (byte) key};
  }
}
