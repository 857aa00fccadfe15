package org.loam.log;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.StorageException;
import org.loam.log.recover.FrameConsumer;
import org.loam.log.recover.LogReplay;
import org.loam.log.recover.ReplayReport;
import org.loam.log.recover.SegmentCatalog;

/**
 * Loam's write-ahead log: frames appended to mapped segment files, forced in groups, replayed after
 * a crash.
 *
 * <p>A log is {@linkplain #open opened}, {@linkplain #replay replayed} once, {@linkplain #start
 * started}, and then takes frames until it is {@linkplain #close closed} or fenced. See {@link
 * CommitLog} for what an LSN is; every position that this class calls an end, and the durable LSN,
 * is exclusive.
 *
 * <p>What was appended survives the death of the process at once, because it lies in the page
 * cache. It survives power loss once {@link #awaitDurable} has returned true for its end.
 */
public final class TransactionLog implements CommitLog {
  private static final Logger LOGGER = LogManager.getLogger(TransactionLog.class);

  private final StorageEnv env;
  private final Path directory;
  private final LogConfig config;
  private final long identity;
  private final SegmentCatalog catalog;
  private @Nullable LogReplay replay;
  private @Nullable ReplayReport report;
  private boolean startTried;
  private long fromLsn;
  private volatile @Nullable LogWriter writer;
  private volatile @Nullable LogParts parts;

  private TransactionLog(
      StorageEnv env, Path directory, LogConfig config, long identity, SegmentCatalog catalog) {
    this.env = env;
    this.directory = directory;
    this.config = config;
    this.identity = identity;
    this.catalog = catalog;
  }

  /**
   * Reads which segments there are; changes nothing.
   *
   * @param directory of the segment files and nothing else of the log; need not exist yet
   * @param identity the database's random number, which every segment and frame carries
   * @throws org.loam.common.error.CorruptionException if a segment's header is damaged or foreign
   * @throws org.loam.common.error.UnsupportedFormatException if a newer release wrote one
   */
  public static TransactionLog open(
      StorageEnv env, Path directory, LogConfig config, long identity) {
    SegmentCatalog catalog = SegmentCatalog.load(env.files(), directory, identity);
    return new TransactionLog(env, directory, config, identity, catalog);
  }

  /**
   * Whether a {@link #start} has ended the log in the segment that holds an LSN, and gone on in
   * another one. Only before this one's start.
   */
  public boolean hasGoneOnFrom(long lsn) {
    return catalog.endsAt(lsn);
  }

  /**
   * Delivers the batches from an LSN to the end of the log; changes nothing. Once per opened log.
   *
   * <p>Bytes that were durable and are damaged or missing stop it with an exception. The first bad
   * place that nothing says was durable is the end of the log, and the report says where and why.
   *
   * @param fromLsn the truncation LSN that the database recorded; 0 if it never recorded one. A
   *     database records the result of its first {@link #start} before its first write, so that a
   *     log that disappears is noticed
   * @param knownDurableLsn exclusive end LSN that the caller knows to have been forced (the LSN
   *     after the highest one in an installed component), 0 if none
   */
  public ReplayReport replay(long fromLsn, long knownDurableLsn, FrameConsumer consumer) {
    if (fromLsn < 0 || knownDurableLsn < 0) {
      throw new IllegalArgumentException(
          "fromLsn is "
              + fromLsn
              + ", knownDurableLsn is "
              + knownDurableLsn
              + ", must be at least 0");
    }
    if (replay != null) {
      throw new IllegalStateException("the log was replayed already; open it again");
    }
    LogReplay pass = new LogReplay(env.files(), catalog, fromLsn, knownDurableLsn, consumer);
    replay = pass;
    this.fromLsn = fromLsn;
    ReplayReport found = pass.run();
    report = found;
    if (found.cut() != null) {
      LOGGER.warn("the log was not closed in order: {}", found.cut());
    }
    if (!found.damagedHeaders().isEmpty()) {
      LOGGER.warn("one of two header copies is not valid in {}", found.damagedHeaders());
    }
    return found;
  }

  /** {@link #replay(long, long, FrameConsumer)} for a caller that knows of no forced LSN. */
  public ReplayReport replay(long fromLsn, FrameConsumer consumer) {
    return replay(fromLsn, 0, consumer);
  }

  /**
   * Makes durable what was replayed, ends the log there for good, and begins a fresh segment; then
   * the log takes frames. A crash in here leaves a log that replays the same. After an exception
   * the log must be opened again.
   *
   * @param floorLsn at least every LSN the database knows of; LSNs go on a segment above it
   * @return the LSN at which the log goes on
   */
  public long start(long floorLsn) {
    ReplayReport replayed = report;
    LogReplay pass = replay;
    if (replayed == null || pass == null || startTried) {
      throw new IllegalStateException(
          startTried ? "the log was started already" : "the log must be replayed first");
    }
    startTried = true;
    LogStart.Bounds bounds = new LogStart.Bounds(fromLsn, replayed.endLsn(), floorLsn);
    LogStart.Begun begun =
        new LogStart(env, directory, config, identity).begin(catalog, pass.chain(), bounds);
    LogWriter started = new LogWriter(begun.parts(), begun.first());
    started.startThreads(env.tasks());
    parts = begun.parts();
    writer = started;
    return begun.first().header().dataStartLsn();
  }

  @Override
  public boolean isHosted() {
    return false;
  }

  @Override
  public Appended append(long payloadAddress, int payloadLength, int payloadCrc) {
    return writer().append(payloadAddress, payloadLength, payloadCrc);
  }

  @Override
  public Appended mark(long manifestNumber, long forcedBytes) {
    return writer().mark(manifestNumber, forcedBytes);
  }

  @Override
  public long lastLsn() {
    return writer().lastLsn();
  }

  @Override
  public boolean keepMark(long manifestNumber, long forcedBytes) {
    return writer().keepMark(manifestNumber, forcedBytes);
  }

  @Override
  public long keptMark(long manifestNumber, long forcedBytes) {
    return writer().keptMark(manifestNumber, forcedBytes);
  }

  @Override
  public void releaseMark() {
    writer().releaseMark();
  }

  @Override
  public boolean awaitRoom(int payloadLength, long deadlineNanos) {
    return writer().awaitRoom(payloadLength, deadlineNanos);
  }

  @Override
  public boolean awaitMarkRoom(long deadlineNanos) {
    return writer().awaitMarkRoom(deadlineNanos);
  }

  @Override
  public long endLsn() {
    return parts().progress().endLsn();
  }

  @Override
  public long durableLsn() {
    return parts().progress().durableLsn();
  }

  @Override
  public boolean awaitDurable(long endLsn, long deadlineNanos) {
    LogParts running = parts();
    if (endLsn > running.progress().endLsn()) {
      throw new IllegalArgumentException(
          "endLsn is "
              + endLsn
              + ", must be at most the end of the log, "
              + running.progress().endLsn());
    }
    return running.commit().await(endLsn, deadlineNanos);
  }

  @Override
  public long lengthBytes() {
    LogParts running = parts();
    return running.live().lengthBytes(running.progress().endLsn());
  }

  @Override
  public long writtenBytes() {
    return parts().writtenBytes();
  }

  @Override
  public @Nullable StorageException segmentFault() {
    return parts().slots().fault();
  }

  @Override
  public void truncate(long lsn) {
    LogParts running = parts();
    if (lsn > running.progress().durableLsn()) {
      throw new IllegalArgumentException(
          "lsn is "
              + lsn
              + ", must be at most the durable LSN, "
              + running.progress().durableLsn());
    }
    running.slots().addFree(running.live().truncate(lsn));
  }

  @Override
  public Hold hold() {
    return new LogHold(env.files(), parts());
  }

  @Override
  public long truncationLsn() {
    return parts().live().truncationLsn();
  }

  @Override
  public void setMaxLogBytes(long bytes) {
    writer().limit(config.withMaxLogBytes(bytes));
  }

  @Override
  public void fence(Throwable cause) {
    writer().raise(cause);
  }

  @Override
  public void onFenced(Consumer<Throwable> listener) {
    parts().fence().onRaised(listener);
  }

  @Override
  public boolean isFenced() {
    return parts().fence().isRaised();
  }

  /** Forces everything, seals the log and ends its threads; a fenced log is not sealed. */
  @Override
  public void close() {
    LogWriter running = writer;
    if (running != null) {
      running.close();
    }
  }

  private LogWriter writer() {
    LogWriter running = writer;
    if (running == null) {
      throw notStarted();
    }
    return running;
  }

  private LogParts parts() {
    LogParts running = parts;
    if (running == null) {
      throw notStarted();
    }
    return running;
  }

  private static IllegalStateException notStarted() {
    return new IllegalStateException("the log was not started");
  }
}
