package org.loam.it.golden;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Databases of every version there was, closed and crashed, are used by the present engine. {@code
 * -Dloam.golden.write=N} checks in those of version N, as the README beside the archives says.
 */
abstract class GoldenTest {
  /** A version is added here when it is checked in. */
  private static final int VERSIONS = 1;

  @TempDir Path directory;

  private final Class<?> maker;
  private final String kind;

  /**
   * @param maker main class that makes a database of the present version
   * @param kind what the names of the archives say of it
   */
  GoldenTest(Class<?> maker, String kind) {
    this.maker = maker;
    this.kind = kind;
  }

  /** Uses the database in the directory, which must have all that it was made with. */
  abstract void openReadAndWrite(boolean closed);

  static Stream<Arguments> versions() {
    return IntStream.rangeClosed(1, VERSIONS)
        .boxed()
        .flatMap(version -> Stream.of("closed", "crashed").map(end -> Arguments.of(version, end)));
  }

  private String archive(int version, String end) {
    return "v" + version + "-" + kind + end + ".zip";
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyVersionThereWasCanBeUsed(int version, String end) throws IOException {
    GoldenArchive.unpack(archive(version, end), directory);
    openReadAndWrite(end.equals("closed"));
  }

  /** So that the next version can be added as this one was. */
  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = {"closed", "crashed"})
  void thePresentVersionIsMadeInTheSameWay(String end) throws Exception {
    GoldenArchive.make(maker, directory, end);
    Integer version = Integer.getInteger("loam.golden.write");
    if (version != null) {
      GoldenArchive.pack(directory, archive(version, end));
    }
    openReadAndWrite(end.equals("closed"));
  }
}
