package org.loam.lsm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.common.sim.Simulation;
import org.loam.lsm.FlushPolicy.ActiveMemory;
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
   * Lines such as {@code orders 300 bytes from LSN 17}; the words after the name may be missing.
   */
  @Override
  public String interpret(Script.Command command) {
    if (!command.verb().equals("choose")) {
      throw command.unknown();
    }
    List<ActiveMemory> memory = new ArrayList<>();
    for (String line : command.lines()) {
      String[] words = line.split(" +", -1);
      LsmTree tree = trees.computeIfAbsent(words[0], n -> world.createTree(n, behaviour));
      long bytes = words.length > 1 ? Long.parseLong(words[1]) : 0;
      long lsn = words.length > 3 ? Long.parseLong(words[5]) : Long.MAX_VALUE;
      memory.add(new ActiveMemory(tree, tree.actives().get(0), bytes, bytes, lsn));
    }
    StringBuilder out = new StringBuilder();
    for (FlushPolicy policy : FlushPolicy.values()) {
      List<ActiveMemory> chosen = policy.choose(memory, command.number("bytes", 1));
      String names = chosen.stream().map(m -> m.tree().name()).collect(Collectors.joining(" "));
      out.append(policy).append(": ").append(names.isEmpty() ? "none" : names).append('\n');
    }
    return out.toString();
  }
}
