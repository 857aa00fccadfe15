package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.it.SourceTree.Source;

/**
 * How many files a reader has to hold at once: the largest cycle of files in each module, and what
 * is behind the files at which reading begins. {@link FileGraph} says what counts. The numbers only
 * go down: a change that makes one smaller lowers it here.
 */
@Tag("once")
class FileCycleTest {
  /** Files in the largest cycle of a module, where that has one. */
  private static final Map<String, Integer> LARGEST_CYCLES =
      Map.of(
          "asterix-plugin", 4,
          "lsm-btree", 7,
          "lsm-scheduler", 2,
          "storage-common", 5,
          "storage-engine", 3,
          "txn-log", 2,
          "workbench", 2);

  private static final Map<String, Integer> CLOSURES =
      Map.of(
          "org.loam.engine.commit.Committer", 125,
          "org.loam.lsm.LsmTree", 97,
          "org.loam.lsm.memory.MemoryComponent", 36,
          "org.loam.lsm.disk.SSTable", 44);

  private static final FileGraph ALL = FileGraph.of(SourceTree.main());

  static Stream<String> modules() {
    return byModule().keySet().stream();
  }

  static Stream<String> closures() {
    return CLOSURES.keySet().stream().sorted();
  }

  private static Map<String, List<Source>> byModule() {
    return SourceTree.main().stream()
        .collect(Collectors.groupingBy(Source::module, TreeMap::new, Collectors.toList()));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void cyclesOfFilesOnlyShrink(String module) {
    Set<String> cycle =
        FileGraph.withoutPermits(byModule().getOrDefault(module, List.of())).largestCycle();
    int ceiling = LARGEST_CYCLES.getOrDefault(module, 0);
    check("largest cycle of files in " + module, cycle, ceiling);
  }

  @ParameterizedTest
  @MethodSource("closures")
  void whatIsBehindAFileOnlyShrinks(String file) {
    check("number of files behind " + file, ALL.closure(file), CLOSURES.getOrDefault(file, 0));
  }

  private static void check(String what, Set<String> files, int ceiling) {
    assertThat(files.size())
        .withFailMessage(
            () ->
                files.size() < ceiling
                    ? what + " is " + files.size() + " now: lower the ceiling of " + ceiling
                    : what + " is above " + ceiling + ", cut one of the new edges: " + files)
        .isEqualTo(ceiling);
  }

  // ---- The graph itself.

  private static Source source(String type, String text) {
    String path = "m/src/main/java/" + type.replace('.', '/') + ".java";
    return new Source(path, "package " + type.substring(0, type.lastIndexOf('.')) + ";\n" + text);
  }

  @Test
  void importsAndNamesOfThePackageAreEdges() {
    List<Source> sources = new ArrayList<>();
    sources.add(source("org.loam.a.One", "import org.loam.b.Two.Part;\nclass One { Part p; }"));
    sources.add(source("org.loam.b.Two", "class Two { Three next; record Part() {} }"));
    sources.add(source("org.loam.b.Three", "class Three { org.loam.a.One first; }"));
    FileGraph graph = FileGraph.of(sources);
    assertThat(graph.closure("org.loam.a.One")).hasSize(3);
    assertThat(graph.largestCycle()).hasSize(3);
  }

  @Test
  void commentsLiteralsAndHiddenNamesAreNone() {
    List<Source> sources = new ArrayList<>();
    sources.add(source("org.loam.a.One", "/** {@link Two} */ class One { Object o = \"Two\"; }"));
    sources.add(source("org.loam.a.Two", "class Two { record One() {} }"));
    assertThat(FileGraph.of(sources).closure("org.loam.a.One")).hasSize(1);
    assertThat(FileGraph.of(sources).closure("org.loam.a.Two")).hasSize(1);
    assertThat(FileGraph.of(sources).largestCycle()).isEmpty();
  }

  @Test
  void aSealedTypeMayNameItsCases() {
    List<Source> sources = new ArrayList<>();
    sources.add(source("org.loam.a.Any", "sealed class Any permits Some {}"));
    sources.add(source("org.loam.a.Some", "final class Some extends Any {}"));
    assertThat(FileGraph.of(sources).largestCycle()).hasSize(2);
    assertThat(FileGraph.withoutPermits(sources).largestCycle()).isEmpty();
  }
}
