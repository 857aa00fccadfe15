package org.loam.asterix.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.loam.engine.EngineHealth;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;

/**
 * What a node's engine holds and has done, and what keeps it from its work.
 *
 * @param version of Loam
 * @param datasets AsterixDB's, by name
 */
public record NodeReport(
    String version, EngineHealth health, EngineStatistics engine, List<DatasetBytes> datasets) {
  /**
   * A dataset with all its indexes and partitions on the node.
   *
   * @param name with its dataverse
   * @param trees how many
   * @param memoryBytes in write memory
   * @param diskBytes of tables
   * @param entries of tables, all versions and anti-matter counted
   */
  public record DatasetBytes(
      String name, int trees, long memoryBytes, long diskBytes, long entries) {
    private static DatasetBytes none(String name) {
      return new DatasetBytes(name, 0, 0, 0, 0);
    }

    private DatasetBytes with(TreeStatistics tree) {
      long bytes = tree.levels().stream().mapToLong(LevelStatistics::bytes).sum();
      long more = tree.levels().stream().mapToLong(LevelStatistics::entries).sum();
      return new DatasetBytes(
          name, trees + 1, memoryBytes + tree.memoryBytes(), diskBytes + bytes, entries + more);
    }
  }

  /**
   * Describes an engine.
   *
   * @param paths of indexes, by the names of their trees
   */
  static NodeReport of(EngineHealth health, EngineStatistics engine, UnaryOperator<String> paths) {
    String version = NodeReport.class.getPackage().getImplementationVersion();
    SortedMap<String, DatasetBytes> datasets = new TreeMap<>();
    for (TreeStatistics tree : engine.trees()) {
      String dataset = datasetOf(paths.apply(tree.name()));
      datasets.put(dataset, datasets.getOrDefault(dataset, DatasetBytes.none(dataset)).with(tree));
    }
    return new NodeReport(
        version == null ? "unknown" : version, health, engine, new ArrayList<>(datasets.values()));
  }

  /**
   * The dataset of an index: {@code storage/partition_0/<dataverse>/<dataset>/<rebalance>/<index>},
   * where a dataverse of several parts is several directories, all but the first with {@code ^}.
   *
   * @return the path itself if it is no such path
   */
  private static String datasetOf(String path) {
    List<String> parts = Arrays.asList(path.split("/"));
    int index = parts.size() - 1;
    return index < 5
        ? path
        : String.join(".", parts.subList(2, index - 2)).replace(".^", ".")
            + "."
            + parts.get(index - 2);
  }
}
