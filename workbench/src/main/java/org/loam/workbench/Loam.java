package org.loam.workbench;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.ConfigException;
import org.loam.common.config.NearestName;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageException;
import org.loam.workbench.asterixdb.AsterixCommand;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.StandardOutput;
import org.loam.workbench.database.CheckpointCommand;
import org.loam.workbench.database.CreateCommand;
import org.loam.workbench.database.DeleteCommand;
import org.loam.workbench.database.DropCommand;
import org.loam.workbench.database.GetCommand;
import org.loam.workbench.database.IngestCommand;
import org.loam.workbench.database.QueryCommand;
import org.loam.workbench.database.ScanCommand;
import org.loam.workbench.database.StatsCommand;
import org.loam.workbench.database.VerifyCommand;
import org.loam.workbench.demo.DemoCommand;
import org.loam.workbench.figure.FigureCommand;
import org.loam.workbench.inspect.DashboardCommand;
import org.loam.workbench.inspect.InspectCommand;
import org.loam.workbench.inspect.TunerCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line. Errors are one line on standard error that says what to do. */
@Command(
    name = "loam",
    description =
        "Loam, an LSM storage engine for the JVM: databases of JSON records, a"
            + " demonstration, benchmarks, clusters of AsterixDB.",
    versionProvider = Loam.Version.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    subcommands = {
      CreateCommand.class,
      DropCommand.class,
      IngestCommand.class,
      GetCommand.class,
      QueryCommand.class,
      ScanCommand.class,
      DeleteCommand.class,
      StatsCommand.class,
      VerifyCommand.class,
      CheckpointCommand.class,
      InspectCommand.class,
      TunerCommand.class,
      DashboardCommand.class,
      DemoCommand.class,
      BenchCommand.class,
      FigureCommand.class,
      AsterixCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the command did its work, and every check held; also if the output was cut off",
      "1:a check failed: a missing record, a line that is not a record, a wrong answer, a lost"
          + " write, a fault of an engine",
      "2:the command line is wrong, or names something that the database does not have",
      "3:the machine lacks something: disk space, memory, a file, a tool, or the database is in"
          + " use",
      "70:this program has a mistake"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  loam demo",
      "  loam ingest orders.jsonl --dataset orders --key id --index city=address.city",
      "  loam query --dataset orders --index city --equal Oslo --format table",
      "  loam demo --json --directory /var/tmp/demo --keep",
      "  loam bench kv --quick --peers loam,rocksdb",
      "  loam bench secondary --quick",
      "  loam asterixdb --sql orders.sqlpp",
      "",
      "With LOAM_DEBUG=1 errors have a stack trace. LOAM_JAVA_OPTS has options for the JVM."
    })
public final class Loam implements Runnable {
  private static final Logger LOG = LogManager.getLogger(Loam.class);

  @Spec private @Nullable CommandSpec spec;

  public static void main(String[] arguments) {
    int exitCode = ExitCode.INTERNAL;
    try {
      StandardOutput standard = new StandardOutput();
      PrintWriter out = new PrintWriter(standard, false, StandardCharsets.UTF_8);
      PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
      exitCode = execute(out, err, System.getenv("LOAM_DEBUG") != null, arguments);
      IOException failure = standard.failure();
      if (failure != null) {
        err.println("loam: the output is not complete: " + failure.getMessage());
        exitCode = ExitCode.ENVIRONMENT;
      }
    } catch (Error e) {
      LOG.fatal("a broken invariant or a broken installation", e);
    }
    System.exit(exitCode);
  }

  static int execute(PrintWriter out, PrintWriter err, boolean debug, String... arguments) {
    CommandLine line = new CommandLine(new Loam());
    line.setOut(out);
    line.setErr(err);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    // A key may begin with an at sign.
    line.setExpandAtFiles(false);
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler(Loam::explainUsage);
    line.setExecutionExceptionHandler((e, command, result) -> explain(e, err, debug));
    int exitCode;
    try {
      exitCode = line.execute(arguments);
    } catch (OutOfMemoryError e) {
      exitCode = explain(noMemory(e), err, debug);
    }
    out.flush();
    err.flush();
    return exitCode;
  }

  @Override
  public void run() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private static int explainUsage(ParameterException e, String[] arguments) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    e.getCommandLine()
        .getErr()
        .println(command + ": " + firstLine(e) + nearest(e) + "; see '" + command + " --help'");
    return ExitCode.USAGE;
  }

  /** The command or option that was probably meant, if there is none of that name. */
  private static String nearest(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    CommandSpec known = e.getCommandLine().getCommandSpec();
    Set<String> names =
        unmatched.isUnknownOption() ? known.optionsMap().keySet() : known.subcommands().keySet();
    return NearestName.of(unmatched.getUnmatched().get(0), names)
        .map(name -> ", did you mean '" + name + "'?")
        .orElse("");
  }

  private static CommandException noMemory(OutOfMemoryError e) {
    return CommandException.environment(
        "this command has no memory left ("
            + e.getMessage()
            + "); run it with more: LOAM_JAVA_OPTS=-Xmx1g",
        e);
  }

  private static int explain(Exception e, PrintWriter err, boolean debug) {
    if (debug) {
      LOG.error("the command failed", e);
    }
    err.println("loam: " + explanation(e));
    if (e instanceof CommandException known) {
      return known.exitCode();
    }
    if (isRefusal(e)) {
      return ExitCode.USAGE;
    }
    if (e instanceof DiskFullException
        || e instanceof InUseException
        || e instanceof UncheckedIOException) {
      return ExitCode.ENVIRONMENT;
    }
    return e instanceof StorageException ? ExitCode.FAILED : ExitCode.INTERNAL;
  }

  private static String explanation(Exception e) {
    if (e instanceof CommandException || e instanceof StorageException) {
      return firstLine(e);
    }
    if (e instanceof UncheckedIOException) {
      return "input or output failed: " + firstLine(e);
    }
    if (e instanceof ConfigException settings) {
      return String.join("; ", settings.problems());
    }
    if (isRefusal(e)) {
      return firstLine(e);
    }
    return "internal error, please report it with the output of LOAM_DEBUG=1: " + e;
  }

  /**
   * Whether our code refused what it was given, and that comes from the user. An argument that a
   * library refuses is our own mistake.
   */
  private static boolean isRefusal(Exception e) {
    StackTraceElement[] trace = e.getStackTrace();
    return e instanceof IllegalArgumentException
        && trace.length > 0
        && trace[0].getClassName().startsWith("org.loam.");
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }

  /** Says which build this is. */
  static final class Version implements IVersionProvider {
    private static final String PROPERTIES = "/META-INF/maven/org.loam/workbench/pom.properties";

    @Override
    public String[] getVersion() {
      Properties properties = new Properties();
      try (InputStream in = Loam.class.getResourceAsStream(PROPERTIES)) {
        if (in != null) {
          properties.load(in);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      String version = properties.getProperty("version", "unpackaged");
      return new String[] {"loam " + version + ", Java " + System.getProperty("java.version")};
    }
  }
}
