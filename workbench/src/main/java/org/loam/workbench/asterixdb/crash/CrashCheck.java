package org.loam.workbench.asterixdb.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.loam.workbench.asterixdb.crash.CrashTarget.UnacknowledgedException;

/**
 * Looks at all records, compares them with what the clients were promised, and each index with the
 * records: no entry too few, and none too many, which a query that needs the index alone shows.
 */
final class CrashCheck {
  private final CrashTarget target;
  private final Findings findings;
  private final Map<Long, CrashRecord> found = new HashMap<>();

  CrashCheck(CrashTarget target, Findings findings) {
    this.target = target;
    this.findings = findings;
  }

  void run(List<CrashClient> clients) throws UnacknowledgedException, InterruptedException {
    read();
    for (CrashClient client : clients) {
      for (long id = client.firstId(); id < client.firstId() + CrashClient.IDS; id++) {
        CrashRecord record = found.get(id);
        int version = record == null ? 0 : record.version();
        findings.judged(client.ledger().judge(id, version));
      }
    }
    int count =
        target.run("SELECT VALUE COUNT(*) FROM " + CrashRecord.DATASET + ";").get(0).intValue();
    if (count != found.size()) {
      findings.disagrees("keys", count + " keys of " + found.size() + " records");
    }
    for (int part = 0; part < CrashRecord.PARTS; part++) {
      int wanted = part;
      compare("byPart", "r.part = " + part, record -> record.part() == wanted);
    }
    for (int initial = 0; initial < CrashRecord.INITIALS; initial++) {
      String from = Integer.toHexString(initial);
      compare(
          "byName",
          "r.name >= \"" + from + "\" AND r.name < \"" + from + "g\"",
          record -> record.name().startsWith(from));
    }
  }

  private void read() throws UnacknowledgedException, InterruptedException {
    for (JsonNode row : target.run("SELECT VALUE r FROM " + CrashRecord.DATASET + " r;")) {
      CrashRecord record =
          new CrashRecord(row.path("id").longValue(), row.path("version").intValue());
      if (!record.isIn(row)) {
        findings.torn(record.id());
      }
      if (found.put(record.id(), record) != null) {
        findings.twice(record.id());
      }
    }
  }

  private void compare(String index, String condition, Predicate<CrashRecord> expected)
      throws UnacknowledgedException, InterruptedException {
    Set<Long> wanted = new TreeSet<>();
    for (CrashRecord record : found.values()) {
      if (expected.test(record)) {
        wanted.add(record.id());
      }
    }
    String query = "FROM " + CrashRecord.DATASET + " r WHERE " + condition + ";";
    compare(index, condition, wanted, target.run("SELECT VALUE r.id " + query));
    compare(index, condition, wanted, target.run("SELECT r.id, r.version " + query));
  }

  private void compare(String index, String condition, Set<Long> wanted, List<JsonNode> rows) {
    Set<Long> ids = new TreeSet<>();
    rows.forEach(row -> ids.add(row.isObject() ? row.path("id").longValue() : row.longValue()));
    if (rows.size() != wanted.size() || !ids.equals(wanted)) {
      findings.disagrees(
          index, rows.size() + " rows where " + condition + ", of " + wanted.size() + " records");
    }
  }
}
