package org.loam.engine.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.scheduler.work.FlushProgress;
import org.loam.scheduler.work.FlushRelief;
import org.loam.scheduler.work.WriteControl;
import org.loam.scheduler.work.WriteGate;

/**
 * Slows the writers of all trees down while a flush is on its way, so that write memory and log
 * last until the flush gives some back. Thread-safe.
 */
final class MemoryPace {
  /** The forces of 64 files take about as long as so many bytes. */
  private static final long MOST_END_BYTES = 4 << 20;

  /** Of a small write memory, the end of a flush is taken for so small a part. */
  private static final int END_PART = 32;

  private final NanoClock clock;
  private final WriteGate gate;
  private final LongSupplier ownBytes;
  private final LongSupplier freeBytes;
  private final Monitor monitor;

  @GuardedBy("monitor")
  private final FlushRelief relief;

  @GuardedBy("monitor")
  private boolean paces;

  /**
   * Paces nothing until {@link #change}.
   *
   * @param gate of the writers of all trees
   * @param ownBytes all of write memory now
   * @param freeBytes of write memory and log now, whichever has less
   */
  MemoryPace(StorageEnv env, WriteGate gate, LongSupplier ownBytes, LongSupplier freeBytes) {
    this.clock = env.clock();
    this.gate = gate;
    this.ownBytes = ownBytes;
    this.freeBytes = freeBytes;
    this.monitor = env.waiter().newMonitor("pace of write memory");
    this.relief = new FlushRelief();
  }

  /** Says whether writers are paced. */
  void change(boolean paced) {
    monitor.lock();
    try {
      paces = paced;
      if (!paced) {
        gate.pace(WriteControl.UNLIMITED);
      }
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Sets the pace anew, and says whether a flush is late, since flushes went on.
   *
   * @param flushes asked in here, so that of several threads the last one has the latest answer
   * @param late told in here whether a flush is late, as {@link FlushRelief#isLate}
   */
  void flushAdvanced(Supplier<FlushProgress> flushes, Consumer<Boolean> late) {
    monitor.lock();
    try {
      FlushProgress now = flushes.get();
      relief.note(now.flushes() > 0, now.consumedInputBytes(), clock.nanoTime());
      long free = freeBytes.getAsLong();
      long endBytes = Math.min(MOST_END_BYTES, ownBytes.getAsLong() / END_PART);
      long left = now.remainingInputBytes() + endBytes;
      late.accept(relief.isLate(free, left));
      if (paces) {
        gate.pace(relief.bytesPerSecond(free, left));
      }
    } finally {
      monitor.unlock();
    }
  }
}
