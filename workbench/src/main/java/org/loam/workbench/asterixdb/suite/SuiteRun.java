package org.loam.workbench.asterixdb.suite;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.suite.RunnerProcess.SilentException;
import org.loam.workbench.asterixdb.suite.SuiteSelection.Chosen;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;

/**
 * Runs cases on a storage, all on one cluster in a process of its own. A case that does not end in
 * time has failed; the cluster is given up then, and the next case has a new one. The same if the
 * process ends, or says that the case has spoiled the cluster. For one thread.
 */
public final class SuiteRun {
  private static final String MAIN = "org.loam.asterix.suite.SuiteMain";
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration CASE_LIMIT = Duration.ofMinutes(5);

  private final SuiteFiles files;
  private final List<String> command;
  private final String classPath;
  private final List<String> alternating;
  private final Duration caseLimit;

  /**
   * @param classPath with AsterixDB, its tests, Loam and the runner
   * @param settings of Loam on each node, as a line of YAML; empty for none
   * @param alternating live settings of Loam, as in {@code tuner.mode=ADAPTIVE}, of which the nodes
   *     get the next one before each case, round and round
   */
  public SuiteRun(SuiteFiles files, String classPath, String settings, List<String> alternating) {
    this(files, command(files, settings), classPath, alternating, CASE_LIMIT);
  }

  /**
   * @param command starts the runner; what it is to do follows
   */
  SuiteRun(
      SuiteFiles files,
      List<String> command,
      String classPath,
      List<String> alternating,
      Duration caseLimit) {
    this.files = files;
    this.command = command;
    this.classPath = classPath;
    this.alternating = List.copyOf(alternating);
    this.caseLimit = caseLimit;
  }

  /** As AsterixDB's build starts its tests. */
  private static List<String> command(SuiteFiles files, String settings) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-enableassertions",
        "-Xmx2g",
        "-Dfile.encoding=UTF-8",
        "-Dapp.home=" + files.directory("home"),
        "-Dloam.suite.settings=" + settings,
        MAIN);
  }

  private RunnerProcess start(String what) {
    List<String> whole = new ArrayList<>(command);
    whole.add(what);
    Path directory = files.directory(what);
    return new RunnerProcess(whole, classPath, directory, log(what));
  }

  /** All that the runner on a storage said. */
  public Path log(String storage) {
    return files.directory(storage).resolve("log.txt");
  }

  /**
   * Chooses cases.
   *
   * @param groups of the suite, or {@code all}
   * @param name what is to be found in a case's name; null for all
   * @return what can be run, and what cannot
   * @throws CommandException if nothing can be run
   */
  public SuitePlan plan(Collection<String> groups, @Nullable Pattern name)
      throws InterruptedException {
    try (RunnerProcess process = start("list")) {
      String list = process.answer(START_LIMIT).toString();
      List<SuiteCase> cases = Arrays.asList(Json.read(list, SuiteCase[].class));
      return new SuitePlan(SuiteSelection.choose(cases, groups, name, files::missing));
    } catch (SilentException e) {
      throw noRunner("list", e);
    }
  }

  /**
   * Runs the cases of a plan.
   *
   * @param storage {@code loam} or {@code stock}
   * @throws CommandException if no cluster starts
   */
  public StorageResult run(String storage, SuitePlan plan) throws InterruptedException {
    List<CaseResult> results = new ArrayList<>();
    TunerCycles tuner = TunerCycles.NONE;
    int asked = 0;
    RunnerProcess process = null;
    try (Progress progress = Progress.start("suite on " + storage, plan.runnable())) {
      for (Chosen chosen : plan.cases()) {
        SuiteCase suiteCase = chosen.suiteCase();
        if (chosen.missing().isPresent()) {
          results.add(CaseResult.notRun(suiteCase, chosen.missing().get()));
          continue;
        }
        if (process == null) {
          process = startCluster(storage);
        }
        progress.detail(suiteCase.name());
        long startNanos = System.nanoTime();
        process.ask(chosen.number() + setting(asked++));
        try {
          JsonNode answer = process.answer(caseLimit);
          tuner = tuner.plus(TunerCycles.of(answer));
          results.add(result(suiteCase, answer, seconds(startNanos)));
          if (answer.path("spoiled").asBoolean()) {
            process.close();
            process = null;
          }
        } catch (SilentException e) {
          results.add(CaseResult.failed(suiteCase, seconds(startNanos), e.reason()));
          process.close();
          process = null;
        }
        progress.step(1);
      }
    } finally {
      if (process != null) {
        process.close();
      }
    }
    return new StorageResult(storage, results, tuner);
  }

  /** What nodes get before a case, with a space before it; empty if nothing alternates. */
  private String setting(int caseIndex) {
    return alternating.isEmpty() ? "" : " " + alternating.get(caseIndex % alternating.size());
  }

  private RunnerProcess startCluster(String storage) throws InterruptedException {
    RunnerProcess process = start(storage);
    try {
      process.answer(START_LIMIT);
      return process;
    } catch (SilentException e) {
      process.close();
      throw noRunner(storage, e);
    }
  }

  private CommandException noRunner(String what, SilentException e) {
    return CommandException.failed(
        "the suite does not start: " + e.reason() + "; what it said is in " + log(what));
  }

  private static CaseResult result(SuiteCase suiteCase, JsonNode answer, double seconds) {
    String failure = answer.path("failure").asText();
    return failure.isEmpty()
        ? CaseResult.passed(
            suiteCase, seconds, answer.path("trees").asInt(), answer.path("filled").asInt())
        : CaseResult.failed(suiteCase, seconds, failure);
  }

  private static double seconds(long startNanos) {
    return Math.round((System.nanoTime() - startNanos) / 1e6) / 1e3;
  }
}
