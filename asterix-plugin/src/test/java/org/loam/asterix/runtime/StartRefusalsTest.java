package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;

/** A node that is told something wrong does not start, and says in one line what it is. */
class StartRefusalsTest {
  private static final long MACHINE = 16L << 30;

  @TempDir Path directory;

  private void requireKnown(String... lines) throws IOException {
    Path file = Files.writeString(directory.resolve("cc.conf"), String.join("\n", lines));
    KnownOptions.requireKnown(file.toString());
  }

  @Test
  void optionsOfLoamAreKnownWhereverTheyAre() throws IOException {
    KnownOptions.requireKnown(null);
    requireKnown("[nc]", "loam.memory=4GiB", " loam.metadata = false", "; loam.nothing=1");
    requireKnown("[nc/a]", "loam.settings={io: {}}", "other.loam.x=1", "#loam.x=1");
  }

  @Test
  void anUnknownOptionIsNamedWithTheNearest() {
    assertThatThrownBy(() -> requireKnown("[common]", "x=1", "[nc/nc1]", "loam.memmory=1GiB"))
        .isInstanceOf(StartException.class)
        .hasMessage("[nc/nc1] loam.memmory: no such option; did you mean loam.memory?");
    assertThatThrownBy(() -> requireKnown("[nc]", "loam.io.limitBytesPerSecond: 1MiB"))
        .isInstanceOf(StartException.class)
        .hasMessage(
            "[nc] loam.io.limitBytesPerSecond: no such option; there are loam.memory,"
                + " loam.settings, loam.metadata; other settings go into loam.settings");
  }

  @Test
  void anOptionInTheSectionOfOthersIsNamed() throws IOException {
    requireKnown("[nc]", "loam.memory=1GiB", "[nc/nc1]", "loam.memory=2GiB", "[ncs]", "x=1");
    for (String section : List.of("[common]", "[cc]", "[ncs]")) {
      assertThatThrownBy(() -> requireKnown(section, "loam.memory=1GiB"))
          .isInstanceOf(StartException.class)
          .hasMessage(
              section
                  + " loam.memory: an option of nodes; move it to [nc], or to [nc/NAME] of one");
    }
  }

  @Test
  void whatIsNeitherTrueNorFalseIsRefused() throws IOException {
    requireKnown("[nc]", "loam.metadata=TRUE", "[nc/a]", "loam.metadata = false");
    for (String value : new String[] {"perhaps", "no", "0", ""}) {
      assertThatThrownBy(() -> requireKnown("[nc/a]", "loam.metadata=" + value))
          .isInstanceOf(StartException.class)
          .hasMessage("[nc/a] loam.metadata: " + value + ", must be true or false");
    }
  }

  private static void requireRefused(@Nullable String memory, String others, String message) {
    assertThatThrownBy(
            () -> StartException.unless(() -> LoamSettings.of(memory, others, true, MACHINE)))
        .isInstanceOf(StartException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void settingsThatAreWrongAreAllNamedInOneLine() {
    requireRefused("17GiB", "{}", "[nc] loam.memory: 17GiB, must be at most the 16GiB that");
    requireRefused(null, "{cash: 1}", "cash: no such setting; did you mean cache?");
    requireRefused(
        null,
        "{threads: {merge: 0, flush: 0}}",
        "threads.flush: 0, must be in 1..64; threads.merge: 0");
  }

  @Test
  void replicationIsRefused() {
    StartChecks.requireNoReplication(false);
    assertThatThrownBy(() -> StartChecks.requireNoReplication(true))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("replication.enabled=false");
  }

  @Test
  void anotherAsterixDbIsRefused() {
    KnownHost.require();
    KnownHost.requireVersion(null);
    assertThatThrownBy(() -> KnownHost.requireVersion("0.9.9"))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("this is AsterixDB 0.9.9, and this Loam works with AsterixDB 0.9.8");
  }

  /** What a part of a start says before it ends. */
  private static String said(StartException.Part part) {
    return StandardError.during(
        () ->
            assertThatThrownBy(() -> StartException.aloud(part))
                .isInstanceOf(StartException.class));
  }

  private static String line(String message) {
    return "org.loam.asterix.runtime.StartException: " + message + System.lineSeparator();
  }

  @Test
  void aRefusalIsSaidInOneLineOnStandardError() {
    assertThat(
            said(
                () -> {
                  throw new StartException("something is wrong;\n change it");
                }))
        .isEqualTo(line("something is wrong;; change it"));
  }

  @Test
  void aFailureIsSaidInOneLineWithItsCauses() {
    assertThat(
            said(
                () -> {
                  throw new OutOfMemoryError("Unable to allocate 9 bytes");
                }))
        .isEqualTo(line("the start failed: Unable to allocate 9 bytes"));
    assertThat(
            said(
                () -> {
                  throw new NoClassDefFoundError("com/example/Missing");
                }))
        .isEqualTo(line("the start failed: java.lang.NoClassDefFoundError: com/example/Missing"));
  }

  @Test
  void aConfigurationThatIsNotThereIsSaidAsSuch() {
    assertThat(said(() -> KnownOptions.requireKnown("none.conf")))
        .isEqualTo(line("the start failed: java.io.FileNotFoundException: none.conf"));
  }

  /** A device on which Loam's directory cannot be is no refusal of Loam's own. */
  @Test
  void anOrdinaryFaultOfTheSystemIsSaidAsWell() throws IOException {
    Path file = Files.writeString(directory.resolve("loam"), "a file");
    assertThat(said(() -> LoamDirectories.empty(List.of(file))))
        .startsWith("org.loam.asterix.runtime.StartException: the start failed: ")
        .contains(file.toString())
        .hasLineCount(1);
  }

  private LoamNode open() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    return StartException.unless(() -> new LoamNode(directory, config, () -> 1L));
  }

  @Test
  void aDatabaseOfAnotherFormatIsRefused() throws IOException {
    open().close();
    Path current = directory.resolve("current");
    byte[] intact = Files.readAllBytes(current);
    byte[] newer = intact.clone();
    newer[8] = 9;
    CRC32C crc = new CRC32C();
    crc.update(newer, 4, 20);
    ByteBuffer.wrap(newer).order(ByteOrder.LITTLE_ENDIAN).putInt(0, (int) crc.getValue());
    Files.write(current, newer);
    assertThatThrownBy(this::open)
        .isInstanceOf(StartException.class)
        .hasMessageContaining(current.toString())
        .hasMessageContaining("version 9");
    Files.writeString(current, "something of somebody else's");
    assertThatThrownBy(this::open)
        .isInstanceOf(StartException.class)
        .hasMessageContaining(current.toString());
    Files.write(current, intact);
    open().close();
    assertThat(current).exists();
  }
}
