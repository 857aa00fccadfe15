package org.loam.it.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;

/** A directory for one benchmark, which goes with it. */
final class BenchDirectory implements AutoCloseable {
  /** Beside the build, not in the system's temporary directory, which may be memory. */
  private static final Path PARENT = Path.of("target");

  private final Path path;

  BenchDirectory() {
    try {
      path =
          Files.isDirectory(PARENT)
              ? Files.createTempDirectory(PARENT, "bench").toAbsolutePath()
              : Files.createTempDirectory("loam-bench");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      FileUtils.deleteDirectory(path.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
