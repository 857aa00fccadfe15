package org.loam.tuner.bench;

import java.util.SplittableRandom;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.ProcessorTimes;

/** A {@link Device} in virtual time: what it has done, and what flushes and merges it owes. */
final class Disk {
  /** Writers wait while it owes more. */
  private static final double MOST_OWED_NANOS = 500e6;

  /** The engine takes background work to go on for so long after a request. */
  private static final double GOES_ON_NANOS = 1e6;

  private final Device device;
  private final SplittableRandom random;

  private double owedNanos;
  private double owedWrites;
  private double owedReads;

  /** Since it owes nothing. */
  private double restedNanos = GOES_ON_NANOS;

  private double missNanos;
  private long besideRequests;
  private double besideNanos;
  private double writtenBytes;
  private double readBytes;

  Disk(Device device, SplittableRandom random) {
    this.device = device;
    this.random = random;
  }

  /** Flushes and merges are to write and read so much. */
  void owe(double writes, double reads) {
    owedWrites += writes;
    owedReads += reads;
    owedNanos += device.writeNanos(writes) + device.readNanos(reads);
    if (owedNanos > MOST_OWED_NANOS) {
      pass(owedNanos - MOST_OWED_NANOS);
    }
  }

  /** An operation has run, without what it missed. */
  void operation() {
    pass(Device.OPERATION_NANOS / Device.CLIENTS);
  }

  /** A client waits for a page. */
  void miss() {
    double nanos = device.missNanos() / device.diskPart();
    boolean isCopy = random.nextDouble() >= device.diskPart();
    double waits = random.nextDouble() * Math.min(owedNanos, Device.PIECE_NANOS);
    double took = isCopy ? 0 : nanos + waits;
    missNanos += took;
    if (owedNanos > 0 || restedNanos < GOES_ON_NANOS) {
      besideRequests++;
      besideNanos += took;
    }
    pass(took / Device.CLIENTS);
  }

  private void pass(double nanos) {
    double served = Math.min(nanos, owedNanos);
    if (served > 0) {
      double part = served / owedNanos;
      writtenBytes += part * owedWrites;
      readBytes += part * owedReads;
      owedWrites -= part * owedWrites;
      owedReads -= part * owedReads;
      owedNanos -= served;
      restedNanos = 0;
    }
    restedNanos += nanos - served;
  }

  /** What merges have read. */
  double readBytes() {
    return readBytes;
  }

  /** All since the start. */
  CycleTimes times() {
    return new CycleTimes(
        Math.round(missNanos),
        Math.round(device.readNanos(readBytes)),
        Math.round(writtenBytes),
        Math.round(device.writeNanos(writtenBytes)),
        ProcessorTimes.NONE,
        new CycleTimes.Beside(besideRequests, Math.round(besideNanos)));
  }
}
