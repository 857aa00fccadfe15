package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.it.SourceTree.Source;

/**
 * Each class of an engine with state that threads share without a lock has a schedule test of its
 * name, or the section Schedules of RELIABILITY.md says what covers it, or why nothing has to.
 */
@Tag("once")
class SharedStateTest {
  private static final Set<String> ASIDE = Set.of("workbench", "dashboard");

  private static final Pattern SHARED =
      Pattern.compile(
          "(?m)^ +(?:private |static )*volatile "
              + "|\\bnew (?:Atomic\\w+|LongAdder|Concurrent(?:Hash|Linked|Skip)\\w+)\\b"
              + "|\\bConcurrentHashMap\\.newKeySet\\b"
              + "|\\bMem\\.(?:\\w+Volatile|\\w+Release|compareAndSet\\w+|getAndAdd\\w+)\\b");

  /** A concurrent collection that is declared as a plain one, by which no schedule sees it. */
  private static final Pattern UNSEEN =
      Pattern.compile(
          "\\b(?:Map|Set|Queue|Deque|Collection)<[^=;]*> \\w+\\s*=\\s*"
              + "(?:new Concurrent(?:Hash|Linked|Skip)\\w+|ConcurrentHashMap\\.newKeySet)\\b");

  private static final Pattern EXPLORED = Pattern.compile("\\b\\w+(?:ScheduleTest|Trial)\\b");

  private static String section() {
    String page = Documents.page(Path.of("docs/RELIABILITY.md")).text();
    String section = page.substring(page.indexOf("\n## Schedules\n") + 1);
    return section.substring(0, section.indexOf("\n## "));
  }

  private static Set<String> words(String text) {
    return Pattern.compile("\\w+")
        .matcher(text)
        .results()
        .map(word -> word.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String typeOf(Source source) {
    return source.fileName().replace(".java", "");
  }

  private static Set<String> types() {
    return SourceTree.mainAndTests().stream()
        .map(SharedStateTest::typeOf)
        .collect(Collectors.toSet());
  }

  @Test
  void whatExploresSharedStateIsKnown() {
    Set<String> types = types();
    Set<String> named = words(section());
    Set<String> unknown = new TreeSet<>();
    int shared = 0;
    for (Source source : SourceTree.main()) {
      if (ASIDE.contains(source.module()) || !SHARED.matcher(source.text()).find()) {
        continue;
      }
      shared++;
      String type = typeOf(source);
      if (!types.contains(type + "ScheduleTest") && !named.contains(type)) {
        unknown.add(source.path());
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(shared).isGreaterThan(50);
  }

  @Test
  void aConcurrentCollectionIsDeclaredAsOne() {
    assertThat(SourceTree.main())
        .filteredOn(source -> UNSEEN.matcher(source.text()).find())
        .extracting(Source::path)
        .isEmpty();
  }

  @Test
  void thePageNamesTestsThatThereAre() {
    Set<String> types = types();
    assertThat(EXPLORED.matcher(section()).results().map(test -> test.group()).distinct())
        .hasSizeGreaterThan(20)
        .allMatch(types::contains);
  }
}
