package org.loam.workbench.demo;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The packages that the Debian machine we run on knows of, as {@code apt-cache dumpavail} shows
 * them: no network, no rights, only what is there.
 */
final class PackageIndex implements RecordSource {
  @Override
  public String description() {
    return "Debian package index of this machine (apt-cache dumpavail)";
  }

  @Override
  public Shape shape() {
    return Shape.PACKAGES;
  }

  /** Whether the machine has apt and its index holds at least one package. */
  static boolean isFilled() {
    try {
      Process process = start("apt-cache", "dumpavail");
      try (InputStream out = process.getInputStream()) {
        return out.read() >= 0;
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Fills the index, as root over the network.
   *
   * @return null, or why it did not work
   */
  static @Nullable String refresh() throws InterruptedException {
    try {
      Process process = start("apt-get", "-q", "update");
      try (InputStream out = process.getInputStream()) {
        out.transferTo(System.err);
      }
      int exitCode = process.waitFor();
      return exitCode == 0 ? null : "apt-get update ended with exit code " + exitCode;
    } catch (IOException e) {
      return "apt-get cannot be run: " + e.getMessage();
    }
  }

  @Override
  public void forEach(RecordSink sink) throws IOException {
    Process process = start("apt-cache", "dumpavail");
    try (InputStream out = process.getInputStream()) {
      forEach(out, sink);
    } finally {
      process.destroy();
    }
  }

  /** Gives a record for each stanza that names a package. */
  static void forEach(InputStream index, RecordSink sink) throws IOException {
    Set<String> keys = new HashSet<>();
    Stanza.parse(
        index,
        stanza -> {
          String key = uniqueKey(stanza, keys);
          if (key != null) {
            sink.accept(PackageRecord.of(key, stanza));
          }
        });
  }

  /**
   * The name; as apt-get wants it for one of many, {@code name:architecture=version}, when it is
   * taken; null for the same again.
   */
  private static @Nullable String uniqueKey(Stanza stanza, Set<String> keys) {
    String name = stanza.field("package");
    if (name == null || name.isEmpty()) {
      return null;
    }
    if (keys.add(name)) {
      return name;
    }
    String full = name + ":" + stanza.field("architecture") + "=" + stanza.field("version");
    return keys.add(full) ? full : null;
  }

  private static Process start(String... command) throws IOException {
    return new ProcessBuilder(List.of(command))
        .redirectInput(Redirect.from(new File("/dev/null")))
        .redirectError(Redirect.DISCARD)
        .start();
  }
}
