package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.it.Documents.Page;

/** Links between pages lead somewhere, and the index of decisions has all of them. */
@Tag("once")
class DocumentsTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(#[^)\\s]*)?\\)");
  private static final Path RECORDS = Path.of("docs/adr");

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Page page : Documents.all()) {
      Matcher link = LINK.matcher(page.text());
      while (link.find()) {
        if (!link.group(1).contains("://")) {
          links++;
          if (!leadsSomewhere(page, link.group(1), link.group(2))) {
            broken.add(page.path() + ": " + link.group());
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(100);
  }

  private static boolean leadsSomewhere(Page from, String file, String anchor) {
    Path target = file.isEmpty() ? from.path() : from.path().resolveSibling(file).normalize();
    if (!Files.exists(SourceTree.root().resolve(target))) {
      return false;
    }
    return anchor == null
        || Documents.page(target)
            .lines()
            .anyMatch(line -> line.startsWith("#") && anchor.equals("#" + anchorOf(line)));
  }

  /** How GitHub names a heading. */
  private static String anchorOf(String heading) {
    String words = heading.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT);
    return words.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  @Test
  void theIndexHasEveryDecisionOnce() throws IOException {
    List<String> listed = new ArrayList<>();
    Matcher row =
        Pattern.compile("(?m)^\\| \\[(\\d+)]\\((\\d{4}-.*?\\.md)\\) \\| (.*?) \\|")
            .matcher(Documents.page(RECORDS.resolve("README.md")).text());
    while (row.find()) {
      listed.add(row.group(2) + ": " + row.group(1) + ". " + row.group(3));
    }
    assertThat(listed).isEqualTo(records());
  }

  /** File, number and title of each record. */
  private static List<String> records() throws IOException {
    try (Stream<Path> files = Files.list(SourceTree.root().resolve(RECORDS))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\d{4}-.*") && !name.startsWith("0000"))
          .sorted()
          .map(name -> name + ": " + title(name))
          .toList();
    }
  }

  private static String title(String record) {
    String heading = Documents.page(RECORDS.resolve(record)).lines().findFirst().orElseThrow();
    return heading.replaceFirst("# 0*(\\d+)[.:] ", "$1. ");
  }
}
