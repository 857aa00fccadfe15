package org.loam.asterix.suite;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.asterix.external.util.ExternalDataConstants;
import org.apache.asterix.external.util.IdentitiyResolverFactory;
import org.apache.asterix.test.runtime.ExecutionTestUtil;
import org.apache.asterix.test.runtime.LangExecutionUtil;
import org.apache.asterix.testframework.context.TestCaseContext;
import org.apache.asterix.testframework.xml.TestCase.CompilationUnit;
import org.apache.hyracks.api.util.ExceptionUtils;
import org.apache.hyracks.util.ThreadDumpUtil;

/**
 * Runs cases of AsterixDB's own suite that its parent names, one after the other, on one cluster.
 * Its working directory has the suite's files as a checkout of AsterixDB has them. Everything that
 * is said goes through the standard streams, a line of JSON each:
 *
 * <ol>
 *   <li>Asked for {@code list}, it says which cases there are, and ends.
 *   <li>Else the cluster is started: {@code {"ready":true}}.
 *   <li>The parent sends the number of a case, counted from 0, and perhaps a live setting that
 *       Loam's nodes get before, as in {@code 7 tuner.mode=ADAPTIVE}. It says how the case ended,
 *       whether the case has spoiled the cluster for others, and what memory tuners have done since
 *       the case before; and so on.
 *   <li>When its input ends it stops the cluster and ends. If a case runs then, its result is not
 *       wanted any more: it shows what all threads do, and ends at once.
 * </ol>
 */
public final class SuiteMain {
  private static final String SUITE = "testsuite_sqlpp.xml";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String END = "";
  private static final int GIVEN_UP = 4;

  private final PrintStream answers;
  private final LinkedBlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private volatile boolean busy;

  private SuiteMain(PrintStream answers) {
    this.answers = answers;
  }

  /**
   * @param arguments {@code list}, or the storage: {@code loam} or {@code stock}
   */
  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    // AsterixDB and its tests talk much.
    System.setOut(System.err);
    SuiteMain main = new SuiteMain(answers);
    switch (arguments[0]) {
      case "list" -> main.say(describe(cases()));
      case "loam" -> main.run(true);
      case "stock" -> main.run(false);
      default -> throw new IllegalArgumentException("storage = " + arguments[0]);
    }
    // Threads of AsterixDB's would keep the process.
    System.exit(0);
  }

  private static List<TestCaseContext> cases() throws Exception {
    List<TestCaseContext> cases = new ArrayList<>();
    for (Object[] arguments : LangExecutionUtil.tests(SUITE, SUITE)) {
      cases.add((TestCaseContext) arguments[0]);
    }
    return cases;
  }

  private void run(boolean onLoam) throws Exception {
    List<TestCaseContext> cases = cases();
    Thread reader = new Thread(this::readRequests, "requests");
    reader.setDaemon(true);
    reader.start();
    busy = true;
    SuiteCluster cluster = new SuiteCluster(onLoam, SuiteConfiguration.onFreePorts());
    WatchedExecutor executor = new WatchedExecutor(cluster.queryService(), onLoam);
    executor.setNcEndPoints(cluster.nodes());
    ExecutionTestUtil.integrationUtil = cluster;
    // As AsterixDB's tests have it: hosts in paths of files are names of nodes.
    System.setProperty(
        ExternalDataConstants.NODE_RESOLVER_FACTORY_PROPERTY,
        IdentitiyResolverFactory.class.getName());
    LangExecutionUtil.setUp(cluster.writeConfiguration().toString(), executor);
    TunerCycles cycles = new TunerCycles();
    busy = false;
    say(JSON.createObjectNode().put("ready", true));
    for (String request = requests.take(); !request.equals(END); request = requests.take()) {
      busy = true;
      String[] parts = request.split(" ", 2);
      String setting = parts.length == 1 ? "" : parts[1];
      ObjectNode answer = answer(cluster, executor, setting, cases.get(Integer.parseInt(parts[0])));
      if (onLoam) {
        TunerCycles.Counts ended = cycles.look(cluster.ncs);
        answer
            .put("cycles", ended.cycles())
            .put("moved", ended.moved())
            .put("decided", ended.decided());
      }
      busy = false;
      say(answer);
    }
    cluster.deinit(true);
  }

  private void say(Object answer) {
    answers.println(answer);
    answers.flush();
  }

  private static ArrayNode describe(List<TestCaseContext> cases) {
    ArrayNode all = JSON.createArrayNode();
    for (TestCaseContext context : cases) {
      String path = context.getTestCase().getFilePath();
      ObjectNode one = all.addObject();
      one.put("group", context.getTestGroups()[0].getName());
      List<String> units = new ArrayList<>();
      ArrayNode directories = one.putArray("directories");
      for (CompilationUnit unit : context.getTestCase().getCompilationUnit()) {
        units.add(unit.getName());
        File queries = new File(context.getTsRoot(), context.getTestSuite().getQueryOffsetPath());
        directories.add(new File(new File(queries, path), unit.getName()).getPath());
      }
      one.put("name", path + "/" + String.join("+", units));
    }
    return all;
  }

  private static ObjectNode answer(
      SuiteCluster cluster, WatchedExecutor executor, String setting, TestCaseContext context) {
    ObjectNode answer = JSON.createObjectNode();
    try {
      cluster.configure(setting);
      ServedIndexes served = executor.run(context);
      answer.put("failure", failure(served));
      answer.put("trees", served.trees()).put("filled", served.filled());
    } catch (Throwable t) {
      t.printStackTrace();
      answer.put("failure", explain(t)).put("spoiled", !isCleanAfter(executor, context));
    }
    return answer;
  }

  private static boolean isCleanAfter(WatchedExecutor executor, TestCaseContext context) {
    try {
      executor.cleanUp(context);
      return true;
    } catch (Exception e) {
      e.printStackTrace();
      return false;
    }
  }

  /** The step that failed, and why. */
  private static String explain(Throwable failure) {
    Throwable root = ExceptionUtils.getRootCause(failure);
    return root == failure ? failure.toString() : failure.getMessage() + " " + root;
  }

  /** Empty if all is well. */
  private static String failure(ServedIndexes served) {
    return served.missed().isEmpty() ? "" : "indexes are not in Loam: " + served.missed();
  }

  private void readRequests() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        requests.add(line);
      }
    } catch (IOException e) {
      // As good as the end.
    }
    if (busy) {
      giveUp();
    }
    requests.add(END);
  }

  private static void giveUp() {
    System.err.println(ThreadDumpUtil.takeDumpString());
    Runtime.getRuntime().halt(GIVEN_UP);
  }
}
