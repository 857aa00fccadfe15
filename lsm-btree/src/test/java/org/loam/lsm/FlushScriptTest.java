package org.loam.lsm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.common.sim.Simulation;
import org.loam.lsm.FlushPolicy.ActiveMemory;
import org.loam.lsm.FlushPolicy.TreeMemory;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Which tree is flushed when write memory is short. */
class FlushScriptTest implements Script.Interpreter {
  private final Simulation sim = Simulation.seeded(1);
  private final TreeBehaviour behaviour =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 1 << 20);
  private final TreeWorld world =
      new TreeWorld(
          sim, TreeWorld.Sizes.SMALL, new TreeWorld.Host(() -> 1, TreeWorld.OPEN_GATE), behaviour);
  private final Map<String, LsmTree> trees = new HashMap<>();

  @TestFactory
  Stream<DynamicTest> flush() {
    return Script.tests("flush", FlushScriptTest::new);
  }

  @Override
  public void close() {
    world.close();
    sim.close();
  }

  /**
   * Lines such as {@code orders 300 bytes from LSN 17}, one for each range of a tree, where what
   * follows the bytes may be missing: nothing was written to the range then; and lines such as
   * {@code orders wrote 900}, and {@code orders keeps 200} for memory that may not be flushed.
   */
  @Override
  public String interpret(Script.Command command) {
    if (!command.verb().equals("choose")) {
      throw command.unknown();
    }
    Map<String, Ranges> memory = new LinkedHashMap<>();
    for (String line : command.lines()) {
      String[] words = line.split(" +", -1);
      memory.computeIfAbsent(words[0], name -> new Ranges()).add(words);
    }
    List<TreeMemory> all = new ArrayList<>();
    memory.forEach((name, ranges) -> all.add(ranges.of(tree(name))));
    StringBuilder out = new StringBuilder();
    for (FlushPolicy policy : FlushPolicy.values()) {
      String names =
          policy.choose(all, command.number("bytes", 1)).stream()
              .map(one -> one.tree().name() + text(memory.get(one.tree().name()), one.active()))
              .collect(Collectors.joining(" "));
      out.append(policy).append(": ").append(names.isEmpty() ? "none" : names).append('\n');
    }
    return out.toString();
  }

  private LsmTree tree(String name) {
    return trees.computeIfAbsent(name, made -> world.createTree(made, behaviour));
  }

  /** The size of a range, if its tree has several. */
  private static String text(Ranges ranges, ActiveMemory active) {
    return ranges.sizes.size() == 1 ? "" : "/" + active.bytes();
  }

  /** What a tree has in memory. */
  private static final class Ranges {
    private final List<long[]> sizes = new ArrayList<>();
    private long keptBytes;
    private long writtenBytes;

    private void add(String[] words) {
      switch (words[1]) {
        case "wrote" -> writtenBytes = Long.parseLong(words[2]);
        case "keeps" -> keptBytes = Long.parseLong(words[2]);
        default -> {
          long lsn = words.length > 3 ? Long.parseLong(words[5]) : Long.MAX_VALUE;
          sizes.add(new long[] {Long.parseLong(words[1]), lsn});
        }
      }
    }

    private TreeMemory of(LsmTree tree) {
      MemoryComponent component = tree.actives().get(0);
      List<ActiveMemory> actives =
          sizes.stream().map(size -> new ActiveMemory(component, size[0], size[1])).toList();
      long bytes = keptBytes + sizes.stream().mapToLong(size -> size[0]).sum();
      return new TreeMemory(tree, bytes, writtenBytes, actives);
    }
  }
}
