package org.loam.it.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.loam.it.SourceTree;
import org.loam.workbench.console.ChildJvm;

/** Directories of databases as zip files among the resources of this package. */
final class GoldenArchive {
  /** Of all files in an archive, which says nothing of the day on which it was made. */
  private static final LocalDateTime TIME = LocalDateTime.of(2000, 1, 1, 0, 0);

  private GoldenArchive() {}

  /** Runs a process that makes a database, which it leaves by an end. */
  static void make(Class<?> main, Path directory, GoldenEnd end)
      throws IOException, InterruptedException {
    Process maker =
        ChildJvm.start(
            main,
            List.of("-Xmx128m", "-XX:+UseSerialGC"),
            List.of(directory.toString(), end.toString()));
    assertThat(maker.waitFor()).isEqualTo(end.isClosed() ? 0 : GoldenMain.CRASHED);
  }

  /** Unpacks an archive of a name into an empty directory. */
  static void unpack(String name, Path directory) throws IOException {
    try (InputStream resource = GoldenArchive.class.getResourceAsStream(name)) {
      assertThat(resource).as(name).isNotNull();
      ZipInputStream zip = new ZipInputStream(resource);
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = directory.resolve(entry.getName()).normalize();
        assertThat(file).startsWithRaw(directory);
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
      }
    }
  }

  /**
   * Packs a directory among the sources, to be checked in, without the file {@code lock}: it names
   * the process and the machine.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one: it is never written again
   */
  static void pack(Path directory, String name) throws IOException {
    Path archive =
        SourceTree.root()
            .resolve("integration-tests/src/test/resources/org/loam/it/golden")
            .resolve(name);
    Files.createFile(archive);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      zip.setLevel(Deflater.BEST_COMPRESSION);
      for (Path file : files(directory)) {
        ZipEntry entry = new ZipEntry(directory.relativize(file).toString().replace('\\', '/'));
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        Files.copy(file, zip);
        zip.closeEntry();
      }
    }
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> Files.isRegularFile(file) && !file.endsWith("lock"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
