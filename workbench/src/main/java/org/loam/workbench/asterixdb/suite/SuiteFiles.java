package org.loam.workbench.asterixdb.suite;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;

/**
 * The files of the suite as a checkout of AsterixDB has them, in directories to run it in: its
 * statements and expected answers out of the published jar, and the data that they load, which is
 * in no artifact.
 */
public final class SuiteFiles {
  private static final String IN_JAR = "runtimets/";
  private static final String SOURCES = "src/test/resources/";
  private static final String DATA = "data";

  /** A file that a statement or a server of a case reads: a path from the working directory. */
  private static final Pattern FILE =
      Pattern.compile(
          "(?:://+|[\\s\"'])(?:\\.\\./asterix-app/)?((?:data|target/data)/[^\"'`,;\\s)]+)");

  /** What is no file here, and what to call it. */
  private static final Pattern SERVICE = Pattern.compile("\\b(hdfs|s3)://");

  private final Path root;
  private final @Nullable Path data;

  /**
   * Unpacks the suite.
   *
   * @param root an empty directory
   * @param classPath with the jar of AsterixDB's tests
   * @param data the directory of AsterixDB's test data; null for none
   * @throws CommandException if the jar is not there
   */
  public SuiteFiles(Path root, String classPath, @Nullable Path data) {
    this.root = root.toAbsolutePath();
    this.data = data == null ? null : data.toAbsolutePath();
    Path jar =
        Stream.of(classPath.split(File.pathSeparator))
            .filter(entry -> entry.matches(".*asterix-app-[^/\\\\]*-tests\\.jar"))
            .map(Path::of)
            .findFirst()
            .orElseThrow(
                () -> CommandException.environment("no jar of AsterixDB's tests was resolved"));
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        if (entry.getName().startsWith(IN_JAR) && !entry.isDirectory()) {
          unpack(zip, entry);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void unpack(ZipFile zip, ZipEntry entry) throws IOException {
    Path sources = root.resolve(SOURCES);
    Path file = sources.resolve(entry.getName()).normalize();
    if (!file.startsWith(sources)) {
      throw new IOException(zip.getName() + " has an entry outside of it: " + entry.getName());
    }
    Files.createDirectories(file.getParent());
    try (InputStream in = zip.getInputStream(entry)) {
      Files.copy(in, file);
    }
  }

  /** A directory to run in, a new one each time. Some cases know its last name. */
  Path directory(String name) {
    try {
      Path directory = Files.createDirectories(root.resolve(name).resolve("asterix-app"));
      link(directory.resolve("src"), root.resolve("src"));
      if (data != null) {
        link(directory.resolve(DATA), data);
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void link(Path link, Path target) throws IOException {
    if (!Files.isSymbolicLink(link)) {
      Files.createSymbolicLink(link, target);
    }
  }

  /** What a case needs and is not here; empty if it can run. */
  Optional<String> missing(SuiteCase suiteCase) {
    Set<String> missing = new TreeSet<>();
    try {
      for (String directory : suiteCase.directories()) {
        try (Stream<Path> files = Files.list(root.resolve(directory))) {
          for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
            addMissing(Files.readString(file, StandardCharsets.ISO_8859_1), missing);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("needs " + String.join(", ", missing));
  }

  private void addMissing(String statements, Set<String> missing) {
    Matcher service = SERVICE.matcher(statements);
    while (service.find()) {
      missing.add(service.group(1));
    }
    Matcher file = FILE.matcher(statements);
    while (file.find()) {
      if (!isThere(file.group(1))) {
        missing.add(file.group(1));
      }
    }
  }

  private boolean isThere(String path) {
    return data != null
        && path.startsWith(DATA + "/")
        && Files.exists(data.resolve(path.substring(DATA.length() + 1)));
  }
}
