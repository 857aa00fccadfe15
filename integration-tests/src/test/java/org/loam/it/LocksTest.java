package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.DeclaredLocks;
import org.loam.common.sim.DeclaredLocks.Lock;
import org.loam.it.SourceTree.Source;

/**
 * The section Locks of ARCHITECTURE.md, the table that the simulation checks, and the monitors of
 * the sources are the same.
 */
@Tag("once")
class LocksTest {
  private static final Pattern ROW = Pattern.compile("\\| (.+?) \\| (.+?) \\| (.+?) \\| (.+?) \\|");

  /** A monitor's name, up to what is different for each of its kind. */
  private static final Pattern NAME =
      Pattern.compile(
          "new(?:Monitor\\(|\\s+Turns\\([^\"]*?,|\\s+WokenThread\\([^\"]*\"[^\"]*\",)\\s*"
              + "\"([^\"']*?)\\s*['\"]");

  @Test
  void thePageAndTheCheckedTableAgree() {
    assertThat(declaredOnThePage()).isEqualTo(DeclaredLocks.all());
  }

  private static List<Lock> declaredOnThePage() {
    String page = Documents.page(Path.of("docs/ARCHITECTURE.md")).text();
    String section = page.substring(page.indexOf("\n## Locks\n") + 1);
    section = section.substring(0, section.indexOf("\n## "));
    List<Lock> locks = new ArrayList<>();
    Matcher row = ROW.matcher(section);
    while (row.find()) {
      if (!row.group(1).equals("Lock")) {
        locks.add(new Lock(row.group(1), kinds(row.group(3)), kinds(row.group(4))));
      }
    }
    return locks;
  }

  private static Set<String> kinds(String cell) {
    return cell.equals("-") ? Set.of() : Set.of(cell.split(", "));
  }

  /** A lock stands below all that may be held around it, so the order has no cycle. */
  @Test
  void whatMayBeHeldStandsAbove() {
    Set<String> above = new LinkedHashSet<>();
    for (Lock lock : DeclaredLocks.all()) {
      above.add(lock.kind());
      above.add(DeclaredLocks.NOT + lock.kind());
      assertThat(above).as(lock.kind()).containsAll(lock.inside());
      assertThat(above).as(lock.kind()).containsAll(lock.awaitedInside());
    }
  }

  @Test
  void everyMonitorIsDeclared() {
    Set<String> names = new TreeSet<>();
    for (Source source : SourceTree.main()) {
      Matcher name = NAME.matcher(source.text());
      while (name.find()) {
        names.add(name.group(1));
      }
    }
    Set<String> kinds = new TreeSet<>();
    DeclaredLocks.all().forEach(lock -> kinds.add(lock.kind()));
    assertThat(names).isEqualTo(kinds);
  }

  /** Classes with a monitor and no field that an annotation could tie to it. */
  private static final Set<String> WITHOUT_GUARDED_FIELDS =
      Set.of(
          "KeyLocks", // guards records on disk and in memory
          "LargeBatches", // guards the bytes of its buffer, from borrow to giveBack
          "CommitLatch", // guards what lies in other classes
          "WriteMemory", // only waits and wakes
          "SpaceGuard", // guards a volatile field that is read without it
          "GuardedTasks", // guards a volatile field that is read without it
          "TreeCatalog", // its changes come as actions, in which the compiler sees no lock
          "DatasetState", // makes changes of datasets follow each other
          "NodeTrees", // makes the one of CleanTree
          "CleanTree"); // guards volatile fields that are read without it

  @Test
  void aClassWithAMonitorSaysWhatItGuards() {
    Set<String> silent = new TreeSet<>();
    for (Source source : SourceTree.main()) {
      boolean hasMonitor =
          Pattern.compile("(?m)^ +(?:private |static )*final (?:\\w+<@Nullable )?Monitor>? \\w+")
              .matcher(source.text())
              .find();
      if (hasMonitor && !source.text().contains("@GuardedBy(")) {
        silent.add(source.fileName().replace(".java", ""));
      }
    }
    assertThat(silent).isEqualTo(new TreeSet<>(WITHOUT_GUARDED_FIELDS));
  }
}
