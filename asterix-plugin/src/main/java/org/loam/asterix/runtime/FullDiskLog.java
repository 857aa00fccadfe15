package org.loam.asterix.runtime;

import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.DiskFullException;

/**
 * Keeps the logs readable while a disk is full. The engine logs a line when its work finds the disk
 * full, and one when such work succeeds again. For each statement that is refused meanwhile
 * AsterixDB would log stack traces in addition, on the node and on the cluster controller, there
 * with the whole statement; the client has the message anyway.
 */
public final class FullDiskLog extends RootFilter {
  private final BooleanSupplier isDiskFull;

  /** Of a cluster controller, to which nodes tell of a full disk only while it is full. */
  public FullDiskLog() {
    this(() -> true);
  }

  /**
   * Of a node.
   *
   * @param isDiskFull whether writes are refused now
   */
  FullDiskLog(BooleanSupplier isDiskFull) {
    this.isDiskFull = isDiskFull;
  }

  @Override
  public Result filter(LogEvent event) {
    boolean isFatal = event.getLevel().isMoreSpecificThan(Level.FATAL);
    return !isFatal && isOfFullDisk(event.getThrown()) && isDiskFull.getAsBoolean()
        ? Result.DENY
        : Result.NEUTRAL;
  }

  private static boolean isOfFullDisk(@Nullable Throwable thrown) {
    return Causes.of(thrown).stream().anyMatch(DiskFullException.class::isInstance);
  }
}
