package org.loam.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages in Markdown, those that build directories hold excepted. */
final class Documents {
  private Documents() {}

  /** A page: its path below the root and its text. */
  record Page(Path path, String text) {
    Stream<String> lines() {
      return text.lines();
    }
  }

  static List<Page> all() {
    Path root = SourceTree.root();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .map(root::relativize)
          .filter(path -> !path.toString().contains("target") && !path.startsWith(".loam"))
          .sorted()
          .map(Documents::page)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Page page(Path path) {
    try {
      return new Page(path, Files.readString(SourceTree.root().resolve(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
