package org.loam.asterix.suite;

import java.io.File;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.asterix.app.external.ExternalUDFLibrarian;
import org.apache.asterix.test.common.TestExecutor;
import org.apache.asterix.test.runtime.ExecutionTestUtil;
import org.apache.asterix.test.runtime.LangExecutionUtil;
import org.apache.asterix.testframework.context.TestCaseContext;
import org.apache.asterix.testframework.context.TestFileContext;
import org.apache.asterix.testframework.xml.TestCase.CompilationUnit;
import org.apache.commons.lang3.mutable.MutableInt;
import org.jspecify.annotations.Nullable;

/** AsterixDB's executor of cases; after each step it is noted which storage keeps the indexes. */
final class WatchedExecutor extends TestExecutor {
  private final boolean onLoam;
  private ServedIndexes served;

  /**
   * @param onLoam whether the cluster is to have its indexes in Loam
   */
  WatchedExecutor(InetSocketAddress queryService, boolean onLoam) {
    super(queryService);
    this.onLoam = onLoam;
    this.served = new ServedIndexes(onLoam);
    setLibrarian(new ExternalUDFLibrarian());
  }

  /**
   * Runs a case.
   *
   * @throws Exception or an error if it fails
   */
  ServedIndexes run(TestCaseContext testCase) throws Exception {
    served = new ServedIndexes(onLoam);
    LangExecutionUtil.test(this, testCase);
    return served;
  }

  /**
   * Removes what a case that failed has left; after one that passes AsterixDB does it.
   *
   * @throws Exception if something stays
   */
  void cleanUp(TestCaseContext testCase) throws Exception {
    File none = new File("stop.1.server.sqlpp");
    TestFileContext stop = new TestFileContext(none);
    stop.setType("server");
    super.executeTestFile(
        testCase,
        stop,
        Map.of(),
        "stop all",
        false,
        null,
        testCase.getTestCase().getCompilationUnit().get(0),
        new MutableInt(0),
        List.of(),
        none,
        "");
    cleanup(testCase.toString(), new ArrayList<>());
  }

  @Override
  public void executeTestFile(
      TestCaseContext testCase,
      TestFileContext file,
      Map<String, Object> variables,
      String statement,
      boolean isDmlRecoveryTest,
      @Nullable ProcessBuilder builder,
      CompilationUnit unit,
      MutableInt queryCount,
      List<TestFileContext> expected,
      File testFile,
      String actualPath)
      throws Exception {
    try {
      super.executeTestFile(
          testCase,
          file,
          variables,
          statement,
          isDmlRecoveryTest,
          builder,
          unit,
          queryCount,
          expected,
          testFile,
          actualPath);
    } finally {
      // Also after a step that is to fail: it may have made indexes before.
      served.look(ExecutionTestUtil.integrationUtil.ncs);
    }
  }
}
