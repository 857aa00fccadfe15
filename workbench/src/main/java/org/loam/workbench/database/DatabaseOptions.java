package org.loam.workbench.database;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.ConfigException;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.StorageIoException;
import org.loam.dashboard.source.AttachedEngine;
import org.loam.engine.Engine;
import org.loam.workbench.console.ByteSize;
import org.loam.workbench.console.CommandException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where a database is and how it is opened: the options that all commands on one share. */
public final class DatabaseOptions {
  /** Enough for a tool that comes and goes: beside a heap of as much, on any machine. */
  private static final long DEFAULT_MEMORY_BYTES = 256L << 20;

  @Option(
      names = "--directory",
      paramLabel = "<path>",
      defaultValue = "${env:LOAM_DIRECTORY:-loam-data}",
      description =
          "Directory of the database. Default: the environment variable LOAM_DIRECTORY,"
              + " or else loam-data.")
  private Path directory = Path.of("loam-data");

  @ArgGroup private @Nullable Settings settings;

  /** One or the other. */
  private static final class Settings {
    @Option(
        names = "--memory",
        paramLabel = "<size>",
        converter = ByteSize.class,
        description =
            "Memory of the engine outside of the Java heap, at least 64MiB. Default: 256MiB.")
    private @Nullable Long memoryBytes;

    @Option(
        names = "--config",
        paramLabel = "<file>",
        description = "YAML file with settings of the engine; memory is one of them.")
    private @Nullable Path config;
  }

  /** The directory, whatever there is. */
  public Path directory() {
    return directory;
  }

  /**
   * The settings of the engine.
   *
   * @throws IllegalArgumentException if they are not allowed
   * @throws CommandException if the file cannot be read
   */
  public EngineConfig config() {
    if (settings == null || settings.config == null) {
      Long chosen = settings == null ? null : settings.memoryBytes;
      long bytes = chosen == null ? DEFAULT_MEMORY_BYTES : chosen;
      return EngineConfig.builder().memoryTotalBytes(bytes).build();
    }
    try {
      return EngineConfig.fromYaml(Files.readString(settings.config));
    } catch (NoSuchFileException e) {
      throw CommandException.usage("--config names " + settings.config + ", which is not there");
    } catch (CharacterCodingException e) {
      throw CommandException.usage("--config names " + settings.config + ", which is not UTF-8");
    } catch (IOException e) {
      throw CommandException.environment(
          "cannot read " + settings.config + ": " + e.getMessage(), e);
    } catch (ConfigException e) {
      throw CommandException.usage(settings.config + ": " + String.join("; ", e.problems()));
    }
  }

  /**
   * Opens the database, making it if there is none.
   *
   * @throws CommandException if its files cannot be reached
   */
  public Engine openOrCreate() {
    EngineConfig config = config();
    return reach(() -> Engine.open(directory, config));
  }

  /**
   * Opens the database.
   *
   * @throws CommandException if there is none; the directory is as before
   */
  public Engine open() {
    requireDatabase();
    return openOrCreate();
  }

  /**
   * Insists on a database.
   *
   * @throws CommandException if there is none, or its files cannot be reached
   */
  public void requireDatabase() {
    boolean exists = reach(() -> Engine.exists(directory));
    // Of a directory with data alone the engine says what it lacks.
    if (!exists && !Files.isDirectory(directory.resolve("data"))) {
      throw CommandException.environment(
          "there is no database in "
              + directory
              + "; name its directory with --directory, or make one with 'loam create'");
    }
  }

  /**
   * The engine that has the database open in another process; null if there is none.
   *
   * @throws CommandException if the files of the database cannot be reached
   * @throws IOException if the process cannot be; its message is for the reader
   */
  @Nullable AttachedEngine attached() throws IOException {
    return reach(() -> Optional.ofNullable(AttachedEngine.find(directory))).orElse(null);
  }

  /** What begins with the files of the database. */
  public interface Beginning<T, E extends Exception> {
    T begin() throws E;
  }

  /**
   * Begins something with the files of the database.
   *
   * @throws CommandException if they cannot be reached
   */
  public <T, E extends Exception> T reach(Beginning<T, E> beginning) throws E {
    try {
      return beginning.begin();
    } catch (StorageIoException e) {
      throw CommandException.environment(
          e.getMessage() + "; see to the directory " + directory + ", or choose with --directory",
          e);
    }
  }
}
