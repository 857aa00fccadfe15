package org.loam.lsm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.loam.lsm.FlushPolicy.ActiveMemory;

/**
 * Which memory components leave before the log is too long: those with the oldest writes, and so
 * few at a time that the last one is gone when it must be. Components that began together thus do
 * not leave together, for longer each time: writers do not wait for the flush of half of the
 * memory. One thread at a time.
 */
public final class EvenFlushes {
  /**
   * A component is old when the log has grown by so much of what is too long since its first write.
   */
  private static final double OLD_RATIO = 0.5;

  /** Bytes that should have left, less than the next component has. */
  private double owedBytes;

  /** Whether a log is so long that a component may be old. */
  public static boolean mayChoose(long logBytes, long longBytes) {
    return logBytes >= OLD_RATIO * longBytes;
  }

  /**
   * Chooses, whenever the log has grown some.
   *
   * @param actives all that may leave
   * @param longBytes length of the log at which the oldest write must be gone
   * @param grownBytes by how much it grows until the next call
   */
  public <T> List<T> choose(
      List<ActiveMemory<T>> actives, long endLsn, long longBytes, long grownBytes) {
    List<ActiveMemory<T>> old =
        actives.stream()
            .filter(one -> endLsn - one.minLsn() >= OLD_RATIO * longBytes)
            .sorted(Comparator.comparingLong(ActiveMemory::minLsn))
            .toList();
    owedBytes += bytesForLogByte(old, endLsn, longBytes, grownBytes) * grownBytes;
    List<T> chosen = new ArrayList<>();
    for (ActiveMemory<T> oldest : old) {
      if (owedBytes < oldest.bytes()) {
        return chosen;
      }
      chosen.add(oldest.component());
      owedBytes -= oldest.bytes();
    }
    owedBytes = 0;
    return chosen;
  }

  /** The least rate at which each component leaves in time, the older ones before it. */
  private static <T> double bytesForLogByte(
      List<ActiveMemory<T>> oldestFirst, long endLsn, long longBytes, long grownBytes) {
    double rate = 0;
    double bytes = 0;
    for (ActiveMemory<T> one : oldestFirst) {
      bytes += one.bytes();
      long left = longBytes - (endLsn - one.minLsn());
      rate = Math.max(rate, bytes / Math.max(left, grownBytes));
    }
    return rate;
  }
}
