package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.MergeOptions;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;
import org.loam.workbench.database.EngineText;

/**
 * What Loam holds on a node and has done, for people: the engine as a whole, and a table of the
 * indexes by dataset. AsterixDB's own datasets are one row.
 */
public final class NodeText {
  private static final double MIB = 1 << 20;

  /** The last column of a row, which may be of any width. */
  private static final int LEVELS = 5;

  private final List<List<String>> rows = new ArrayList<>();

  private NodeText() {}

  /** The lines about one node. */
  public static String of(Node node, EngineStatistics statistics) {
    NodeText text = new NodeText();
    text.table(statistics.trees());
    return "node     "
        + node.id()
        + System.lineSeparator()
        + EngineText.ofHosted(statistics)
        + text.rows();
  }

  /**
   * Reads what the node answered.
   *
   * @throws CommandException if another version of Loam wrote it
   */
  public static EngineStatistics read(Node node, JsonNode answer) {
    try {
      ObjectNode engine = answer.deepCopy();
      engine.remove(List.of("version", "health"));
      // AsterixDB's, which the names of trees say as well.
      engine.putArray("datasets");
      return Json.read(engine.toString(), EngineStatistics.class);
    } catch (UncheckedIOException e) {
      throw CommandException.failed(
          node.id()
              + " runs another version of Loam, whose statistics only --json can show; or start"
              + " the cluster anew");
    }
  }

  private void table(List<TreeStatistics> trees) {
    rows.add(List.of("dataset", "index", "in memory", "on disk", "entries", "levels"));
    Map<TreePlace, TreeStatistics> places = new TreeMap<>(TreePlace.ORDER);
    trees.forEach(tree -> places.put(TreePlace.of(tree.name()), tree));
    Map<String, Map<TreePlace, TreeStatistics>> datasets =
        places.entrySet().stream()
            .collect(
                Collectors.groupingBy(
                    entry -> entry.getKey().isMetadata() ? "" : entry.getKey().dataset(),
                    TreeMap::new,
                    Collectors.toMap(
                        Map.Entry::getKey,
                        Map.Entry::getValue,
                        (a, b) -> a,
                        () -> new TreeMap<>(TreePlace.ORDER))));
    datasets.forEach(this::dataset);
  }

  private void dataset(String name, Map<TreePlace, TreeStatistics> indexes) {
    if (name.isEmpty()) {
      row(TreePlace.METADATA, indexes.size() + " indexes", indexes.values(), "");
      return;
    }
    if (indexes.size() > 1) {
      row(name, indexes.size() + " indexes", indexes.values(), "");
    }
    boolean divided =
        indexes.keySet().stream().mapToInt(TreePlace::partition).distinct().count() > 1;
    indexes.forEach(
        (place, tree) ->
            row(
                indexes.size() > 1 ? "" : name,
                place.index() + (divided ? " of partition " + place.partition() : ""),
                List.of(tree),
                levels(tree)));
  }

  private void row(String dataset, String index, Collection<TreeStatistics> trees, String levels) {
    rows.add(
        List.of(
            dataset,
            index,
            mebibytes(trees.stream().mapToLong(TreeStatistics::memoryBytes).sum()),
            mebibytes(sum(trees, LevelStatistics::bytes)),
            String.format(Locale.ROOT, "%,d", sum(trees, LevelStatistics::entries)),
            levels));
  }

  private static long sum(
      Collection<TreeStatistics> trees, ToLongFunction<LevelStatistics> number) {
    return trees.stream().flatMap(tree -> tree.levels().stream()).mapToLong(number).sum();
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / MIB);
  }

  /** The levels, and how they are merged if the dataset says so. */
  private static String levels(TreeStatistics tree) {
    StringJoiner levels = new StringJoiner(", ");
    for (LevelStatistics level : tree.levels()) {
      levels.add(
          "L"
              + level.level()
              + (level.groups() > 1 ? " in " + level.groups() + " groups " : " ")
              + mebibytes(level.bytes()));
    }
    MergeOptions merges = tree.merges();
    if (merges != null) {
      levels.add(
          String.format(
              Locale.ROOT,
              "size ratio %d, L0 merged from %d and full at %d",
              merges.levelRatio(),
              merges.l0MinMerge(),
              merges.l0Stop()));
    }
    return levels.toString();
  }

  private String rows() {
    int[] widths = new int[LEVELS];
    for (List<String> row : rows) {
      for (int i = 0; i < LEVELS; i++) {
        widths[i] = Math.max(widths[i], row.get(i).codePointCount(0, row.get(i).length()));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < LEVELS; i++) {
        String cell = row.get(i);
        String blanks = " ".repeat(widths[i] - cell.codePointCount(0, cell.length()));
        // Names begin at the left, numbers end at the right.
        line.append(i < 2 ? cell + blanks : blanks + cell).append("  ");
      }
      text.append(line.append(row.get(LEVELS)).toString().stripTrailing())
          .append(System.lineSeparator());
    }
    return text.toString();
  }
}
