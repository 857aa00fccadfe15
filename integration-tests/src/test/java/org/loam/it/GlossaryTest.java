package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The glossary has the words that are in use, in order. That the words which it tells to avoid are
 * avoided is left to reviewers: most of them mean something else elsewhere, as a batch does.
 */
@Tag("once")
class GlossaryTest {
  private static final Path DOCS = SourceTree.root().resolve("docs");
  private static final Path GLOSSARY = DOCS.resolve("GLOSSARY.md");

  /** What stands in the first column. */
  private static List<String> rows() throws IOException {
    return Files.readAllLines(GLOSSARY).stream()
        .filter(line -> line.startsWith("| "))
        .skip(1)
        .map(line -> line.split("\\|")[1].strip())
        .toList();
  }

  @Test
  void wordsAreInOrder() throws IOException {
    assertThat(rows()).hasSizeGreaterThan(20).isSortedAccordingTo(String::compareToIgnoreCase);
  }

  @Test
  void everyWordIsUsed() throws IOException {
    String used = mainSources() + otherDocs();
    List<String> unused = new ArrayList<>();
    for (String row : rows()) {
      for (String word : row.replaceAll("\\(.*\\)", "").split(",")) {
        String text = word.strip().toLowerCase(Locale.ROOT);
        if (!used.contains(text) && !used.contains(text.replaceAll("[ -]", ""))) {
          unused.add(text);
        }
      }
    }
    assertThat(unused).as("words of " + GLOSSARY + " that nothing uses").isEmpty();
  }

  private static String mainSources() {
    return SourceTree.main().stream()
        .map(source -> prose(source.text()))
        .collect(Collectors.joining());
  }

  private static String otherDocs() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(DOCS)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".md")).toList()) {
        if (!file.equals(GLOSSARY)) {
          all.append(prose(Files.readString(file)));
        }
      }
    }
    return all.toString();
  }

  /** In small letters, with one blank where a line, of a comment perhaps, goes on in the next. */
  private static String prose(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("\\s+(\\*\\s+|//\\s+)?", " ") + "\n";
  }
}
