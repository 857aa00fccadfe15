package org.loam.workbench.asterixdb.crash;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.crash.CrashTarget.UnacknowledgedException;

/**
 * Writes to records of its own, statement after statement, until one is not acknowledged: inserts,
 * upserts, deletions, and now and then has everything flushed and merged.
 */
final class CrashClient {
  /** Records of a client. */
  static final int IDS = 1500;

  private static final int MOST_RECORDS = 20;

  private final CrashTarget target;
  private final SplittableRandom random;
  private final BooleanSupplier stop;
  private final long firstId;
  private final Ledger ledger = new Ledger();
  private long statements;
  private long records;
  private @Nullable String refused;

  /**
   * @param number 0-based, of the client
   * @param stop whether to write no more, and to count no acknowledgement any more
   */
  CrashClient(int number, CrashTarget target, SplittableRandom random, BooleanSupplier stop) {
    this.target = target;
    this.stop = stop;
    this.random = random;
    this.firstId = (long) number * IDS;
  }

  Ledger ledger() {
    return ledger;
  }

  long firstId() {
    return firstId;
  }

  /** Statements acknowledged. */
  long statements() {
    return statements;
  }

  /** Records that acknowledged statements wrote or deleted. */
  long records() {
    return records;
  }

  /** What the cluster said to a statement that it did not acknowledge, though no node had died. */
  @Nullable String refused() {
    return refused;
  }

  /**
   * Works until the cluster fails it, or it is to stop. What is not acknowledged by then stays in
   * flight.
   */
  void run() throws InterruptedException {
    try {
      while (!stop.getAsBoolean()) {
        step();
      }
    } catch (UnacknowledgedException e) {
      // That is what a crash does; the ledger knows what was in flight.
      if (!stop.getAsBoolean()) {
        refused = e.getMessage();
      }
    }
  }

  private void step() throws UnacknowledgedException, InterruptedException {
    int dice = random.nextInt(100);
    if (dice < 50) {
      write("UPSERT", some(false));
    } else if (dice < 80) {
      write("INSERT", some(true));
    } else if (dice < 98) {
      delete();
    } else {
      send("COMPACT DATASET " + CrashRecord.DATASET + ";", Map.of());
    }
  }

  private List<CrashRecord> some(boolean absent) {
    Map<Long, CrashRecord> chosen = new LinkedHashMap<>();
    int count = 1 + random.nextInt(MOST_RECORDS);
    for (int i = 0; i < count; i++) {
      long id = firstId + random.nextInt(IDS);
      if (!absent || ledger.version(id) == 0) {
        chosen.put(id, new CrashRecord(id, ledger.nextVersion()));
      }
    }
    return new ArrayList<>(chosen.values());
  }

  private void write(String verb, List<CrashRecord> some)
      throws UnacknowledgedException, InterruptedException {
    String texts = some.stream().map(CrashRecord::text).collect(Collectors.joining(","));
    send(
        verb + " INTO " + CrashRecord.DATASET + " ([" + texts + "]);",
        some.stream().collect(Collectors.toMap(CrashRecord::id, CrashRecord::version)));
  }

  private void delete() throws UnacknowledgedException, InterruptedException {
    long from = firstId + random.nextInt(IDS);
    boolean byKey = random.nextInt(3) == 0;
    int count = byKey ? 1 : 1 + random.nextInt(MOST_RECORDS);
    long to = Math.min(from + count, firstId + IDS);
    Map<Long, Integer> changes = new LinkedHashMap<>();
    for (long id = from; id < to; id++) {
      changes.put(id, 0);
    }
    String condition =
        byKey
            ? String.format(Locale.ROOT, "r.id = %d", from)
            : String.format(Locale.ROOT, "r.id >= %d AND r.id < %d", from, to);
    send("DELETE FROM " + CrashRecord.DATASET + " r WHERE " + condition + ";", changes);
  }

  private void send(String statement, Map<Long, Integer> changes)
      throws UnacknowledgedException, InterruptedException {
    ledger.begin(changes);
    target.run(statement);
    if (stop.getAsBoolean()) {
      return;
    }
    ledger.acknowledge();
    statements++;
    records += changes.size();
  }
}
