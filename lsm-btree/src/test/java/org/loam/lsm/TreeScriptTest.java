package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.common.sim.Simulation;
import org.loam.lsm.TreeServices.CommitGate;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.ComponentConstraint;
import org.loam.scheduler.work.WriteControl;

/**
 * What flushes and merges make of the components of a real tree. A table is shown with its file's
 * number, its range and its entries.
 */
class TreeScriptTest implements Script.Interpreter {
  private final Simulation sim = Simulation.seeded(1);
  private final TreeMap<String, BackgroundOperation> open = new TreeMap<>();
  private final TreeMap<String, Long> readers = new TreeMap<>();
  private final TreeWorld world;
  private final LsmTree tree;
  private long nextLsn = 1;
  private long mayFlushLsn = Long.MAX_VALUE;

  TreeScriptTest() {
    CommitGate gate =
        new CommitGate() {
          @Override
          public boolean mayFlush(long endLsn) {
            return endLsn <= mayFlushLsn;
          }

          @Override
          public void awaitDurable(long endLsn) {}
        };
    TreeBehaviour behaviour = behaviour(4, 100, 1 << 20);
    world =
        new TreeWorld(
            sim,
            new TreeWorld.Sizes(4096, 512, 32 << 20, 24, 16 << 10, 4),
            new TreeWorld.Host(() -> nextLsn, gate),
            behaviour);
    tree = world.createTree("t", behaviour);
  }

  private static TreeBehaviour behaviour(int l0MinMerge, int l0Stop, long memoryBytes) {
    PartitionedLeveling.Settings settings =
        new PartitionedLeveling.Settings(
            10, l0MinMerge, l0MinMerge, 1.5, PartitionedLeveling.Selection.ROUND_ROBIN, true, true);
    return new TreeBehaviour(
        new PartitionedLeveling(settings),
        ComponentConstraint.l0Stop(l0Stop),
        WriteControl.STOP,
        settings.levelRatio(),
        () -> memoryBytes);
  }

  private ComponentChanges components() {
    return world.components(tree);
  }

  @TestFactory
  Stream<DynamicTest> tree() {
    return Script.tests("tree", TreeScriptTest::new);
  }

  @Override
  public void close() {
    open.values().forEach(BackgroundOperation::abort);
    world.close();
    sim.close();
  }

  @Override
  public String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "tree" -> change(command);
      case "write" -> write(command);
      case "freeze" -> freeze();
      case "may-flush" -> mayFlush(command);
      case "flush" -> flush(command);
      case "plan" -> plans();
      case "merge" -> world.merge(tree) ? shape() : "no merge is due";
      case "compact" -> compact();
      case "begin" -> begin(command);
      case "step" -> step(command);
      case "finish" -> finish(command);
      case "abort" -> abort(command);
      case "reader" -> reader(command);
      case "leave" -> leave(command);
      case "drop" -> drop();
      default -> throw command.unknown();
    };
  }

  private String change(Script.Command command) {
    components()
        .change(
            behaviour(
                command.number("min", 4),
                command.number("stop", 100),
                command.number("memory", 1 << 20)));
    return shape();
  }

  /** Writes keys: words, {@code -word} for anti-matter, {@code word*n} for n keys. */
  private String write(Script.Command command) {
    for (String word : command.options()) {
      boolean antiMatter = word.startsWith("-");
      String[] parts = word.substring(antiMatter ? 1 : 0).split("\\*", -1);
      int count = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
      for (int i = 0; i < Math.max(1, count); i++) {
        String key = count == 0 ? parts[0] : parts[0] + String.format(Locale.ROOT, "%03d", i);
        world.write(tree, key.getBytes(UTF_8), antiMatter ? null : new byte[20], nextLsn++);
      }
    }
    return "up to LSN " + (nextLsn - 1);
  }

  private String freeze() {
    return world.freeze(tree, nextLsn) ? "frozen below LSN " + nextLsn : "nothing to freeze";
  }

  private String mayFlush(Script.Command command) {
    mayFlushLsn = command.number("below", 0);
    return "below LSN " + mayFlushLsn;
  }

  /** Flushes what is frozen; keys among the options are written and frozen before. */
  private String flush(Script.Command command) {
    if (!command.options().isEmpty()) {
      write(command);
      world.freeze(tree, nextLsn);
    }
    int count = world.flushFrozen(tree);
    return count == 0 ? "no flush can start" : shape();
  }

  private String plans() {
    StringJoiner out = new StringJoiner("\n");
    for (MergePlan plan : components().mergePolicy().plan(components().shape(), RunMode.RUNNING)) {
      out.add(text(plan));
    }
    return out.toString();
  }

  private String compact() {
    components().requestCompaction();
    return components().isCompacting() ? plans() : "all is in the last level";
  }

  /** Begins the flush that is next, or the first merge that can start, under a name. */
  private String begin(Script.Command command) {
    String name = command.options().get(1);
    BackgroundOperation begun = null;
    if (command.options().get(0).equals("flush")) {
      begun = world.openFlush(tree);
    } else {
      for (MergePlan plan :
          components().mergePolicy().plan(components().shape(), RunMode.RUNNING)) {
        begun = begun == null ? components().open(plan) : begun;
      }
    }
    if (begun != null) {
      open.put(name, begun);
    }
    return begun == null ? "nothing can start" : shape();
  }

  /** Lets a merge read and write a little. */
  private String step(Script.Command command) {
    return open.get(command.options().get(0)).step(1).toString().toLowerCase(Locale.ROOT);
  }

  private String finish(Script.Command command) {
    TreeWorld.finish(open.remove(command.options().get(0)));
    return shape();
  }

  private String abort(Script.Command command) {
    open.remove(command.options().get(0)).abort();
    return shape();
  }

  /** Registers a reader, which sees what was written until now. */
  private String reader(Script.Command command) {
    long readLsn = world.reads.register();
    readers.put(command.options().get(0), readLsn);
    return "reads up to LSN " + readLsn;
  }

  private String leave(Script.Command command) {
    world.reads.release(readers.remove(command.options().get(0)));
    return readers.size() + " readers";
  }

  private String drop() {
    tree.markDropped();
    components().discard(() -> {});
    components().deleteUnused();
    return shape();
  }

  /** The tree from new to old, and whether its writers wait. */
  private String shape() {
    StringJoiner out = new StringJoiner("\n");
    TreeShape shape = components().shape();
    shape.check();
    int frozen = tree.version().frozen.length;
    if (frozen > 0) {
      out.add("frozen: " + frozen);
    }
    shape.l0().forEach(group -> out.add("L0: " + text(group)));
    for (Level level : shape.levels()) {
      out.add("L" + shape.numberOf(level.id()) + ": " + text(level.components()));
    }
    shape.running().forEach(plan -> out.add("running: " + text(plan)));
    if (components().isCompacting()) {
      out.add("being compacted");
    }
    if (tree.gate().violation() != null) {
      out.add("writers wait: " + tree.gate().violation());
    }
    return out.length() == 0 ? "empty" : out.toString();
  }

  private String text(List<Component> components) {
    return components.stream().map(this::text).collect(Collectors.joining(", "));
  }

  private String text(Component component) {
    SSTableMeta meta = tree.disk().table(component.id()).table().meta();
    String range =
        new String(meta.keys().min(), UTF_8) + ".." + new String(meta.keys().max(), UTF_8);
    String antiMatter =
        meta.counts().antiMatter() == 0 ? "" : ", " + meta.counts().antiMatter() + " anti-matter";
    return meta.fileId() + "[" + range + "] " + meta.counts().entries() + antiMatter;
  }

  private String text(MergePlan plan) {
    TreeShape shape = components().shape();
    return plan.kind().name().toLowerCase(Locale.ROOT)
        + plan.inputs().stream().map(c -> " " + c.id()).collect(Collectors.joining())
        + (" from L" + shape.numberOf(plan.fromLevel()))
        + (" to L" + shape.numberOf(plan.targetLevel()));
  }
}
