package org.loam.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;

/**
 * Bounds the bytes that flushes and merges read and write (Stability §3.1). Thread-safe.
 *
 * <p>A token bucket in virtual time: {@code usedUntilNanos} is the moment up to which the bytes
 * granted so far use the rate up. It may lag behind the clock by the burst at most, so in any
 * period at most its length plus the burst is granted; a single grant larger than the burst is
 * given once a whole burst is there, and the rest is owed. Among claims that wait, the more urgent
 * class goes first, and within a class the claim that came first.
 */
public final class RateLimiter {
  /** How much of the rate may be used at once. */
  public static final long BURST_NANOS = 20_000_000;

  /** Least quantum: below it the cost of a step outweighs smoothness. */
  private static final long MIN_QUANTUM_BYTES = 64 << 10;

  private final NanoClock clock;
  private final Monitor monitor;

  /** In the order in which they came. */
  @GuardedBy("monitor")
  private final List<Claim> waiting = new ArrayList<>();

  @GuardedBy("monitor")
  private final EnumMap<IoClass, Use> uses = new EnumMap<>(IoClass.class);

  /** Written under the monitor. */
  private volatile long bytesPerSecond;

  @GuardedBy("monitor")
  private long usedUntilNanos;

  /**
   * A limiter with nothing used yet.
   *
   * @param bytesPerSecond the rate, 0 for no limit
   */
  public RateLimiter(StorageEnv env, long bytesPerSecond) {
    checkRate(bytesPerSecond);
    this.clock = env.clock();
    this.monitor = env.waiter().newMonitor("rate limiter");
    this.bytesPerSecond = bytesPerSecond;
    this.usedUntilNanos = clock.nanoTime() - BURST_NANOS;
    for (IoClass ioClass : IoClass.values()) {
      uses.put(ioClass, new Use(0, 0));
    }
  }

  /** The rate, 0 for no limit. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /**
   * Changes the rate at once, for those that wait too; 0 lets all of them go. Bytes that are owed
   * stay owed; without a limit nothing is.
   */
  public void setBytesPerSecond(long rate) {
    checkRate(rate);
    monitor.lock();
    try {
      long now = clock.nanoTime();
      long owedNanos = usedUntilNanos - now;
      if (bytesPerSecond == 0 || rate == 0) {
        usedUntilNanos = now;
      } else if (owedNanos > 0) {
        usedUntilNanos = now + (long) ((double) owedNanos * bytesPerSecond / rate);
      }
      bytesPerSecond = rate;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** The largest quantum, up to {@code maxBytes}, that fits into the burst. */
  public long quantumBytes(long maxBytes) {
    long rate = bytesPerSecond;
    if (rate == 0) {
      return maxBytes;
    }
    long burst = (long) (rate / 1e9 * BURST_NANOS);
    return Math.min(maxBytes, Math.max(MIN_QUANTUM_BYTES, burst));
  }

  /** A claim on the rate, to be made once per operation. */
  public Claim newClaim(IoClass ioClass) {
    return new Claim(ioClass);
  }

  /** What a class used so far. */
  public Use use(IoClass ioClass) {
    monitor.lock();
    try {
      return Objects.requireNonNull(uses.get(ioClass));
    } finally {
      monitor.unlock();
    }
  }

  /**
   * What a class used while there was a limit.
   *
   * @param grantedBytes bytes granted and not given back
   * @param waitedNanos time that operations waited for grants, summed over operations
   */
  public record Use(long grantedBytes, long waitedNanos) {
    private Use plus(Use more) {
      return new Use(grantedBytes + more.grantedBytes, waitedNanos + more.waitedNanos);
    }
  }

  /** One operation's way to the limiter. One thread at a time may acquire through it. */
  public final class Claim {
    /** Written under the monitor. */
    private volatile IoClass ioClass;

    /** Whether the last bytes were let pass without a limit. Of the thread that acquires. */
    private boolean uncounted;

    private Claim(IoClass ioClass) {
      this.ioClass = ioClass;
    }

    /** How urgent it is now. */
    public IoClass ioClass() {
      return ioClass;
    }

    /** Changes the urgency, from any thread, for a wait that is going on too. */
    public void setIoClass(IoClass changed) {
      if (ioClass == changed) {
        return;
      }
      monitor.lock();
      try {
        ioClass = changed;
        monitor.signalAll();
      } finally {
        monitor.unlock();
      }
    }

    /** Waits until the bytes may be transferred; without a limit, one volatile read. */
    public void acquire(long bytes) {
      uncounted = bytesPerSecond == 0;
      if (uncounted) {
        return;
      }
      monitor.lock();
      try {
        waiting.add(this);
        long start = clock.nanoTime();
        long now = start;
        while (bytesPerSecond != 0) {
          if (next() != this) {
            monitor.await();
          } else {
            long earliest = usedUntilNanos + Math.min(nanosFor(bytes), BURST_NANOS);
            if (earliest - now <= 0) {
              break;
            }
            monitor.await(earliest - now);
          }
          now = clock.nanoTime();
        }
        waiting.remove(this);
        uses.merge(ioClass, new Use(bytes, now - start), Use::plus);
        usedUntilNanos = laterOf(usedUntilNanos, now - BURST_NANOS) + nanosFor(bytes);
        monitor.signalAll();
      } finally {
        monitor.unlock();
      }
    }

    /**
     * Corrects the last grant by what was really transferred. If there was no limit then, nothing
     * was counted, and nothing is corrected.
     *
     * @param unusedBytes granted but not transferred; negative if more was transferred
     */
    public void giveBack(long unusedBytes) {
      if (uncounted || bytesPerSecond == 0 || unusedBytes == 0) {
        return;
      }
      monitor.lock();
      try {
        uses.merge(ioClass, new Use(-unusedBytes, 0), Use::plus);
        usedUntilNanos -= nanosFor(unusedBytes);
        monitor.signalAll();
      } finally {
        monitor.unlock();
      }
    }
  }

  /** The claim that is granted before all others that wait; null if none waits. */
  @GuardedBy("monitor")
  private @Nullable Claim next() {
    Claim next = null;
    for (Claim claim : waiting) {
      if (next == null || claim.ioClass.isBefore(next.ioClass)) {
        next = claim;
      }
    }
    return next;
  }

  private long nanosFor(long bytes) {
    long rate = bytesPerSecond;
    return rate == 0 ? 0 : (long) (bytes * 1e9 / rate);
  }

  private static long laterOf(long a, long b) {
    return a - b >= 0 ? a : b;
  }

  private static void checkRate(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "bytesPerSecond is " + bytesPerSecond + ", must be at least 0 (0: no limit)");
    }
  }
}
