package org.loam.workbench.bench.latency;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.peer.Store;

/** A store in memory in which one write takes long; it owes what it is told. */
final class StallingStore implements Store {
  private final ConcurrentHashMap<String, byte[]> map = new ConcurrentHashMap<>();
  private final AtomicLong puts = new AtomicLong();
  private final long stalledPut;
  private final long stallNanos;
  private final AtomicInteger openSessions = new AtomicInteger();
  private volatile boolean owes;
  private boolean pays = true;
  private int slowSample;
  private long slowNanos;
  private double owedBytes;
  private double mergedBytes;

  /**
   * @param stalledPut number of the write that takes long, from 1; 0 for none
   */
  StallingStore(long stalledPut, long stallNanos) {
    this.stalledPut = stalledPut;
    this.stallNanos = stallNanos;
  }

  /** Each look finds 1000 bytes more to be merged, or less once no client is at work. */
  StallingStore owing() {
    owes = true;
    return this;
  }

  /** Merges work while clients do, and rest with them. */
  StallingStore neverPaying() {
    pays = false;
    return this;
  }

  /** The sample with this number, from 1, takes long. */
  StallingStore answeringLate(int number, long nanos) {
    slowSample = number;
    slowNanos = nanos;
    return this;
  }

  @Override
  public Sample sample() {
    if (slowSample > 0 && --slowSample == 0) {
      park(slowNanos);
    }
    Sample sample = new Sample();
    if (owes) {
      boolean areClientsAtWork = openSessions.get() > 0;
      boolean merges = areClientsAtWork != pays;
      double paidBytes = !areClientsAtWork && pays ? 1000 : 0;
      owedBytes = Math.max(0, owedBytes - paidBytes + (areClientsAtWork ? 1000 : 0));
      mergedBytes += merges ? 1000 : 0;
      sample
          .gauge(Sample.OWED_BYTES, owedBytes)
          .gauge(Sample.OPEN_MERGES, merges ? 1 : 0)
          .counter(Sample.MERGED_BYTES, mergedBytes);
    }
    return sample;
  }

  @Override
  public Session session() {
    openSessions.incrementAndGet();
    return new Session() {
      @Override
      public void put(byte[] key, byte[] value) {
        if (puts.incrementAndGet() == stalledPut) {
          park(stallNanos);
        }
        map.put(new String(key, ISO_8859_1), value.clone());
      }

      @Override
      public int get(byte[] key, byte[] target) {
        byte[] value = map.get(new String(key, ISO_8859_1));
        if (value == null) {
          return ABSENT;
        }
        System.arraycopy(value, 0, target, 0, value.length);
        return value.length;
      }

      @Override
      public int scan(byte[] from, int limit, RecordSink sink) {
        return 0;
      }

      @Override
      public void close() {
        openSessions.decrementAndGet();
      }
    };
  }

  private static void park(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Override
  public void flush() {
    // Nothing to do.
  }

  @Override
  public long bytesWritten() {
    return 0;
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
