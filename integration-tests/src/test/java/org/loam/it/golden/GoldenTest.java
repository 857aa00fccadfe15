package org.loam.it.golden;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.common.config.WriteScheme;

/**
 * Databases of every version there was, closed and crashed, are used by the present engine with
 * every memory scheme. {@code -Dloam.golden.write=N} checks in those of version N, as the README
 * beside the archives says.
 *
 * <p>A subclass has two static methods: {@code ends} with the ends that its databases have, and
 * {@code archives} with {@link #withEachScheme} of them.
 */
@Tag("once")
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

  /** Looks at the files of the directory, which must be what they were made for. */
  void requireAtRest(GoldenEnd end) {}

  /** Uses the database in the directory, which must have all that it was made with. */
  abstract void openReadAndWrite(GoldenEnd end, WriteScheme scheme);

  static Stream<Arguments> withEachScheme(Collection<GoldenEnd> ends) {
    return IntStream.rangeClosed(1, VERSIONS)
        .boxed()
        .flatMap(version -> ends.stream().flatMap(end -> withEachScheme(version, end)));
  }

  private static Stream<Arguments> withEachScheme(int version, GoldenEnd end) {
    return Stream.of(WriteScheme.values()).map(scheme -> Arguments.of(version, end, scheme));
  }

  private String archive(int version, GoldenEnd end) {
    return "v" + version + "-" + kind + end + ".zip";
  }

  @ParameterizedTest
  @MethodSource("archives")
  void everyVersionThereWasCanBeUsed(int version, GoldenEnd end, WriteScheme scheme)
      throws IOException {
    GoldenArchive.unpack(archive(version, end), directory);
    requireAtRest(end);
    openReadAndWrite(end, scheme);
  }

  /** So that the next version can be added as this one was. */
  @ParameterizedTest
  @MethodSource("ends")
  void thePresentVersionIsMadeInTheSameWay(GoldenEnd end) throws Exception {
    GoldenArchive.make(maker, directory, end);
    requireAtRest(end);
    Integer version = Integer.getInteger("loam.golden.write");
    if (version != null) {
      GoldenArchive.pack(directory, archive(version, end));
    }
    openReadAndWrite(end, end.scheme());
  }
}
