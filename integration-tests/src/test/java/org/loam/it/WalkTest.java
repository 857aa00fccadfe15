package org.loam.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.it.Documents.Page;
import org.loam.it.SourceTree.Source;

/**
 * The page on the architecture can be followed with a finger: each step of its walk is one line,
 * names its module, and each class and method that the page names exists.
 */
@Tag("once")
class WalkTest {
  private static final Page PAGE = Documents.page(Path.of("docs/ARCHITECTURE.md"));

  private static final Pattern STEP = Pattern.compile("(\\d+)\\. ([a-z-]+): (.*[.])");

  /** A class, with a method perhaps; words in capitals are values. */
  private static final Pattern NAME =
      Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\\.([a-z]\\w*))?`");

  private static final Map<String, List<Source>> DECLARATIONS = allDeclarations();

  @Test
  void thereIsAWalkOfEachOperation() {
    assertThat(walks().keySet())
        .containsExactly("A put", "A get", "A row of a scan", "A flush", "A merge");
  }

  @Test
  void eachStepIsOneLineOfAModuleAndItsClasses() {
    walks()
        .forEach(
            (walk, steps) -> {
              assertThat(steps).as(walk).hasSizeGreaterThan(5);
              for (int i = 0; i < steps.size(); i++) {
                requireStep(walk, i + 1, steps.get(i));
              }
            });
  }

  private static void requireStep(String walk, int number, String line) {
    Matcher step = STEP.matcher(line);
    assertThat(step.matches()).as(walk + ": " + line).isTrue();
    assertThat(step.group(1)).as(walk + ": " + line).isEqualTo(Integer.toString(number));
    assertThat(line).hasSizeLessThanOrEqualTo(100);
    Matcher name = NAME.matcher(step.group(3));
    assertThat(name.find()).as("a class in: " + line).isTrue();
    assertThat(declarations(name.group(1)))
        .as("where the first class of this step is: " + line)
        .anyMatch(source -> source.path().startsWith(step.group(2) + "/"));
  }

  @Test
  void everyNameOfThePageExists() {
    List<String> unknown = new ArrayList<>();
    Matcher name = NAME.matcher(PAGE.text());
    int names = 0;
    while (name.find()) {
      names++;
      if (!exists(name.group(1), name.group(2))) {
        unknown.add(name.group());
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(names).isGreaterThan(50);
  }

  private static boolean exists(String type, String method) {
    return declarations(type).stream()
        .anyMatch(source -> method == null || source.text().contains(" " + method + "("));
  }

  private static List<Source> declarations(String type) {
    return DECLARATIONS.getOrDefault(type, List.of());
  }

  /** The sources that declare a type, at the top or within another, by its name. */
  private static Map<String, List<Source>> allDeclarations() {
    Pattern declaration = Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");
    Map<String, List<Source>> declarations = new HashMap<>();
    for (Source source : SourceTree.main()) {
      Matcher type = declaration.matcher(source.text());
      while (type.find()) {
        declarations.computeIfAbsent(type.group(1), name -> new ArrayList<>()).add(source);
      }
    }
    return declarations;
  }

  /** The steps by the heading above them. */
  private static Map<String, List<String>> walks() {
    Map<String, List<String>> walks = new LinkedHashMap<>();
    List<String> steps = null;
    for (String line : PAGE.lines().toList()) {
      if (line.startsWith("#")) {
        steps = null;
        if (line.startsWith("### ")) {
          steps = new ArrayList<>();
          walks.put(line.substring("### ".length()), steps);
        }
      } else if (steps != null && !line.isBlank()) {
        steps.add(line);
      }
    }
    return walks;
  }
}
