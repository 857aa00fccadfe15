package org.loam.log.recover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.codec.Crc32c;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;
import org.loam.log.CommitLog.Appended;
import org.loam.log.LogConfig;
import org.loam.log.TransactionLog;
import org.loam.log.format.FrameLayout;

/**
 * Every byte of a small log is damaged, one after the other. Each time the replay must give the
 * same batches as before, or fail, or end at a reported cut behind the last durable mark, with a
 * prefix of the batches; never anything else.
 */
@Tag("once")
class CorruptionSweepTest {
  private static final long IDENTITY = 77;
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 1 << 20, 1, 0);
  private static final int PAYLOAD_BYTES = 700;

  @TempDir Path temp;
  private final StorageEnv env = RealEnv.create();
  private final List<byte[]> written = new ArrayList<>();
  private final List<byte[]> read = new ArrayList<>();

  /** How a log ends before it is damaged. */
  private enum End {
    SEALED,
    CRASHED
  }

  private TransactionLog start(Path dir) {
    TransactionLog log = TransactionLog.open(env, dir, CONFIG, IDENTITY);
    log.replay(0, (lsn, endLsn, address, length) -> {});
    log.start(0);
    return log;
  }

  private void appendForced(TransactionLog log, int count, SplittableRandom random) {
    append(log, count, true, random);
  }

  private void append(TransactionLog log, int count, boolean forced, SplittableRandom random) {
    long buffer = Mem.allocate(PAYLOAD_BYTES, 8);
    for (int i = 0; i < count; i++) {
      byte[] payload = new byte[PAYLOAD_BYTES - random.nextInt(300)];
      random.nextBytes(payload);
      Mem.copyIn(payload, 0, buffer, payload.length);
      int crc = Crc32c.of(buffer, payload.length);
      while (log.append(buffer, payload.length, crc) == Appended.NO_ROOM) {
        assertThat(log.awaitRoom(payload.length, Long.MAX_VALUE)).isTrue();
      }
      if (forced) {
        log.awaitDurable(log.endLsn(), Long.MAX_VALUE);
      }
      written.add(payload);
    }
    Mem.free(buffer);
  }

  /**
   * A log of two lives and several segments. No force is waited for after the last batch: in a log
   * that crashed, damage there is a cut, and in one that was closed, the seal says that it is none.
   */
  private ByteFiles logEnding(End end, int secondLifeBatches) throws IOException {
    Path dir = temp.resolve("log-" + end);
    SplittableRandom random = new SplittableRandom(3);
    TransactionLog log = start(dir);
    appendForced(log, 16, random);
    end(log, End.CRASHED);
    log = start(dir);
    appendForced(log, secondLifeBatches - 1, random);
    append(log, 1, false, random);
    end(log, end);
    ByteFiles files = new ByteFiles();
    try (var paths = Files.list(dir)) {
      for (Path path : paths.toList()) {
        files.files.put(path.getFileName().toString(), Files.readAllBytes(path));
      }
    }
    return files;
  }

  private static void end(TransactionLog log, End end) {
    if (end == End.CRASHED) {
      log.fence(new IllegalStateException("the test ends this log"));
    }
    log.close();
  }

  private ReplayReport replay(ByteFiles files) {
    read.clear();
    SegmentCatalog catalog = SegmentCatalog.load(files, Path.of("log"), IDENTITY);
    return new LogReplay(
            files,
            catalog,
            0,
            0,
            (lsn, endLsn, address, length) -> {
              byte[] payload = new byte[length];
              Mem.copyOut(address, payload, 0, length);
              read.add(payload);
            })
        .run();
  }

  private boolean readIsPrefix() {
    if (read.size() > written.size()) {
      return false;
    }
    for (int i = 0; i < read.size(); i++) {
      if (!Arrays.equals(read.get(i), written.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Damages one byte; returns how many batches the replay lost, or -1 if it failed. */
  private int lostAfter(ByteFiles files, String name, int at, int xor) {
    byte[] bytes = files.files.get(name);
    bytes[at] ^= (byte) xor;
    try {
      ReplayReport report = replay(files);
      int lost = written.size() - read.size();
      if (!readIsPrefix() || (lost > 0 && report.cut() == null)) {
        throw new AssertionError(name + " byte " + at + " xor " + xor + ": wrong data");
      }
      return lost;
    } catch (CorruptionException | UnsupportedFormatException e) {
      if (!e.getMessage().contains("log-00")) {
        throw new AssertionError(name + " byte " + at + ": no file in the message", e);
      }
      return -1;
    } finally {
      bytes[at] ^= (byte) xor;
    }
  }

  /** How often damage was detected, harmless, and a cut. */
  private int[] sweep(ByteFiles files, int maxLost, IntSupplier mask) {
    int[] outcomes = new int[3];
    for (String name : files.files.keySet()) {
      for (int at = 0; at < files.files.get(name).length; at++) {
        int xor = mask.getAsInt();
        int lost = lostAfter(files, name, at, xor);
        // Building the description costs more than the replay.
        if (lost > maxLost) {
          throw new AssertionError(name + " byte " + at + " xor " + xor + " lost " + lost);
        }
        outcomes[lost < 0 ? 0 : lost == 0 ? 1 : 2]++;
      }
    }
    return outcomes;
  }

  /** The smallest payloads, and their number; what a sweep detects at least. */
  private static final int LEAST_DETECTED = 30 * (PAYLOAD_BYTES - 300);

  /** The last frame alone says that the one before it was durable. */
  @Test
  void aDurableFrameThatBecameZerosIsMissedByTheOnlyFrameBehindIt() throws IOException {
    ByteFiles files = logEnding(End.CRASHED, 16);
    byte[] lost = written.get(written.size() - 2);
    byte[] last = written.get(written.size() - 1);
    String name =
        files.files.keySet().stream()
            .filter(file -> indexOf(files, file, last) >= 0)
            .findFirst()
            .orElseThrow();
    int at = indexOf(files, name, lost);
    assertThat(at).as("in the same segment").isPositive();
    int end = indexOf(files, name, last) - FrameLayout.HEADER_BYTES;
    Arrays.fill(files.files.get(name), at - FrameLayout.HEADER_BYTES, end, (byte) 0);
    assertThatThrownBy(() -> replay(files))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(name);
  }

  /** Where a payload begins in a file; -1 if it is not there. */
  private static int indexOf(ByteFiles files, String name, byte[] payload) {
    byte[] bytes = files.files.get(name);
    for (int at = 0; at + payload.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + payload.length, payload, 0, payload.length)) {
        return at;
      }
    }
    return -1;
  }

  @Test
  void aSealedLogLosesNothing() throws IOException {
    ByteFiles files = logEnding(End.SEALED, 16);
    replay(files);
    assertThat(read).hasSameSizeAs(written);
    int[] outcomes = sweep(files, 0, () -> 0xff);
    assertThat(outcomes[0]).as("detected").isGreaterThan(LEAST_DETECTED);
    assertThat(outcomes[2]).as("cut, with nothing lost").isZero();
  }

  @Test
  void aCrashedLogLosesAtMostItsLastGroup() throws IOException {
    ByteFiles files = logEnding(End.CRASHED, 16);
    replay(files);
    assertThat(read).hasSameSizeAs(written);
    SplittableRandom random = new SplittableRandom(9);
    int[] outcomes = sweep(files, 1, () -> 1 << random.nextInt(8));
    assertThat(outcomes[0]).as("detected").isGreaterThan(LEAST_DETECTED);
    // The last batch: a header, and a payload of 400 bytes at least.
    assertThat(outcomes[2]).as("cut").isBetween(400, PAYLOAD_BYTES + 64);
  }

  @Test
  @Tag("soak")
  void everyBit() throws IOException {
    for (End end : End.values()) {
      written.clear();
      ByteFiles files = logEnding(end, 30);
      for (int bit = 0; bit < 8; bit++) {
        int mask = 1 << bit;
        sweep(files, end == End.SEALED ? 0 : 1, () -> mask);
      }
    }
  }

  @Test
  void everyTruncatedOrMissingFileIsNoticed() throws IOException {
    ByteFiles files = logEnding(End.SEALED, 30);
    for (String name : List.copyOf(files.files.keySet())) {
      byte[] whole = files.files.get(name);
      for (int length = 0; length < whole.length; length += 512) {
        files.files.put(name, Arrays.copyOf(whole, length));
        assertThat(replayOutcome(files)).as("%s cut to %s", name, length).isEqualTo("failed");
      }
      files.files.remove(name);
      boolean prepared = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getLong(4112) == 0;
      // A segment prepared ahead holds nothing, so its loss is none.
      assertThat(replayOutcome(files)).isEqualTo(prepared ? "whole" : "failed");
      files.files.put(name, whole);
    }
  }

  private String replayOutcome(ByteFiles files) {
    try {
      replay(files);
      return read.size() == written.size() ? "whole" : "lost";
    } catch (CorruptionException e) {
      return "failed";
    }
  }
}
