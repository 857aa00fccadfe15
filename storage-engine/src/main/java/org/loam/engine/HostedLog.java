package org.loam.engine;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;
import org.loam.log.CommitLog;

/**
 * Stands where the engine's own log would, for an engine whose host has the log: gives writes their
 * LSNs and keeps nothing.
 */
final class HostedLog implements CommitLog {
  private final HostLog host;
  private volatile long endLsn;
  private volatile long truncationLsn;
  private volatile @Nullable Throwable fence;
  private volatile @Nullable Consumer<Throwable> onFenced;

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
    endLsn = Math.max(floorLsn, host.endLsn());
    return endLsn;
  }

  @Override
  public boolean keepsPayload() {
    return false;
  }

  @Override
  public long append(long payloadAddress, int payloadLength, int payloadCrc) {
    Throwable cause = fence;
    if (cause != null) {
      throw new FencedException("the engine is fenced: " + cause.getMessage(), cause);
    }
    long lsn = Math.max(endLsn, host.endLsn());
    endLsn = lsn + 1;
    return lsn;
  }

  @Override
  public long mark(long manifestNumber, long forcedBytes) {
    return endLsn;
  }

  @Override
  public boolean awaitRoom(int payloadLength, long deadlineNanos) {
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
  public void truncate(long lsn) {
    truncationLsn = Math.max(truncationLsn, lsn);
  }

  @Override
  public long truncationLsn() {
    return truncationLsn;
  }

  @Override
  public void fence(Throwable cause) {
    if (fence == null) {
      fence = cause;
      tell(onFenced, cause);
    }
  }

  @Override
  public void onFenced(Consumer<Throwable> listener) {
    onFenced = listener;
    Throwable cause = fence;
    if (cause != null) {
      tell(listener, cause);
    }
  }

  private static void tell(@Nullable Consumer<Throwable> listener, Throwable cause) {
    if (listener != null) {
      listener.accept(cause);
    }
  }

  @Override
  public boolean isFenced() {
    return fence != null;
  }

  @Override
  public void close() {}
}
