package org.loam.it.consumer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.loam.it.SourceTree;

/**
 * A local Maven repository that has Loam as it was just built. Everything else is shared with the
 * repository of the running build, through symbolic links; Loam in there is neither seen nor
 * changed. Closing removes the links.
 */
final class LocalRepository implements AutoCloseable {
  private static final List<String> MODULES =
      List.of(
          "storage-common",
          "buffer-cache",
          "txn-log",
          "lsm-scheduler",
          "memory-tuner",
          "lsm-btree",
          "storage-engine");

  private static final Pattern PROJECT_VERSION =
      Pattern.compile("<artifactId>loam</artifactId>\\s*<version>([^<]+)</version>");

  private final Path directory;
  private final String version;

  private LocalRepository(Path directory, String version) {
    this.directory = directory;
    this.version = version;
  }

  /** Lays one out in a directory that is not there yet. */
  static LocalRepository create(Path directory) throws IOException {
    Path pom = SourceTree.root().resolve("pom.xml");
    Matcher found = PROJECT_VERSION.matcher(Files.readString(pom));
    if (!found.find()) {
      throw new AssertionError("no version in " + pom);
    }
    LocalRepository repository = new LocalRepository(directory, found.group(1));
    repository.link(shared(), directory, "org");
    repository.link(shared().resolve("org"), directory.resolve("org"), "loam");
    Files.copy(pom, repository.place("loam", "pom"));
    for (String module : MODULES) {
      Files.copy(
          SourceTree.root().resolve(module).resolve("pom.xml"), repository.place(module, "pom"));
      putJar(classes(module), repository.place(module, "jar"));
    }
    return repository;
  }

  Path directory() {
    return directory;
  }

  /** The repository of the build that runs this test; surefire names it. */
  private static Path shared() {
    String home = System.getProperty("user.home");
    return Path.of(System.getProperty("localRepository", home + "/.m2/repository"));
  }

  /** Links to all directories of {@code from} but one, which is ours. */
  private void link(Path from, Path to, String own) throws IOException {
    Files.createDirectories(to);
    if (!Files.isDirectory(from)) {
      return;
    }
    for (Path target : list(from)) {
      String name = target.getFileName().toString();
      if (Files.isDirectory(target) && !name.equals(own)) {
        Files.createSymbolicLink(to.resolve(name), target.toAbsolutePath());
      }
    }
  }

  private Path place(String artifact, String extension) throws IOException {
    Path place = directory.resolve("org/loam").resolve(artifact).resolve(version);
    Files.createDirectories(place);
    return place.resolve(artifact + "-" + version + "." + extension);
  }

  /** What our own class path has of a module: a jar after {@code package}, else its classes. */
  private static Path classes(String module) {
    String jar = module + "-";
    for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
      Path path = Path.of(entry);
      String name = path.getFileName().toString();
      boolean isJar = name.startsWith(jar) && name.endsWith(".jar") && !name.endsWith("-tests.jar");
      boolean isDirectory =
          name.equals("classes") && path.startsWith(SourceTree.root().resolve(module));
      if (isJar || isDirectory) {
        return path;
      }
    }
    throw new AssertionError("no classes of " + module + " on the class path");
  }

  private static void putJar(Path classes, Path jar) throws IOException {
    if (Files.isRegularFile(classes)) {
      Files.copy(classes, jar);
      return;
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deleting the directory afterwards cannot reach what the links led to. */
  @Override
  public void close() throws IOException {
    for (Path parent : List.of(directory, directory.resolve("org"))) {
      for (Path entry : list(parent)) {
        if (Files.isSymbolicLink(entry)) {
          Files.delete(entry);
        }
      }
    }
  }
}
