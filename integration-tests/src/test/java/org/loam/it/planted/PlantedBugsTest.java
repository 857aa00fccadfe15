package org.loam.it.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.it.SourceTree;

/**
 * The tests of this module are sensitive: bugs planted into the engine are caught within a bounded
 * number of seeds. Such seeds find nothing in the engine as it is; that is what the suites
 * themselves test. {@code -Dloam.planted=TEXT} hunts only the bugs whose names contain a text.
 */
@Tag("once")
class PlantedBugsTest {
  /** A bug in the table of the page: its name, the suite, and whether each build catches it. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+) \\| (.+) \\| (yes|no) \\|$");

  @Test
  void aBugThatShowsSoonIsCaught() throws Exception {
    catchAll(bug -> !bug.isRare());
  }

  /** Where a hunt begins with a seed that no suite may have run in the engine as it is. */
  @Test
  void theFirstSeedOfAHuntFindsNothingInTheEngineAsItIs() {
    BuggyLoam healthy = BuggyLoam.healthy();
    for (PlantedBug bug : PlantedBugs.all()) {
      if (bug.firstSeed() > 0) {
        LongConsumer trial = healthy.newTrial(bug.suite());
        assertThatCode(() -> trial.accept(bug.firstSeed()))
            .as(bug.name())
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void thePageOnReliabilityListsEachBug() throws IOException {
    Map<String, String> planted = new TreeMap<>();
    for (PlantedBug bug : PlantedBugs.all()) {
      planted.put(bug.name(), bug.suite().title + (bug.isRare() ? "" : ", in every build"));
    }
    String page = Files.readString(SourceTree.root().resolve("docs/RELIABILITY.md"));
    Map<String, String> listed = new TreeMap<>();
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      listed.put(
          row.group(1), row.group(2) + (row.group(3).equals("no") ? "" : ", in every build"));
    }
    assertThat(listed).isEqualTo(planted);
    long soon = PlantedBugs.all().stream().filter(bug -> !bug.isRare()).count();
    assertThat(page).contains("| " + soon + " of " + planted.size() + ", the others with");
  }

  /** A change of the engine shows at once that a bug has to be planted anew. */
  @Test
  void aRareBugCanBePlanted() {
    for (PlantedBug bug : PlantedBugs.all()) {
      if (bug.isRare()) {
        assertThatCode(() -> BuggyLoam.with(bug)).as(bug.name()).doesNotThrowAnyException();
      }
    }
  }

  @Test
  @Tag("soak")
  void aRareBugIsCaught() throws Exception {
    catchAll(PlantedBug::isRare);
  }

  private static void catchAll(Predicate<PlantedBug> which) throws Exception {
    String wanted = System.getProperty("loam.planted", "");
    List<PlantedBug> bugs =
        PlantedBugs.all().stream()
            .filter(which)
            .filter(bug -> bug.name().contains(wanted))
            .toList();
    List<Hunt> hunts = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Hunt>> running = new ArrayList<>();
      for (PlantedBug bug : bugs) {
        running.add(threads.submit(() -> Hunt.of(bug)));
      }
      System.out.println("| planted bug | caught by | seeds | how it showed |\n|---|---|---|---|");
      for (Future<Hunt> future : running) {
        Hunt hunt = future.get();
        hunts.add(hunt);
        System.out.println(row(hunt));
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(hunts).allMatch(Hunt::isCaught);
    if (wanted.isEmpty()) {
      assertThat(hunts).hasSizeGreaterThan(12);
    }
  }

  private static String row(Hunt hunt) {
    return String.format(
        "| %s | %s | %s | %s |",
        hunt.bug().name(),
        hunt.bug().suite().title,
        hunt.isCaught() ? hunt.seeds() : "not caught in " + hunt.seeds(),
        hunt.symptom());
  }
}
