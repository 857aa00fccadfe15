package org.loam.workbench.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;

/** A store in memory, kept by directory when closed, and made to answer wrong on demand. */
class MapStore implements Store {
  /** A mistake that a benchmark must notice. */
  enum Fault {
    NONE,
    LOSE_ONE_IN_A_HUNDRED,
    ANSWER_WITH_ANOTHER_VALUE,
    FIND_WHAT_IS_ABSENT,
    END_SCANS_EARLY,
    SCAN_OUT_OF_ORDER,
    SCAN_WITH_A_GAP,
    SHOW_A_RECORD_TOO_MANY
  }

  private final ConcurrentSkipListMap<byte[], byte[]> map;
  private final Fault fault;
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed;

  MapStore(ConcurrentSkipListMap<byte[], byte[]> map, Fault fault) {
    this.map = map;
    this.fault = fault;
  }

  /** The fault shows in the measured database only, not in the rehearsal. */
  static StoreFactory factory(Fault fault) {
    return opener(fault)::apply;
  }

  /** As {@link #factory}, with the stores as what they are. */
  static Function<StoreSettings, MapStore> opener(Fault fault) {
    ConcurrentHashMap<Path, ConcurrentSkipListMap<byte[], byte[]>> databases =
        new ConcurrentHashMap<>();
    return settings ->
        new MapStore(
            databases.computeIfAbsent(
                settings.directory(), path -> new ConcurrentSkipListMap<>(Arrays::compareUnsigned)),
            settings.directory().endsWith("database") ? fault : Fault.NONE);
  }

  @Override
  public Session session() {
    return new MapSession();
  }

  @Override
  public void flush() {
    // Nothing to do.
  }

  @Override
  public long bytesWritten() {
    requireOpen();
    return bytes.get();
  }

  boolean isClosed() {
    return closed;
  }

  /** As handles of a native library are: what is freed is not used again. */
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  /** The map stays for the next one that opens it. */
  @Override
  public void close() {
    requireOpen();
    closed = true;
  }

  private final class MapSession implements Session {
    private long puts;

    @Override
    public void put(byte[] key, byte[] value) {
      puts++;
      bytes.addAndGet(2L * (key.length + value.length));
      if (fault == Fault.LOSE_ONE_IN_A_HUNDRED && puts % 100 == 0) {
        return;
      }
      map.put(key.clone(), value.clone());
    }

    @Override
    public int get(byte[] key, byte[] target) {
      byte[] value = map.get(key);
      if (value == null && fault == Fault.FIND_WHAT_IS_ABSENT) {
        value = map.firstEntry().getValue();
      } else if (value != null && fault == Fault.ANSWER_WITH_ANOTHER_VALUE) {
        Map.Entry<byte[], byte[]> other = map.higherEntry(key);
        value = other == null ? value : other.getValue();
      }
      if (value == null) {
        return ABSENT;
      }
      System.arraycopy(value, 0, target, 0, value.length);
      return value.length;
    }

    @Override
    public int scan(byte[] from, int limit, RecordSink sink) {
      int count = 0;
      boolean isGapDue = fault == Fault.SCAN_WITH_A_GAP && limit < Integer.MAX_VALUE;
      for (Map.Entry<byte[], byte[]> entry : map.tailMap(from, true).entrySet()) {
        if (count == limit || (fault == Fault.END_SCANS_EARLY && count == limit - 1)) {
          break;
        }
        if (isGapDue && count == 1) {
          isGapDue = false;
          continue;
        }
        show(entry, sink);
        count++;
        if (fault == Fault.SCAN_OUT_OF_ORDER && count == 2) {
          show(entry, sink);
          count++;
        }
      }
      return fault == Fault.SHOW_A_RECORD_TOO_MANY ? count + 1 : count;
    }

    private void show(Map.Entry<byte[], byte[]> entry, RecordSink sink) {
      sink.record(entry.getKey(), entry.getKey().length, entry.getValue(), entry.getValue().length);
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
