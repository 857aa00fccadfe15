package org.loam.workbench.asterixdb.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the statements of crash cycles, keeps records in memory, and does one thing wrong. */
final class LyingCluster implements CrashTarget {
  /** What it does wrong when it is started after a crash, or while it runs. */
  enum Lie {
    NONE,
    LOSES_RECORDS,
    BRINGS_OLD_VERSIONS_BACK,
    SHOWS_A_RECORD_TWICE,
    TEARS_RECORDS,
    HAS_AN_ENTRY_TOO_MANY,
    LACKS_AN_ENTRY,
    LACKS_A_KEY,
    REFUSES_A_STATEMENT
  }

  /** In a cycle at least. */
  private static final int STATEMENTS = 200;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern DELETION = Pattern.compile(".*id >= (\\d+) AND .*id < (\\d+);");
  private static final Pattern ONE = Pattern.compile(".*id = (\\d+);");
  private static final Pattern PART = Pattern.compile("SELECT (.*) FROM .* r.part = (\\d+);");
  private static final Pattern NAME = Pattern.compile("SELECT (.*) FROM .* r.name >= \"(.)\".*");

  private final Lie lie;
  private final TreeMap<Long, JsonNode> records = new TreeMap<>();
  private final TreeMap<Long, JsonNode> olds = new TreeMap<>();
  private boolean running = true;
  private boolean lying;
  private boolean refused;

  /** In this cycle. */
  private int statements;

  LyingCluster(Lie lie) {
    this.lie = lie;
  }

  @Override
  public synchronized List<JsonNode> run(String statement) throws UnacknowledgedException {
    if (!running) {
      throw new UnacknowledgedException("down", new IOException("down"));
    }
    statements++;
    notifyAll();
    if (is(Lie.REFUSES_A_STATEMENT) && !refused && statements == STATEMENTS / 2) {
      refused = true;
      throw new UnacknowledgedException("no", new IOException("no"));
    }
    Matcher part = PART.matcher(statement);
    Matcher name = NAME.matcher(statement);
    Matcher deletion = DELETION.matcher(statement);
    Matcher one = ONE.matcher(statement);
    if (statement.startsWith("UPSERT") || statement.startsWith("INSERT")) {
      write(statement.substring(statement.indexOf('['), statement.lastIndexOf(']') + 1));
    } else if (statement.startsWith("DELETE") && deletion.matches()) {
      records.subMap(Long.parseLong(deletion.group(1)), Long.parseLong(deletion.group(2))).clear();
    } else if (statement.startsWith("DELETE") && one.matches()) {
      records.remove(Long.parseLong(one.group(1)));
    } else if (statement.startsWith("SELECT VALUE COUNT")) {
      return List.of(JSON.valueToTree(records.size() - (lying && is(Lie.LACKS_A_KEY) ? 1 : 0)));
    } else if (part.matches()) {
      return ofIndex(part.group(1), row -> row.path("part").asText().equals(part.group(2)));
    } else if (name.matches()) {
      return ofIndex(name.group(1), row -> row.path("name").asText().startsWith(name.group(2)));
    } else if (statement.startsWith("SELECT VALUE r FROM")) {
      return all();
    }
    return List.of();
  }

  private boolean is(Lie one) {
    return lie == one;
  }

  private void write(String texts) {
    try {
      for (JsonNode row : JSON.readTree(texts)) {
        JsonNode old = records.put(row.path("id").longValue(), row);
        if (old != null) {
          olds.put(row.path("id").longValue(), old);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<JsonNode> all() throws UnacknowledgedException {
    List<JsonNode> all = new ArrayList<>(records.values());
    if (lying && is(Lie.SHOWS_A_RECORD_TWICE)) {
      all.add(all.get(0));
    }
    return all;
  }

  /** An entry whose record is gone shows where the index alone is asked. */
  private List<JsonNode> ofIndex(String wanted, Predicate<JsonNode> condition) {
    boolean alone = wanted.equals("VALUE r.id");
    List<JsonNode> rows = new ArrayList<>();
    records.values().stream()
        .filter(condition)
        .forEach(row -> rows.add(alone ? row.path("id") : row));
    if (lying && is(Lie.HAS_AN_ENTRY_TOO_MANY) && alone) {
      rows.add(JSON.valueToTree(-1));
    }
    if (lying && is(Lie.LACKS_AN_ENTRY) && !rows.isEmpty()) {
      rows.remove(0);
    }
    return rows;
  }

  @Override
  public List<String> nodes() {
    return List.of("one", "two");
  }

  @Override
  public synchronized void letWork(RandomGenerator random) throws InterruptedException {
    statements = 0;
    while (statements < STATEMENTS) {
      wait();
    }
  }

  @Override
  public synchronized void kill(Set<String> nodes) {
    running = false;
  }

  @Override
  public synchronized void start() {
    running = true;
    lying = true;
    switch (lie) {
      case LOSES_RECORDS -> records.clear();
      case BRINGS_OLD_VERSIONS_BACK -> records.putAll(olds);
      // Of one alone it may not be known whether its statement was done.
      case TEARS_RECORDS ->
          records.values().forEach(record -> ((ObjectNode) record).remove("payload"));
      default -> {}
    }
  }

  @Override
  public synchronized boolean crashInRecovery(RandomGenerator random) {
    running = false;
    return true;
  }
}
