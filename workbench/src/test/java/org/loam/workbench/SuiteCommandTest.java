package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * AsterixDB's own suite on Loam: a sample of the cases that load no file, while memory moves. The
 * disk moves so little for them that the tuner, which decides each second, keeps the split. So it
 * only observes in some cases, in which memory is told where to go, there and back.
 */
class SuiteCommandTest {
  private static final String GROUPS =
      "ddl,dml,index-join,index-selection,load,nested-index-dml,upsert";

  /** Cases that are quick; names that begin so. */
  private static final String CASES =
      "^(ddl/create-index/|ddl/drop-primary|dml/|index|load/|nested|upsert/)";

  /** What the nodes get before one case after the other; most take less than a cycle. */
  private static final List<String> ALTERNATING =
      List.of(
          "tuner.mode=OBSERVE",
          "write.targetBytes=160MiB",
          "write.targetBytes=160MiB",
          "write.targetBytes=160MiB",
          "write.targetBytes=8MiB",
          "write.targetBytes=8MiB",
          "write.targetBytes=8MiB",
          "write.targetBytes=0",
          "tuner.mode=ADAPTIVE");

  /** Those of them that need no file. */
  private static final int RUN = 81;

  /** Those of them whose datasets have records; others make and drop, or are to be refused. */
  private static final int SERVED = 59;

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void casesOfAsterixDbPassOnLoam() {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("asterixdb", "suite", "--groups", GROUPS, "--cases", CASES));
    arguments.addAll(List.of("--settings", "{tuner: {mode: ADAPTIVE, cycleSeconds: 1}}"));
    ALTERNATING.forEach(setting -> arguments.addAll(List.of("--alternate", setting)));
    arguments.add("--json");
    JsonNode report = LoamProcess.document(arguments.toArray(String[]::new));
    assertThat(report.path("passed").booleanValue()).isTrue();
    List<String> passed = new ArrayList<>();
    int served = 0;
    for (JsonNode one : report.path("storages").path(0).path("cases")) {
      String outcome = one.path("outcome").textValue();
      assertThat(outcome).as(one.toString()).isIn("PASSED", "NOT_RUN");
      if (outcome.equals("PASSED")) {
        passed.add(one.path("name").textValue());
        served += one.path("filled").intValue() > 0 ? 1 : 0;
      }
    }
    assertThat(passed).hasSize(RUN);
    assertThat(served).as("cases whose records were in Loam").isEqualTo(SERVED);
    JsonNode tuner = report.path("storages").path(0).path("tuner");
    assertThat(tuner.path("cycles").intValue()).as(tuner.toString()).isPositive();
    assertThat(tuner.path("moved").intValue()).as(tuner.toString()).isPositive();
  }
}
