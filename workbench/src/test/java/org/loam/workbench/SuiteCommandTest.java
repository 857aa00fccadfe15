package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * AsterixDB's own suite on Loam: a sample of the cases that load no file, while the memory tuner
 * decides each second.
 */
class SuiteCommandTest {
  private static final String GROUPS =
      "ddl,dml,index-join,index-selection,load,nested-index-dml,upsert";

  /** Cases that are quick; names that begin so. */
  private static final String CASES =
      "^(ddl/create-index/|ddl/drop-primary|dml/|index|load/|nested|upsert/)";

  /** Those of them that need no file. */
  private static final int RUN = 81;

  /** Those of them whose datasets have records; others make and drop, or are to be refused. */
  private static final int SERVED = 59;

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void casesOfAsterixDbPassOnLoam() {
    JsonNode report =
        LoamProcess.document(
            "asterixdb",
            "suite",
            "--groups",
            GROUPS,
            "--cases",
            CASES,
            "--settings",
            "{tuner: {mode: ADAPTIVE, cycleSeconds: 1}}",
            "--json");
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
  }
}
