package org.loam.lsm;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Waiter;
import org.loam.lsm.TreeServices.CommitGate;

/**
 * The log of a host that has transactions: it supplies LSNs, commits in any order, rolls back. Its
 * records are on the heap; a crash leaves those that were forced and a random part of the others.
 */
final class HostLog implements CommitGate {
  /** What a record says. */
  enum Kind {
    WRITE,
    COMMIT,
    ABORT
  }

  /** A record; tree, key and value of writes only, a null value deletes. */
  record Entry(
      long lsn, Kind kind, int transaction, int tree, String key, byte @Nullable [] value) {}

  /** Everything that survived, also what was truncated: to know what should be there. */
  private final List<Entry> archive = new ArrayList<>();

  private final TreeMap<Integer, Long> firstLsnOfActive = new TreeMap<>();

  /** The first LSN of each transaction that has ended, and the end of its last record. */
  private final TreeMap<Long, Long> endOfFirst = new TreeMap<>();

  private final Random random;
  private long endLsn = 1;
  private long durableEnd = 1;
  private long truncatedBelow;
  private int nextTransaction;
  private @Nullable Waiter waiter;

  HostLog(Random random) {
    this.random = random;
  }

  /** A process begins. */
  void start(Waiter processWaiter) {
    waiter = processWaiter;
  }

  /** The process died: what was not forced may be gone, what was active is rolled back. */
  void crash() {
    long survivingEnd = durableEnd + (long) (random.nextDouble() * (endLsn - durableEnd + 1));
    archive.removeIf(e -> e.lsn() >= survivingEnd);
    durableEnd = survivingEnd;
    firstLsnOfActive.clear();
    endOfFirst.clear();
    endLsn += 10;
    durableEnd = endLsn;
  }

  int begin() {
    return ++nextTransaction;
  }

  // ---- Under the commit latch.

  long write(int transaction, int tree, String key, byte @Nullable [] value) {
    firstLsnOfActive.putIfAbsent(transaction, endLsn);
    return append(new Entry(endLsn, Kind.WRITE, transaction, tree, key, value));
  }

  /** Ends a transaction; returns the exclusive end of the record. */
  long end(int transaction, boolean committed) {
    Kind kind = committed ? Kind.COMMIT : Kind.ABORT;
    append(new Entry(endLsn, kind, transaction, -1, "", null));
    Long first = firstLsnOfActive.remove(transaction);
    if (first != null) {
      endOfFirst.put(first, endLsn);
    }
    return endLsn;
  }

  private long append(Entry entry) {
    archive.add(entry);
    endLsn += 1 + random.nextInt(3);
    return entry.lsn();
  }

  long endLsn() {
    return endLsn;
  }

  /** Exclusive end of what may be seen: the first write of a transaction that may roll back. */
  long published() {
    long first = endLsn;
    for (long lsn : firstLsnOfActive.values()) {
      first = Math.min(first, lsn);
    }
    return first;
  }

  // ---- The gate.

  @Override
  public boolean mayFlush(long end) {
    return published() >= end;
  }

  /** A transaction with a write below the end may have its last record above it. */
  @Override
  public void awaitDurable(long end) {
    Waiter w = waiter;
    long needed = end;
    for (long last : endOfFirst.headMap(end).values()) {
      needed = Math.max(needed, last);
    }
    if (durableEnd < needed && w != null) {
      long forced = endLsn;
      w.pause(1 + random.nextInt(100_000));
      durableEnd = Math.max(durableEnd, forced);
    }
  }

  boolean isDurable(long end) {
    return durableEnd >= end;
  }

  /** Everything up to an LSN is on disk. */
  void truncate(long throughLsn) {
    truncatedBelow = Math.max(truncatedBelow, throughLsn + 1);
  }

  long truncatedBelow() {
    return truncatedBelow;
  }

  // ---- After a crash.

  boolean isCommitted(int transaction) {
    return archive.stream()
        .anyMatch(e -> e.transaction() == transaction && e.kind() == Kind.COMMIT);
  }

  /** The writes of committed transactions, oldest first. */
  List<Entry> committedWrites() {
    List<Integer> committed = new ArrayList<>();
    for (Entry e : archive) {
      if (e.kind() == Kind.COMMIT) {
        committed.add(e.transaction());
      }
    }
    return archive.stream()
        .filter(e -> e.kind() == Kind.WRITE && committed.contains(e.transaction()))
        .toList();
  }
}
