package org.loam.engine.tuning;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.quiet.QuietLog;
import org.loam.tuner.TunerOptions;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;
import org.loam.tuner.history.HistoryWriter;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Rule;

/** What a history says of the split to begin with, whatever became of its file. */
@Tag("once")
@ExtendWith(QuietLog.class)
class LastSplitTest {
  private static final long MIB = 1 << 20;
  private static final long POOL = 50 * MIB;
  private static final long INITIAL = 24 * MIB;
  private static final TunerOptions.Bounds BOUNDS = new TunerOptions.Bounds(MIB, 4 * MIB);

  private static final StorageFiles FILES = RealEnv.create().files();

  @TempDir Path directory;

  private OptionalLong found(long initialBytes, long poolBytes) {
    return LastSplit.writeBytes(FILES, directory, initialBytes, poolBytes, BOUNDS);
  }

  private OptionalLong found() {
    return found(INITIAL, POOL);
  }

  private Path file() {
    return HistoryReader.fileIn(directory);
  }

  private void write(long... splits) {
    try (HistoryWriter writer = new HistoryWriter(FILES, file(), MIB)) {
      for (long bytes : splits) {
        writer.append(
            new HistoryEntry(
                1,
                600_000,
                "ADAPTIVE",
                "NANOS",
                INITIAL,
                new MemorySample(POOL, INITIAL, MIB, 4096),
                new HistoryEntry.Inputs(
                    1, new HistoryEntry.Moved(2, 3, 4, 5, 6), Map.of(), CycleTimes.NONE, List.of()),
                Decision.rest(bytes, Rule.NONE, 1, Decision.Evidence.of(Map.of()))));
      }
    }
  }

  @Test
  void theLastOneCounts() {
    assertThat(found()).isEmpty();
    write(5 * MIB, 7 * MIB);
    assertThat(found()).hasValue(7 * MIB);
  }

  @Test
  void nothingCountsIfMemoryIsDividedOtherwise() {
    write(7 * MIB);
    assertThat(found(INITIAL + 1, POOL)).isEmpty();
    assertThat(found(INITIAL, POOL + 1)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1048576",
    "1048575, 1048576",
    "48234497, 48234496",
    "9223372036854775807, 48234496",
    "-9223372036854775808, 1048576"
  })
  void itIsWithinTheBounds(long written, long found) {
    write(written);
    assertThat(found()).hasValue(found);
  }

  /** The end of a process may leave any part of a line, the loss of power any bytes. */
  @Test
  void aFileThatIsDamagedIsOnlyAHint() throws IOException {
    write(5 * MIB, 7 * MIB);
    byte[] whole = Files.readAllBytes(file());
    for (int length = 0; length < whole.length; length++) {
      byte[] torn = new byte[length];
      System.arraycopy(whole, 0, torn, 0, length);
      requireHint(torn);
    }
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      byte[] damaged = whole.clone();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      requireHint(damaged);
    }
  }

  private void requireHint(byte[] content) throws IOException {
    Files.write(file(), content);
    OptionalLong found = found();
    assertThat(found.isEmpty() || (found.getAsLong() >= MIB && found.getAsLong() <= 46 * MIB))
        .as("%s out of %s", found, new String(content, UTF_8))
        .isTrue();
  }

  @Test
  void aFileThatCannotBeReadIsAsGoodAsNone() throws IOException {
    Files.createDirectory(file());
    assertThat(found()).isEmpty();
  }
}
