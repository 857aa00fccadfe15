package org.loam.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Java files of the repository, found from wherever the test was started. */
public final class SourceTree {
  /** Read once for all tests. */
  private static final List<Source> MAIN = sources("src/main/java");

  private SourceTree() {}

  /** One Java file: its path below the root and its text. */
  public record Source(String path, String text) {
    String fileName() {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    String directory() {
      return path.substring(0, path.lastIndexOf('/'));
    }

    String module() {
      return path.substring(0, path.indexOf('/'));
    }

    List<String> lines() {
      return text.lines().toList();
    }
  }

  public static List<Source> main() {
    return MAIN;
  }

  static List<Source> mainAndTests() {
    List<Source> all = new ArrayList<>(main());
    all.addAll(sources("src/test/java"));
    return all;
  }

  private static List<Source> sources(String folder) {
    Path root = root();
    try (Stream<Path> modules = Files.list(root)) {
      return modules
          .map(module -> module.resolve(folder))
          .filter(Files::isDirectory)
          .sorted()
          .flatMap(directory -> javaFiles(root, directory).stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Source> javaFiles(Path root, Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Source> sources = new ArrayList<>();
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        String path = root.relativize(file).toString().replace('\\', '/');
        sources.add(new Source(path, Files.readString(file)));
      }
      return sources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directory of the whole project. */
  public static Path root() {
    for (Path p = Path.of("").toAbsolutePath(); p != null; p = p.getParent()) {
      if (Files.isDirectory(p.resolve(".mvn"))) {
        return p;
      }
    }
    throw new AssertionError("no .mvn directory above " + Path.of("").toAbsolutePath());
  }
}
