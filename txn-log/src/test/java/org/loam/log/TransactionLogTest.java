package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog.Appended;
import org.loam.log.format.FrameLayout;
import org.loam.log.recover.ReplayReport;

/** The life of a log on real files: what goes in comes out, across restarts and truncation. */
class TransactionLogTest {
  private static final long IDENTITY = 0x1234_5678_9abc_def0L;
  private static final LogConfig SMALL = new LogConfig(16 << 10, 1 << 20, 2, 0);
  private static final int VALUE_BYTES = 500;

  @TempDir Path temp;
  private final StorageEnv env = RealEnv.create();
  private final TestBatches batches = new TestBatches();
  private final List<Integer> replayed = new ArrayList<>();
  private final List<Long> lsns = new ArrayList<>();
  private Path dir;

  @BeforeEach
  void directory() {
    dir = temp.resolve("log");
  }

  @AfterEach
  void nothingLeaks() {
    assertThat(Mem.describeLive()).doesNotContain(" of log ", "mapped file");
    batches.close();
  }

  private TransactionLog open() {
    return TransactionLog.open(env, dir, SMALL, IDENTITY);
  }

  private ReplayReport replay(TransactionLog log, long fromLsn) {
    replayed.clear();
    lsns.clear();
    return log.replay(
        fromLsn,
        (lsn, endLsn, address, length) -> {
          assertThat(endLsn).isEqualTo(lsn + FrameLayout.frameBytes(length));
          replayed.add(batches.read(lsn, address, length));
          lsns.add(lsn);
        });
  }

  private TransactionLog started(long fromLsn) {
    TransactionLog log = open();
    replay(log, fromLsn);
    log.start(0);
    return log;
  }

  private List<Long> append(TransactionLog log, int from, int to) {
    List<Long> appended = new ArrayList<>();
    for (int i = from; i < to; i++) {
      appended.add(batches.appendWaiting(log, i, VALUE_BYTES));
    }
    return appended;
  }

  /** Ends the log as the death of the process would: nothing forced, nothing sealed. */
  private static void die(TransactionLog log) {
    log.fence(new IllegalStateException("the test ends this log"));
    log.close();
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Test
  void replaysWhatWasAppendedBeforeAnOrderlyClose() {
    TransactionLog log = started(0);
    List<Long> appended = append(log, 0, 200);
    log.close();

    ReplayReport report = replay(open(), 0);
    assertThat(replayed).isEqualTo(range(0, 200));
    assertThat(lsns).isEqualTo(appended);
    assertThat(report.sealed()).isTrue();
    assertThat(report.frames()).isEqualTo(200);
  }

  @Test
  void replaysWhatWasAppendedBeforeTheProcessDied() {
    TransactionLog log = started(0);
    append(log, 0, 200);
    long end = log.endLsn();
    die(log);

    ReplayReport report = replay(open(), 0);
    assertThat(replayed).isEqualTo(range(0, 200));
    assertThat(report.endLsn()).isEqualTo(end);
    assertThat(report.cut()).isNotNull();
    assertThat(report.cut().lsn()).isEqualTo(end);
    assertThat(report.cut().discardedFrames()).isZero();
  }

  @Test
  void goesOnOverManyLivesWithoutUsingAnLsnTwice() {
    int next = 0;
    long lastEnd = 0;
    for (int life = 0; life < 12; life++) {
      TransactionLog log = open();
      replay(log, 0);
      assertThat(replayed).isEqualTo(range(0, next));
      long start = log.start(0);
      assertThat(start).isGreaterThan(lastEnd + SMALL.segmentBytes());
      append(log, next, next + 10 + life * 7);
      next += 10 + life * 7;
      lastEnd = log.endLsn();
      if (life % 3 == 0) {
        log.close();
      } else {
        die(log);
      }
    }
  }

  @Test
  void startsAboveTheFloor() {
    TransactionLog log = open();
    replay(log, 0);
    assertThat(log.start(1_000_000)).isGreaterThanOrEqualTo(1_000_000 + SMALL.segmentBytes());
    append(log, 0, 5);
    log.close();
    replay(open(), 0);
    assertThat(replayed).isEqualTo(range(0, 5));
  }

  @Test
  void refusesToStartAboveTheLargestLsn() {
    TransactionLog log = open();
    replay(log, 0);
    assertThatThrownBy(() -> log.start(CommitLog.LSN_LIMIT - SMALL.segmentBytes()))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("no LSNs from " + CommitLog.LSN_LIMIT + " on");
    log.close();
  }

  @Test
  void takesFramesUpToTheLargestLsn() {
    TransactionLog log = open();
    replay(log, 0);
    // Two more segments begin below the limit.
    log.start(CommitLog.LSN_LIMIT - 3 * SMALL.segmentBytes());
    assertThatThrownBy(() -> append(log, 0, 1000))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("no LSNs from " + CommitLog.LSN_LIMIT + " on");
    long last = log.lastLsn();
    assertThat(last)
        .isBetween(CommitLog.LSN_LIMIT - 2 * VALUE_BYTES - (8 << 10), CommitLog.LSN_LIMIT);
    log.close();
    replay(open(), 0);
    assertThat(lsns).endsWith(last);
  }

  @Test
  void awaitDurableMovesTheDurableLsnToTheEnd() {
    TransactionLog log = started(0);
    append(log, 0, 100);
    assertThat(log.awaitDurable(log.endLsn(), Long.MAX_VALUE)).isTrue();
    assertThat(log.durableLsn()).isEqualTo(log.endLsn());
    log.close();
    assertThatThrownBy(() -> append(log, 100, 101)).isInstanceOf(ClosedException.class);
  }

  @Test
  void truncationFreesSegmentsForReuseAndReplayBeginsThere() throws IOException {
    TransactionLog log = started(0);
    int next = 0;
    for (int round = 0; round < 50; round++) {
      append(log, next, next + 40);
      next += 40;
      log.awaitDurable(log.endLsn(), Long.MAX_VALUE);
      log.truncate(log.endLsn());
      assertThat(log.lengthBytes()).isZero();
    }
    long truncated = log.truncationLsn();
    assertThat(log.writtenBytes())
        .isBetween(next * (long) VALUE_BYTES, next * (VALUE_BYTES + 100L));
    assertThat(log.endLsn()).as("with gaps").isGreaterThan(log.writtenBytes() + (60L << 10));
    List<Long> appended = append(log, next, next + 60);
    assertThat(log.lengthBytes()).isBetween(60L * VALUE_BYTES, 60L * (VALUE_BYTES + 100));
    // 2000 batches of half a KB went through: without reuse that were more than 60 segments.
    try (var files = Files.list(dir)) {
      assertThat(files.count()).isLessThan(12);
    }
    die(log);

    TransactionLog again = open();
    replay(again, truncated);
    assertThat(replayed).isEqualTo(range(next, next + 60));
    assertThat(lsns).isEqualTo(appended);
  }

  @Test
  void replaysFromEveryLsnItGaveOut() {
    TransactionLog log = started(0);
    List<Long> appended = append(log, 0, 90);
    long end = log.endLsn();
    die(log);
    for (int i = 0; i < 90; i++) {
      replay(open(), appended.get(i));
      assertThat(replayed).isEqualTo(range(i, 90));
    }
    replay(open(), end);
    assertThat(replayed).isEmpty();
  }

  @Test
  void refusesATruncationLsnInsideAFrame() {
    TransactionLog log = started(0);
    List<Long> appended = append(log, 0, 10);
    log.close();
    assertThatThrownBy(() -> replay(open(), appended.get(4) + 8))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("where no frame begins");
  }

  @Test
  void noRoomAtTheMaximumLengthUntilTruncated() {
    TransactionLog log = started(0);
    int i = 0;
    while (batches.append(log, i, VALUE_BYTES) == Appended.DONE
        || log.lengthBytes() + 2 * VALUE_BYTES < SMALL.maxLogBytes()) {
      log.awaitRoom(VALUE_BYTES, env.clock().nanoTime() + 1);
      i++;
    }
    assertThat(log.lengthBytes()).isLessThanOrEqualTo(SMALL.maxLogBytes());
    int payload = batches.payloadLength(i, VALUE_BYTES);
    assertThat(log.awaitRoom(payload, env.clock().nanoTime())).isFalse();
    assertThat(log.mark(1, 2)).as("marks are let through").isEqualTo(Appended.DONE);
    log.awaitDurable(log.endLsn(), Long.MAX_VALUE);
    log.truncate(log.endLsn());
    assertThat(log.awaitRoom(payload, Long.MAX_VALUE)).isTrue();
    assertThat(batches.append(log, i, VALUE_BYTES)).isEqualTo(Appended.DONE);
    log.close();
  }

  @Test
  void reportsTheLastMark() {
    TransactionLog log = started(0);
    append(log, 0, 3);
    log.mark(1, 4096);
    append(log, 3, 6);
    log.mark(2, 77);
    die(log);
    assertThat(replay(open(), 0).mark()).isEqualTo(new ReplayReport.Mark(2, 77));
    assertThat(replayed).isEqualTo(range(0, 6));
  }

  @Test
  void aFencedLogRefusesWritesAndStaysReadable() {
    TransactionLog log = started(0);
    // One only: the log forces by itself what is longer than a sixteenth of a segment.
    append(log, 0, 1);
    long end = log.endLsn();
    IllegalStateException cause = new IllegalStateException("elsewhere");
    log.fence(cause);
    assertThat(log.isFenced()).isTrue();
    assertThatThrownBy(() -> append(log, 1, 2)).isInstanceOf(FencedException.class).hasCause(cause);
    assertThatThrownBy(() -> log.awaitDurable(end, Long.MAX_VALUE))
        .isInstanceOf(FencedException.class)
        .hasCause(cause);
    assertThatThrownBy(() -> log.awaitRoom(1 << 30, Long.MAX_VALUE))
        .isInstanceOf(FencedException.class);
    assertThat(log.endLsn()).isEqualTo(end);
    log.close();
    replay(open(), 0);
    assertThat(replayed).isEqualTo(range(0, 1));
  }

  @Test
  void refusesWrongCalls() {
    TransactionLog log = open();
    assertThatThrownBy(() -> log.start(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(log::endLsn).isInstanceOf(IllegalStateException.class);
    replay(log, 0);
    assertThatThrownBy(() -> replay(log, 0)).isInstanceOf(IllegalStateException.class);
    log.start(0);
    assertThatThrownBy(() -> log.start(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> log.append(0, SMALL.maxPayloadBytes() + 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4097")
        .hasMessageContaining("4096");
    assertThatThrownBy(() -> log.awaitDurable(log.endLsn() + 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    append(log, 0, 1);
    assertThatThrownBy(() -> log.truncate(log.endLsn()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("durable");
    log.close();
    log.close();
  }

  @Test
  void refusesTheLogOfAnotherDatabase() {
    TransactionLog log = started(0);
    log.close();
    assertThatThrownBy(() -> TransactionLog.open(env, dir, SMALL, IDENTITY + 1))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("another database");
  }

  @Test
  void refusesASegmentOfANewerVersion() throws IOException {
    TransactionLog log = started(0);
    log.close();
    SegmentBytes.edit(dir.resolve("log-000000.seg"), header -> header.putInt(8, 2));
    assertThatThrownBy(this::open)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("version 2");
  }

  @Test
  void missesASegmentThatDisappeared() throws IOException {
    TransactionLog log = started(0);
    List<Long> appended = append(log, 0, 200);
    log.close();
    for (int slot = 0; slot < 6; slot++) {
      Path path = dir.resolve(String.format("log-%06d.seg", slot));
      Path away = temp.resolve("away");
      Files.move(path, away);
      assertThatThrownBy(() -> replay(open(), 0)).isInstanceOf(CorruptionException.class);
      Files.move(away, path);
    }
    // Needed from a later segment on only, the first may go.
    Files.delete(dir.resolve("log-000000.seg"));
    replay(open(), appended.get(150));
    assertThat(replayed).isEqualTo(range(150, 200));
  }

  @Test
  void missesTheSegmentsOfALaterLife() throws IOException {
    TransactionLog log = started(0);
    append(log, 0, 10);
    die(log);
    log = started(0);
    append(log, 10, 20);
    log.close();
    // The second life runs in a recycled or new file; whichever it is, it is named by the first.
    long firstOfSecond = lsnsOf(10);
    Path path = segmentHolding(firstOfSecond);
    Files.delete(path);
    assertThatThrownBy(() -> replay(open(), 0))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("the log goes on in segment");
  }

  private long lsnsOf(int batch) {
    replay(open(), 0);
    return lsns.get(replayed.indexOf(batch));
  }

  private Path segmentHolding(long lsn) throws IOException {
    try (var files = Files.list(dir)) {
      return files
          .filter(p -> p.toString().endsWith(".seg"))
          .filter(
              p -> {
                // The log may rename a spare segment at any time; the current one stays.
                long base = SegmentBytes.header(p).map(h -> h.getLong(40)).orElse(Long.MAX_VALUE);
                return base <= lsn && lsn < base + SMALL.segmentBytes();
              })
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void missesTheWholeLog() throws IOException {
    TransactionLog log = open();
    replay(log, 0);
    long start = log.start(0);
    append(log, 0, 10);
    log.close();
    Files.move(dir, temp.resolve("elsewhere"));
    assertThatThrownBy(() -> replay(open(), start))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("no segments");
  }

  @Test
  void changesTheSegmentSizeBetweenLives() throws IOException {
    TransactionLog log = started(0);
    append(log, 0, 100);
    log.close();
    LogConfig larger = new LogConfig(32 << 10, 1 << 20, 1, 0);
    TransactionLog again = TransactionLog.open(env, dir, larger, IDENTITY);
    replay(again, 0);
    long start = again.start(0);
    append(again, 100, 200);
    again.awaitDurable(again.endLsn(), Long.MAX_VALUE);
    again.close();
    replay(open(), 0);
    assertThat(replayed).isEqualTo(range(0, 200));
    replay(open(), start);
    assertThat(replayed).isEqualTo(range(100, 200));
  }

  @Test
  void deletesFilesOfAnInterruptedCreation() throws IOException {
    TransactionLog log = started(0);
    log.close();
    Path leftover = dir.resolve("log-000099.seg.new");
    Files.write(leftover, new byte[10]);
    Files.write(dir.resolve("unrelated.txt"), new byte[10]);
    log = started(0);
    append(log, 0, 100);
    log.close();
    assertThat(leftover).doesNotExist();
    assertThat(dir.resolve("unrelated.txt")).exists();
  }

  @Test
  void startsThatCrashAgainAndAgainDoNotMakeTheLogGrow() throws IOException {
    TransactionLog log = started(0);
    append(log, 0, 20);
    die(log);
    for (int life = 0; life < 20; life++) {
      die(started(0));
    }
    replay(open(), 0);
    assertThat(replayed).isEqualTo(range(0, 20));
    try (var files = Files.list(dir)) {
      assertThat(files.count()).isLessThan(9);
    }
  }

  @Test
  void anAwaitedDeadlineIsAnAnswer() {
    TransactionLog log = started(0);
    append(log, 0, 1);
    long end = log.endLsn();
    long past = env.clock().nanoTime() - 1;
    while (!log.awaitDurable(end, past)) {
      // The force was asked for all the same.
      env.waiter().spin();
    }
    assertThat(log.durableLsn()).isEqualTo(end);
    log.close();
  }

  @Test
  void aMappedPageThatIsGoneFencesTheLog() throws IOException {
    TransactionLog log = started(0);
    append(log, 0, 3);
    loseMappedPages(dir.resolve("log-000000.seg"));
    // Which of the two depends on whether the append was compiled.
    assertThatThrownBy(() -> append(log, 3, 4))
        .isInstanceOf(FencedException.class)
        .cause()
        .isInstanceOfAny(InternalError.class, StorageIoException.class);
    assertThat(log.isFenced()).isTrue();
    log.close();
  }

  @Test
  void aMappedPageThatIsGoneFencesTheLogInCompiledCode() throws IOException {
    TransactionLog log = started(0);
    for (int i = 0; i < 40_000; i++) {
      if (batches.append(log, i, 20) == Appended.NO_ROOM) {
        log.truncate(log.durableLsn());
        log.awaitRoom(100, Long.MAX_VALUE);
      }
      log.truncate(log.durableLsn());
    }
    loseMappedPages(segmentHolding(log.endLsn()));
    long end = log.endLsn();
    try {
      append(log, 0, 1);
      assertThat(dir).exists();
    } catch (FencedException | InternalError e) {
      // The JVM may throw its error as late as at the next call into the system.
      assertThat(e).isNotNull();
    }
    assertThat(log.isFenced()).isTrue();
    assertThat(log.endLsn()).isEqualTo(end);
    log.close();
  }

  private static void loseMappedPages(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
  }

  @Test
  void aMarkFindsTheRoomThatWasKeptForIt() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            TransactionLog log = TransactionLog.open(sim.env(), sim.directory(), SMALL, IDENTITY);
            log.replay(0, (lsn, endLsn, address, length) -> {});
            log.start(0);
            assertThat(log.keepMark(1, 1)).isTrue();
            assertThat(log.keepMark(1, 1)).isTrue();
            sim.faults().add(Fault.of(FaultEffect.DISK_FULL).on(IoKind.CREATE).asSticky());
            int appended = 0;
            while (batches.append(log, appended, VALUE_BYTES) == Appended.DONE) {
              appended++;
            }
            assertThat(appended).isPositive();
            while (log.mark(1, 1) == Appended.DONE) {
              appended++;
            }
            assertThat(log.keepMark(1, 1)).as("room for one more").isFalse();
            long end = log.endLsn();
            assertThat(log.keptMark(1, 2)).isEqualTo(end);
            assertThat(log.mark(1, 2)).isEqualTo(Appended.NO_ROOM);
            log.releaseMark();
            assertThat(log.mark(1, 2)).isEqualTo(Appended.DONE);
            assertThat(log.lastLsn()).isEqualTo(log.endLsn() - (log.endLsn() - end) / 2);
            assertThat(log.mark(1, 2)).isEqualTo(Appended.NO_ROOM);
            sim.faults().clear();
            log.close();
          });
    }
  }
}
