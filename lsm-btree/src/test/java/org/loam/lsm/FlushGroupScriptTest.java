package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.common.sim.Simulation;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.DropTree;
import org.loam.lsm.manifest.ManifestState;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.work.BackgroundOperation;

/** Which trees are flushed together, and what becomes of them. */
@Tag("once")
class FlushGroupScriptTest implements Script.Interpreter {
  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 1 << 20);

  private final Simulation sim = Simulation.seeded(1);
  private final TreeWorld world =
      new TreeWorld(
          sim,
          TreeWorld.Sizes.SMALL,
          new TreeWorld.Host(() -> Long.MAX_VALUE, TreeWorld.OPEN_GATE),
          BEHAVIOUR);
  private final Map<String, LsmTree> trees = new LinkedHashMap<>();
  private final Map<String, BackgroundOperation> open = new HashMap<>();
  private long lsn;

  @TestFactory
  Stream<DynamicTest> group() {
    return Script.tests("group", FlushGroupScriptTest::new);
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
      case "write" -> write(command);
      case "begin" -> begin(command);
      case "step" -> step(command);
      case "finish" -> finish(command);
      case "abort" -> abort(command);
      case "drop" -> drop(command);
      case "mark" -> mark(command);
      case "unmark" -> unmark(command);
      default -> throw command.unknown();
    };
  }

  /** Lines such as {@code orders 3 KiB}, each a component that is frozen. */
  private String write(Script.Command command) {
    for (String line : command.lines()) {
      String[] words = line.split(" +", -1);
      LsmTree tree = trees.computeIfAbsent(words[0], n -> world.createTree(n, BEHAVIOUR));
      for (int i = Integer.parseInt(words[1]); i > 0; i--) {
        world.write(tree, ("key" + i).getBytes(UTF_8), new byte[1000], ++lsn);
      }
      world.freeze(tree, lsn + 1);
    }
    return frozen();
  }

  /** Opens a flush under a name with what may join it; says which trees have. */
  private String begin(Script.Command command) {
    FlushGroup.Limits most = FlushGroup.Limits.DEFAULT;
    FlushGroup group =
        new FlushGroup(
            new FlushGroup.Limits(
                command.number("trees", most.components()),
                (long) command.number("KiB", (int) (most.bytes() >> 10)) << 10));
    List<String> joined = new ArrayList<>();
    trees.forEach(
        (name, tree) -> {
          if (!group.isFull() && world.components(tree).joinFlush(group)) {
            joined.add(name);
          }
        });
    BackgroundOperation flush = group.operation();
    if (flush == null) {
      return "nothing can start";
    }
    open.put(command.options().get(0), flush);
    return String.join(" ", joined);
  }

  private String step(Script.Command command) {
    return open(command).step(1).toString();
  }

  private String finish(Script.Command command) {
    BackgroundOperation flush = open(command);
    open.remove(command.options().get(0));
    long edits = world.edits();
    TreeWorld.finish(flush);
    return "edits: " + (world.edits() - edits) + "\n" + onDisk() + frozen();
  }

  private String abort(Script.Command command) {
    open(command).abort();
    open.remove(command.options().get(0));
    return onDisk() + frozen();
  }

  private String drop(Script.Command command) {
    for (String name : command.options()) {
      LsmTree tree = trees.get(name);
      tree.markDropped();
      ManifestEdit edit = ManifestEdit.of(new DropTree(tree.treeId(), lsn + 1));
      world.components(tree).discard(() -> world.manifest.commit(edit));
      world.components(tree).deleteUnused();
    }
    return "dropped";
  }

  /** A drop begins. */
  private String mark(Script.Command command) {
    command.options().forEach(name -> trees.get(name).markDropped());
    return "marked";
  }

  /** It failed. */
  private String unmark(Script.Command command) {
    command.options().forEach(name -> trees.get(name).unmarkDropped());
    return "as before";
  }

  private BackgroundOperation open(Script.Command command) {
    @Nullable BackgroundOperation found = open.get(command.options().get(0));
    if (found == null) {
      throw command.unknown();
    }
    return found;
  }

  /** The trees of which the manifest names tables, and how many files there are. */
  private String onDisk() {
    StringJoiner out = new StringJoiner(" ", "on disk: ", "");
    world.manifest.read(
        state -> {
          for (ManifestState.TreeRecord tree : state.trees()) {
            if (!tree.components().isEmpty()) {
              out.add(tree.name());
            }
          }
          return out;
        });
    int files = sim.env().files().list(sim.directory().resolve("data")).size();
    return out + ", files: " + files + "\n";
  }

  private String frozen() {
    StringJoiner out = new StringJoiner(" ", "frozen: ", "");
    out.setEmptyValue("frozen: none");
    trees.forEach(
        (name, tree) -> {
          if (tree.hasFrozen()) {
            out.add(name);
          }
        });
    return out.toString();
  }
}
