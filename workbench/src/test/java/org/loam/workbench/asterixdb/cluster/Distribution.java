package org.loam.workbench.asterixdb.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * AsterixDB's released distribution for a test, unpacked, and processes that were started with its
 * scripts. No process is left behind.
 */
final class Distribution implements AutoCloseable {
  private static final Path CLONE = Path.of("..");

  /** The directory with bin and repo. */
  final Path root;

  /** Where processes run, and what they say, a file for each. */
  private final Path work;

  private final List<Process> processes = new ArrayList<>();

  /** Unpacks it; Maven fetches it if it is not in the local repository. */
  Distribution(Path directory) throws IOException {
    root = directory.resolve("apache-asterixdb-" + Artifacts.VERSION);
    work = Files.createDirectories(directory.resolve("work"));
    String zip =
        new ResolvedClassPath(
                List.of(CLONE.resolve("asterix-plugin/distribution/pom.xml")),
                CLONE.resolve("workbench/target/asterixdb/distribution").toAbsolutePath(),
                "AsterixDB's distribution (the first time it fetches 163 MB)")
            .get();
    try (ZipFile file = new ZipFile(zip)) {
      for (ZipEntry entry : Collections.list(file.entries())) {
        unpack(file, entry, directory.resolve(entry.getName()));
      }
    }
  }

  private static void unpack(ZipFile zip, ZipEntry entry, Path file) throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(file);
      return;
    }
    Files.createDirectories(file.resolveSibling(""));
    try (InputStream content = zip.getInputStream(entry)) {
      Files.copy(content, file);
    }
    // As the zip says, but Java does not look at it.
    if (file.resolveSibling("").endsWith("bin") && !file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
  }

  Path work() {
    return work;
  }

  /** A script of the distribution, from its place. */
  Path script(String name) {
    return root.resolve("bin").resolve(name);
  }

  /** What a process has said so far. */
  String said(String name) throws IOException {
    return Files.readString(output(name));
  }

  private Path output(String name) {
    return work.resolve(name + ".out");
  }

  /**
   * Starts a script, which becomes the JVM.
   *
   * @param name of the file that takes what it says
   */
  Process start(String name, String script, String... arguments) {
    List<String> command = new ArrayList<>(List.of(script(script).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output(name).toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("JAVA_OPTS", "-Xmx384m -XX:+UseSerialGC");
    try {
      Process process = builder.start();
      processes.add(process);
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (Process process : processes) {
      List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
      all.add(process.toHandle());
      all.forEach(ProcessHandle::destroyForcibly);
    }
    for (Process process : processes) {
      process.waitFor();
    }
  }
}
