package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheStatistics;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.EngineStatistics.WriteUse;
import org.loam.engine.MergeOptions;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;
import org.loam.workbench.console.Json;

class NodeTextTest {
  private static final EngineStatistics.L0 NO_L0 = new EngineStatistics.L0(0, 4);
  private static final long MIB = 1 << 20;

  static TreeStatistics tree(String path, long memoryMib, LevelStatistics... levels) {
    WriteUse use = new WriteUse(memoryMib * MIB, 0, 0, 10);
    return new TreeStatistics(path, memoryMib * MIB, use, List.of(levels), null, 0, NO_L0, 0);
  }

  static EngineStatistics statistics(TreeStatistics... trees) {
    return new EngineStatistics(
        new EngineStatistics.Memory(
            256 * MIB,
            8 * MIB,
            96 * MIB,
            20 * MIB,
            140 * MIB,
            16 * MIB,
            new WriteUse(7 * MIB, MIB, 2 * MIB, 1000),
            new EngineStatistics.Tuner(
                "FROZEN", 96 * MIB, 96 * MIB, new TreeMap<>(), null, null, null)),
        new CacheStatistics(
            Map.of(AccessClass.values()[0], 120L), Map.of(AccessClass.values()[0], 7L), 0, 1, 0, 0),
        new EngineStatistics.Log(0, 0, 0, 0),
        new EngineStatistics.Work(12, 30 * MIB, 3, 60 * MIB, 0, 0, 0, 0),
        new StallLog.Snapshot(
            Map.of(StallCause.L0_STOP, new StallLog.Totals(2, 0, 1_500_000_000, 1_000_000_000)),
            List.of()),
        List.of(trees),
        List.of(),
        new EngineStatistics.Times(0, 1, List.of(), List.of()));
  }

  private static LevelStatistics level(int number, int groups, long mib) {
    return new LevelStatistics(number, groups, groups, mib * MIB, mib * 1000, 0);
  }

  @Test
  void indexesAreShownByDatasetAndAsterixDbsOwnInOneRow() {
    EngineStatistics statistics =
        statistics(
            tree("storage/partition_0/shop/orders/0/byName", 1, level(1, 1, 3)),
            tree("storage/partition_0/shop/orders/0/orders", 3, level(0, 2, 4), level(1, 1, 20)),
            tree("storage/partition_0/Metadata/Dataset/0/Dataset", 1),
            tree("storage/partition_0/Metadata/Index/0/Index", 1, level(0, 1, 1)),
            tree("storage/partition_0/a/^b/lines/0/lines", 0),
            tree("storage/partition_1/a/^b/lines/0/lines", 1));
    assertThat(NodeText.of(Node.NC1, statistics).lines())
        .containsExactly(
            "node     nc1",
            "memory   44.0 of 256.0 MiB: write 8.0 of 96.0, live 7.0, leaving 2.0,"
                + " cache 20.0 of 140.0, fixed 16.0",
            "work     12 flushes, 30.0 MiB; 3 merges, 60.0 MiB",
            "cache    120 hits, 7 misses",
            "stalls   L0_STOP 2 times, 1.5 s, longest 1.0 s",
            "dataset      index                 in memory   on disk  entries  levels",
            "Metadata     2 indexes               2.0 MiB   1.0 MiB    1,000",
            "a.b.lines    2 indexes               1.0 MiB   0.0 MiB        0",
            "             lines of partition 0    0.0 MiB   0.0 MiB        0",
            "             lines of partition 1    1.0 MiB   0.0 MiB        0",
            "shop.orders  2 indexes               4.0 MiB  27.0 MiB   27,000",
            "             orders                  3.0 MiB  24.0 MiB   24,000"
                + "  L0 in 2 groups 4.0 MiB, L1 20.0 MiB",
            "             byName                  1.0 MiB   3.0 MiB    3,000  L1 3.0 MiB");
  }

  @Test
  void aTreeThatHasNoPathForANameIsShownByItsName() {
    assertThat(TreePlace.of("0a1b...end/0/x")).isEqualTo(new TreePlace("0a1b...end/0/x", 0, ""));
    assertThat(NodeText.of(Node.NC2, statistics(tree("0a1b...x", 2))).lines())
        .anyMatch(line -> line.startsWith("0a1b...x") && line.contains("2.0 MiB"));
  }

  @Test
  void whatTheServletWritesIsRead() {
    TreeStatistics tree = tree("storage/partition_0/d/s/0/s", 1, level(0, 1, 1));
    MergeOptions merges = new MergeOptions(4, 2, 8);
    EngineStatistics statistics =
        statistics(
            new TreeStatistics(
                tree.name(),
                tree.memoryBytes(),
                tree.writeUse(),
                tree.levels(),
                merges,
                0,
                new EngineStatistics.L0(1, 4),
                0));
    assertThat(NodeText.of(Node.NC1, statistics))
        .contains("  L0 1.0 MiB, size ratio 4, L0 merged from 2 and full at 8");
    ObjectNode answer = Json.read(Json.line(statistics), ObjectNode.class);
    answer.put("version", "1.0").putObject("health").putNull("fence");
    answer.putArray("datasets").addObject().put("name", "d.s").put("trees", 1);
    assertThat(NodeText.read(Node.NC1, answer)).isEqualTo(statistics);
  }
}
