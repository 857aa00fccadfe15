package org.loam.engine.open;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.StorageException;
import org.loam.engine.host.HostLog;
import org.loam.log.CommitLog;

/**
 * Stands where the engine's own log would, for an engine whose host has the log: gives writes their
 * LSNs and keeps nothing.
 */
final class HostedLog implements CommitLog {
  private final HostLog host;
  private final AtomicBoolean fenced = new AtomicBoolean();
  private final AtomicLong truncationLsn = new AtomicLong();

  /** Written under the commit latch, after the start. */
  private volatile long endLsn;

  /** No other thread knows the log before the start. */
  private long startLsn;

  HostedLog(HostLog host) {
    this.host = host;
  }

  /**
   * Begins.
   *
   * @param floorLsn at least every LSN that the database knows of
   * @return the LSN at which writes begin
   */
  long start(long floorLsn) {
    endLsn = checked(Math.max(floorLsn, host.endLsn()));
    startLsn = endLsn;
    return endLsn;
  }

  @Override
  public boolean isHosted() {
    return true;
  }

  @Override
  public Appended append(long payloadAddress, int payloadLength, int payloadCrc) {
    endLsn = checked(Math.max(endLsn, host.endLsn())) + 1;
    return Appended.DONE;
  }

  private static long checked(long lsn) {
    if (lsn < 0 || lsn >= LSN_LIMIT) {
      throw new IllegalArgumentException(
          "the host's log is at LSN " + lsn + ": must be from 0 to " + (LSN_LIMIT - 1));
    }
    return lsn;
  }

  @Override
  public Appended mark(long manifestNumber, long forcedBytes) {
    return Appended.DONE;
  }

  /** Each write takes one LSN. */
  @Override
  public long lastLsn() {
    return endLsn - 1;
  }

  @Override
  public boolean keepMark(long manifestNumber, long forcedBytes) {
    return true;
  }

  @Override
  public long keptMark(long manifestNumber, long forcedBytes) {
    append(0, 0, 0);
    return lastLsn();
  }

  @Override
  public void releaseMark() {}

  @Override
  public boolean awaitRoom(int payloadLength, long deadlineNanos) {
    return true;
  }

  @Override
  public boolean awaitMarkRoom(long deadlineNanos) {
    return true;
  }

  @Override
  public void setMaxLogBytes(long bytes) {}

  @Override
  public long endLsn() {
    return endLsn;
  }

  /** What the host writes survives as the host says; to the engine it is as good as durable. */
  @Override
  public long durableLsn() {
    return endLsn;
  }

  @Override
  public boolean awaitDurable(long endLsn, long deadlineNanos) {
    return true;
  }

  @Override
  public long lengthBytes() {
    return host.lengthBytes();
  }

  @Override
  public long writtenBytes() {
    return endLsn - startLsn;
  }

  @Override
  public @Nullable StorageException segmentFault() {
    return null;
  }

  @Override
  public void truncate(long lsn) {
    // Flushes end beside each other.
    truncationLsn.accumulateAndGet(lsn, Math::max);
  }

  @Override
  public Hold hold() {
    throw new UnsupportedOperationException("the host has the log");
  }

  @Override
  public long truncationLsn() {
    return truncationLsn.get();
  }

  // It has no faults of its own, and after those of others the committer appends nothing.

  @Override
  public void fence(Throwable cause) {
    if (fenced.compareAndSet(false, true)) {
      host.fenced(cause);
    }
  }

  @Override
  public void onFenced(Consumer<Throwable> listener) {}

  @Override
  public boolean isFenced() {
    return false;
  }

  @Override
  public void close() {}
}
