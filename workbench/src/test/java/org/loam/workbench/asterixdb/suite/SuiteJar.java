package org.loam.workbench.asterixdb.suite;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A jar of AsterixDB's tests, as far as its files go. */
final class SuiteJar {
  private SuiteJar() {}

  /** Makes it in a directory, with these entries and their texts. */
  static Path in(Path directory, Map<String, String> entries) throws IOException {
    Path jar = directory.resolve("asterix-app-1.2-tests.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return jar;
  }
}
