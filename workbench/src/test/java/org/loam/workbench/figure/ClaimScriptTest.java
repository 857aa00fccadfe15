package org.loam.workbench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;

/** Claims about numbers that a script gives. */
class ClaimScriptTest {
  @TestFactory
  Stream<DynamicTest> claims() {
    return Script.tests("claims", ClaimScriptTest::interpreter);
  }

  private static Script.Interpreter interpreter() {
    Map<String, Map<String, Double>> measured = new HashMap<>();
    return command ->
        switch (command.verb()) {
          case "measured" -> {
            for (String line : command.lines()) {
              String[] words = line.split("[. =]+", 3);
              measured
                  .computeIfAbsent(words[0], series -> new HashMap<>())
                  .put(words[1], Double.parseDouble(words[2]));
            }
            yield measured.size() + " series";
          }
          case "check" -> verdicts(command.lines(), measured);
          default -> throw command.unknown();
        };
  }

  private static String verdicts(List<String> lines, Map<String, Map<String, Double>> measured) {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      text.append(text.isEmpty() ? "" : "\n");
      try {
        Check.Outcome outcome = Check.of(line).apply(measured);
        text.append(outcome.passed() ? "PASS" : "FAIL").append(", ").append(outcome.text());
      } catch (IllegalArgumentException e) {
        text.append(e.getMessage());
      }
    }
    return text.toString();
  }

  @Test
  void eachFigureHasClaims() {
    for (Figure figure : Figures.ALL) {
      assertThat(ClaimFile.ofFigure(figure.id()).claims()).as(figure.id()).isNotEmpty();
    }
  }

  /** Such as one that compares a number with itself, or that no number can contradict. */
  @Test
  void eachClaimCanHoldAndCanFail() {
    for (Figure figure : Figures.ALL) {
      for (ClaimFile.Claim claim : ClaimFile.ofFigure(figure.id()).claims()) {
        Check check = Check.of(claim.check());
        assertThat(List.of(isPassed(check, 1, 1_000_000), isPassed(check, 1_000_000, 1)))
            .as(figure.id() + ": " + check.text())
            .containsExactlyInAnyOrder(true, false);
        assertThat(check.apply(Map.of()).passed()).as("not measured").isFalse();
      }
    }
  }

  private static boolean isPassed(Check check, double left, double right) {
    Map<String, Map<String, Double>> measured = new HashMap<>();
    put(measured, check.left(), left);
    put(measured, check.right(), right);
    return check.apply(measured).passed();
  }

  private static void put(
      Map<String, Map<String, Double>> measured, Check.Term term, double value) {
    measured.computeIfAbsent(term.series(), series -> new HashMap<>()).put(term.number(), value);
  }

  @Test
  void noFigureHasAClaimTwice() {
    for (Figure figure : Figures.ALL) {
      assertThat(ClaimFile.ofFigure(figure.id()).claims())
          .as(figure.id())
          .extracting(ClaimFile.Claim::check)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aClaimFileWithAnAbsoluteNumberIsRefused() {
    assertThatThrownBy(
            () ->
                ClaimFile.parse(
                    "{title: t, paper: p, compared: c, leftOut: [],"
                        + " claims: [{text: fast, check: greedy.writeP99Micros < 1000}]}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("greedy.writeP99Micros < 1000");
  }
}
