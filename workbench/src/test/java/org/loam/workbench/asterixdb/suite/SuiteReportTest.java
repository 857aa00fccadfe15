package org.loam.workbench.asterixdb.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.Json;

/** What is said of results, and when all is well. */
class SuiteReportTest {
  /** A letter for each case: passed, failed, not run. The first two are in another group. */
  private static StorageResult result(String storage, String outcomes) {
    List<CaseResult> cases = new ArrayList<>();
    for (int i = 0; i < outcomes.length(); i++) {
      SuiteCase suiteCase = new SuiteCase(i < 2 ? "ddl" : "dml", "case-" + i, List.of());
      cases.add(
          switch (outcomes.charAt(i)) {
            case 'p' -> CaseResult.passed(suiteCase, 0.5, storage.equals("loam") ? 4 : 0, i % 2);
            case 'f' -> CaseResult.failed(suiteCase, 1, "it was\n  wrong");
            default -> CaseResult.notRun(suiteCase, "needs data/a.adm");
          });
    }
    TunerCycles tuner = storage.equals("loam") ? new TunerCycles(30, 5, 2) : TunerCycles.NONE;
    return new StorageResult(storage, cases, tuner);
  }

  private static SuiteReport report(StorageResult... results) {
    return new SuiteReport("1.2", List.of(results));
  }

  @Test
  void ofOneStorageNoneMayFail() {
    assertThat(report(result("loam", "ppp")).isPassed()).isTrue();
    assertThat(report(result("loam", "pn")).isPassed()).isTrue();
    assertThat(report(result("stock", "ppf")).isPassed()).isFalse();
  }

  @Test
  void ofTwoTheSecondMustPassWhatTheFirstOnePasses() {
    assertThat(report(result("stock", "ppfn"), result("loam", "ppfn")).isPassed()).isTrue();
    assertThat(report(result("stock", "ppfn"), result("loam", "pppn")).isPassed()).isTrue();
    assertThat(report(result("stock", "ppfn"), result("loam", "pffn")).isPassed()).isFalse();
    assertThat(report(result("stock", "ppfn"), result("loam", "pfpn")).isPassed()).isFalse();
  }

  @Test
  void theTextHasATableAndEveryCaseThatDidNotPass() {
    assertThat(report(result("stock", "ppfnp"), result("loam", "pfpnp")).text())
        .isEqualToNormalizingNewlines(
            """
            AsterixDB 1.2               stock                         loam
            group                      passed    failed   not run   passed    failed   not run
            ddl                             2         0         0        1         1         0
            dml                             1         1         1        2         0         1
            all                             3         1         1        3         1         1

            0 cases on loam had datasets with entries in Loam, 12 trees
            30 cycles of the memory tuner ended on loam; memory moved within 5 of them, and 2 ended with the decision to move it

            not run:
              case-3: needs data/a.adm

            failed on stock:
              case-2: it was wrong

            failed on loam:
              case-1: it was wrong

            the storages differ:
              case-1: passed on stock failed on loam
              case-2: failed on stock passed on loam
            """);
    assertThat(report(result("stock", "pp"), result("loam", "pp")).text())
        .contains("1 cases on loam had datasets with entries in Loam, 8 trees")
        .endsWith("the storages do not differ" + System.lineSeparator());
    assertThat(report(result("stock", "pp")).text()).doesNotContain("Loam", "differ", "tuner");
  }

  @Test
  void theDocumentHasEveryCase() {
    String json = Json.line(report(result("stock", "pn"), result("loam", "fn")));
    assertThat(json)
        .contains("\"passed\":false")
        .contains("\"differing\":[\"case-0: passed on stock failed on loam\"]")
        .contains("\"group\":\"ddl\",\"name\":\"case-1\",\"outcome\":\"NOT_RUN\"")
        .contains("\"reason\":\"it was\\n  wrong\"")
        .contains("\"tuner\":{\"cycles\":30,\"moved\":5,\"decided\":2}");
  }
}
