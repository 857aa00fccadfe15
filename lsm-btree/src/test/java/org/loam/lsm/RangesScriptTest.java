package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.common.sim.Simulation;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.KeySpan;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.scheduler.merge.PartitionedLeveling;

/**
 * How the ranges of a tree's write memory are divided and joined. A range is shown with its bounds,
 * the memory of its active component, and what is frozen in it, newest first.
 */
class RangesScriptTest implements Script.Interpreter {
  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 1 << 20);

  private final Simulation sim = Simulation.seeded(1);
  private long nextLsn = 1;
  private final TreeWorld world =
      new TreeWorld(
          sim,
          TreeWorld.Sizes.SMALL,
          new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE),
          BEHAVIOUR);
  private final LsmTree tree = world.createTree("t", BEHAVIOUR);

  @TestFactory
  Stream<DynamicTest> ranges() {
    return Script.tests("ranges", RangesScriptTest::new);
  }

  @Override
  public void close() {
    world.close();
    sim.close();
  }

  @Override
  public String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "sizes" -> sizes(command);
      case "write" -> write(command.options());
      case "freeze" -> freeze(command.options());
      case "flush" -> world.flushFrozen(tree) + " components";
      default -> throw command.unknown();
    };
  }

  private String sizes(Script.Command command) {
    long least = Units.parseBytes(command.option("least", "1"));
    world.ranges = new RangeSizes(command.number("most", 1), least);
    return "";
  }

  /** With their records each takes 3 KiB. */
  private String write(List<String> keys) {
    for (String key : keys) {
      world.write(tree, key.getBytes(UTF_8), new byte[3000], nextLsn++);
    }
    return tree.activeBytes() / 1024 + " KiB";
  }

  /** The ranges of some keys; without keys all of them. */
  private String freeze(List<String> keys) {
    Set<MemoryComponent> chosen = new HashSet<>();
    keys.forEach(key -> chosen.add(tree.active(key.getBytes(UTF_8))));
    world.freeze(tree, nextLsn, active -> keys.isEmpty() || chosen.contains(active));
    return shape();
  }

  private String shape() {
    MemoryRanges ranges = tree.version().memory;
    StringJoiner out = new StringJoiner("\n");
    for (int i = 0; i < ranges.count(); i++) {
      MemoryRanges.Range range = ranges.range(i);
      StringBuilder line = new StringBuilder(text(KeySpan.of(ranges.bounds(), i)));
      line.append(' ').append(range.active().usedBytes() >> 10).append(" KiB");
      String separator = ", frozen ";
      for (Frozen frozen : range.frozen()) {
        line.append(separator).append(text(frozen.keys()));
        separator = " ";
      }
      out.add(line);
    }
    return out.toString();
  }

  private static String text(KeySpan span) {
    return "[" + text(span.low()) + ".." + text(span.end()) + ")";
  }

  private static String text(byte @Nullable [] key) {
    return key == null ? "" : new String(key, UTF_8);
  }
}
