package org.loam.workbench.asterixdb.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.ExitHook;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.console.WorkOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam asterixdb differential}: random statements on two storages. */
@Command(
    name = "differential",
    description = {
      "Runs the same random SQL++ statements on two clusters of its own, one on AsterixDB's"
          + " stock storage and one on Loam, and compares all answers exactly: rows as text, in"
          + " any order where SQL++ leaves the order open, and errors by their code. The"
          + " statements make and drop datasets with all types of primary keys and indexes of"
          + " all kinds, change and load records, and query them. Nodes are stopped or killed"
          + " between statements.",
      "",
      "The seed decides all statements. At the first difference the command prints both"
          + " answers and a command that repeats the run, leaves out as many statements as it"
          + " can, and writes the others to a file that --script runs. The exit code is 0 only"
          + " if all answers were the same."
    },
    footer = {
      "  loam asterixdb differential --seed 7 --statements 1000",
      "  loam asterixdb differential --minutes 60 --restarts 2 --kills 2",
      "  loam asterixdb differential --script difference-42.sqlpp"
    })
public final class DifferentialCommand implements Callable<Integer> {
  private static final long NEEDED_BYTES = 4L << 30;
  private static final int SHRINK_MINUTES = 10;

  /** Which storages to compare. */
  enum Storages {
    /** AsterixDB's with Loam. */
    BOTH(Storage.STOCK, Storage.LOAM),
    /** AsterixDB's with itself: differences are AsterixDB's own. */
    STOCK(Storage.STOCK, Storage.STOCK),
    /** Loam with itself. */
    LOAM(Storage.LOAM, Storage.LOAM);

    private final Storage first;
    private final Storage second;

    Storages(Storage first, Storage second) {
      this.first = first;
      this.second = second;
    }
  }

  @Mixin private WorkOptions options = new WorkOptions();

  @Option(
      names = "--statements",
      paramLabel = "<n>",
      defaultValue = "300",
      description = "Statements of a seed. Default: ${DEFAULT-VALUE}.")
  private int statements;

  @Option(
      names = "--restarts",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "How often in a seed all nodes are stopped and started. Default: 1.")
  private int restarts;

  @Option(
      names = "--kills",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "How often in a seed a node is killed and started. Default: 1.")
  private int kills;

  @Option(
      names = "--minutes",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Go on with the next seeds until so many minutes are over. Default: one seed.")
  private int minutes;

  @Option(
      names = "--storage",
      paramLabel = "<kind>",
      defaultValue = "BOTH",
      description =
          "Storages to compare: both; or stock or loam, which is compared with itself."
              + " Default: both.")
  private Storages storages = Storages.BOTH;

  @Option(
      names = "--nodes",
      paramLabel = "<n>",
      defaultValue = "1",
      description =
          "Node controllers of each cluster: 1 or 2. Each dataset has two partitions in"
              + " both cases. Default: 1.")
  private int nodes;

  @Option(
      names = "--log",
      paramLabel = "<file>",
      description = "Write each statement with its answer to this file.")
  private @Nullable Path log;

  @Option(
      names = "--script",
      paramLabel = "<file>",
      description = "Run the statements of this file instead of those of a seed.")
  private @Nullable Path script;

  @Option(
      names = "--keep",
      description = "Keep the clusters' files at the end, and print where they are.")
  private boolean keep;

  @Override
  public Integer call() throws InterruptedException {
    options.requireAtLeast("--statements", statements, 1);
    options.requireAtLeast("--restarts", restarts, 0);
    options.requireAtLeast("--kills", kills, 0);
    options.requireAtLeast("--minutes", minutes, 0);
    options.requireIn("--nodes", nodes, 1, 2);
    List<Statement> given = given();
    try (WorkDirectory work = options.workDirectory("asterixdb-differential", keep)) {
      work.requireFreeBytes(NEEDED_BYTES);
      boolean clean = false;
      try (ClusterPair clusters =
              ClusterPair.start(work.path(), nodes, storages.first, storages.second);
          ExitHook unused = new ExitHook("end clusters", clusters::close)) {
        DifferentialReport report =
            run(clusters, new LoadFiles(work.path().resolve("load")), given);
        options.print(report, report::text);
        clean = report.isClean();
        return clean ? ExitCode.OK : ExitCode.FAILED;
      } finally {
        if (keep || !clean) {
          work.keep();
          Progress.say("the clusters' files are in " + work.path());
        }
      }
    }
  }

  private List<Statement> given() {
    Path file = script;
    if (file == null) {
      return List.of();
    }
    try {
      return StatementScript.read(Files.readAllLines(file));
    } catch (IOException e) {
      throw CommandException.environment("cannot read the script " + file + ": " + e, e);
    }
  }

  private DifferentialReport run(ClusterPair clusters, LoadFiles files, List<Statement> given)
      throws InterruptedException {
    ClusterTarget first = clusters.target(0);
    ClusterTarget second = clusters.target(1);
    long startNanos = System.nanoTime();
    long endNanos = startNanos + TimeUnit.MINUTES.toNanos(minutes);
    try (StoragePair pair = new StoragePair(files, first, second)) {
      DifferentialRun run = new DifferentialRun(pair, this::write);
      int seeds = 0;
      Optional<Difference> difference;
      long seed = options.seed();
      do {
        seed = options.seed() + seeds;
        difference = run.run(script(seed, given));
        seeds++;
        Progress.say(
            String.format(
                Locale.ROOT,
                "differential: seed %d: %s; %,d statements in all, %d ends of nodes",
                seed,
                difference.isPresent() ? "a difference" : "the same answers",
                run.tally().statements(),
                run.tally().ends().size()));
      } while (difference.isEmpty() && given.isEmpty() && System.nanoTime() < endNanos);
      Tally tally = run.tally();
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      // A cluster that did not start again cannot be asked, and the report says so.
      if (difference.isEmpty() && tally.ends().isEmpty()) {
        first.requireLoam();
        second.requireLoam();
      }
      difference.ifPresent(
          found -> {
            Progress.say("statement " + found.statement() + ": " + found.text());
            found.what().forEach(Progress::say);
          });
      Finding finding = null;
      if (difference.isPresent()) {
        String few = given.isEmpty() ? shrink(run, seed) : null;
        finding = new Finding(seed, difference.get(), repeat(seed), few);
      }
      return new DifferentialReport(
          List.of(first.name(), second.name()), options.seed(), seeds, seconds, tally, finding);
    }
  }

  private void write(Statement statement, Outcome outcome) {
    Path file = log;
    if (file == null) {
      return;
    }
    List<String> lines = new ArrayList<>();
    lines.add("--# " + statement.number() + " " + statement.kind());
    lines.add("-- at " + System.currentTimeMillis());
    lines.add(statement.text());
    lines.add(
        outcome.isRefused()
            ? "-- " + outcome.fault() + ": " + outcome.message()
            : "-- " + outcome.rows().size() + " rows");
    try {
      Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw CommandException.environment("cannot write " + file + ": " + e, e);
    }
  }

  private Iterator<Statement> script(long seed, List<Statement> given) {
    return given.isEmpty()
        ? new StatementGenerator(seed, statements, restarts, kills)
        : given.iterator();
  }

  private String repeat(long seed) {
    return script != null
        ? "./loam asterixdb differential --script " + script
        : String.format(
            Locale.ROOT,
            "./loam asterixdb differential --seed %d --statements %d --restarts %d --kills %d"
                + " --nodes %d",
            seed,
            statements,
            restarts,
            kills,
            nodes);
  }

  /** The name of a file with fewer statements that still have a difference. */
  private String shrink(DifferentialRun run, long seed) throws InterruptedException {
    Progress.say("leaving out statements, for at most " + SHRINK_MINUTES + " minutes ...");
    long endNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(SHRINK_MINUTES);
    List<Statement> few = run.shrink(() -> System.nanoTime() > endNanos);
    Path file = WorkDirectory.home().resolve("difference-" + seed + ".sqlpp");
    List<String> comments =
        List.of("Found by: " + repeat(seed), "Run it: ./loam asterixdb differential --script FILE");
    try {
      Files.createDirectories(WorkDirectory.home());
      Files.write(file, StatementScript.write(comments, few));
    } catch (IOException e) {
      throw CommandException.environment("cannot write " + file + ": " + e, e);
    }
    return file.toString();
  }
}
