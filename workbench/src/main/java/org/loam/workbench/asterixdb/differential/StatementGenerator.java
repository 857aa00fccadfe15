package org.loam.workbench.asterixdb.differential;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.loam.workbench.asterixdb.differential.Changes.Change;
import org.loam.workbench.asterixdb.differential.DatasetModel.Index;
import org.loam.workbench.asterixdb.differential.Queries.Query;

/**
 * Makes the statements of a seed. No answer has an influence on them, so that the same numbers give
 * the same statements on every storage. Kinds are drawn from a bag that has each in its share, so
 * that a few hundred statements have all of them.
 *
 * <p>After nodes have been stopped or killed, all records and the indexes are asked for.
 */
final class StatementGenerator implements Iterator<Statement> {
  /** Between two disruptions there are as many statements as before the first. */
  private final List<Integer> disruptions;

  private final int restarts;
  private final int count;
  private final SplittableRandom random;
  private final Schemas schemas;
  private final Records records;
  private final Changes changes;
  private final Queries queries;
  private final Joins joins;
  private final Deque<Statement> pending = new ArrayDeque<>();
  private final List<StatementKind> bag = new ArrayList<>();
  private int made;
  private int disrupted;
  private int given;

  /**
   * @param count of statements in all
   * @param restarts how many times all nodes are stopped and started
   * @param kills how many times a node is killed and started
   */
  StatementGenerator(long seed, int count, int restarts, int kills) {
    this.random = new SplittableRandom(seed);
    this.count = count;
    this.restarts = restarts;
    this.disruptions = places(count, restarts + kills);
    this.schemas = new Schemas(random.split());
    this.records = new Records(random.split());
    this.changes = new Changes(random.split(), records);
    this.queries = new Queries(random.split(), records);
    this.joins = new Joins(random.split());
    // One may have inverted indexes, and one must not.
    createDataset();
    createDataset();
  }

  private static List<Integer> places(int count, int disruptions) {
    List<Integer> places = new ArrayList<>();
    for (int i = 1; i <= disruptions; i++) {
      places.add(count * i / (disruptions + 1));
    }
    return places;
  }

  @Override
  public boolean hasNext() {
    return given < count;
  }

  @Override
  public Statement next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    if (disrupted < disruptions.size() && made >= disruptions.get(disrupted) && pending.isEmpty()) {
      disrupt();
    }
    while (pending.isEmpty()) {
      make(draw());
    }
    given++;
    return pending.remove();
  }

  private StatementKind draw() {
    if (bag.isEmpty()) {
      for (StatementKind kind : StatementKind.values()) {
        bag.addAll(Collections.nCopies(kind.weight(), kind));
      }
      Collections.shuffle(bag, new Random(random.nextLong()));
    }
    return bag.remove(bag.size() - 1);
  }

  private void add(StatementKind kind, String text, boolean ordered, String cleanup) {
    pending.add(Statement.of(++made, kind, text, ordered, cleanup));
  }

  private void add(StatementKind kind, String text) {
    add(kind, text + ";", false, "");
  }

  private void add(StatementKind kind, Query query) {
    add(kind, query.text() + ";", query.ordered(), "");
  }

  private void add(StatementKind kind, Change change) {
    String cleanup = change.cleanup().isEmpty() ? "" : change.cleanup() + ";";
    pending.add(new Statement(++made, kind, change.text() + ";", false, cleanup, change.file()));
  }

  private void createDataset() {
    schemas.create().forEach(text -> add(StatementKind.CREATE_DATASET, text));
  }

  private void makeRoom() {
    if (schemas.isFull()) {
      drop();
    }
  }

  private void drop() {
    schemas.drop().ifPresent(texts -> texts.forEach(text -> add(StatementKind.DROP_DATASET, text)));
  }

  /** Makes a statement of this kind, with others that it needs, or none if it is not possible. */
  private void make(StatementKind kind) {
    switch (kind) {
      case CREATE_DATASET -> {
        makeRoom();
        createDataset();
      }
      case DROP_DATASET -> drop();
      case CREATE_BTREE,
          CREATE_COMPOSITE,
          CREATE_OPEN,
          CREATE_ENFORCED,
          CREATE_ARRAY,
          CREATE_RTREE,
          CREATE_KEYWORD,
          CREATE_NGRAM,
          CREATE_FULLTEXT,
          CREATE_PRIMARY ->
          schemas.createIndex(kind).ifPresent(text -> add(kind, text));
      case DROP_INDEX -> schemas.dropIndex().ifPresent(text -> add(kind, text));
      case REFUSED -> schemas.refused().ifPresent(text -> add(kind, text));
      case COMPACT ->
          schemas
              .choose(dataset -> !dataset.shape().inverted())
              .ifPresent(dataset -> add(kind, "COMPACT DATASET " + dataset.name()));
      case FLUSH -> add(kind, any().name(), false, "");
      default -> {
        if (!kind.isQuery()) {
          change(kind);
        } else if (kind == StatementKind.JOIN
            || kind == StatementKind.JOIN_HINT
            || kind == StatementKind.LEFT_JOIN) {
          add(kind, joins.join(kind, any(), any()));
        } else {
          add(kind, queries.query(kind, any()));
        }
      }
    }
  }

  private DatasetModel any() {
    return schemas.choose(dataset -> true).orElseThrow();
  }

  private void change(StatementKind kind) {
    if (kind == StatementKind.LOAD) {
      load();
      return;
    }
    Optional<DatasetModel> chosen =
        schemas.choose(
            dataset ->
                switch (kind) {
                  case INSERT_DUPLICATE -> !dataset.present().isEmpty();
                  case INSERT_LARGE -> dataset.shape().open();
                  case UPSERT_QUERY, INSERT_INVALID, DELETE_KEYS ->
                      !dataset.shape().autogenerated();
                  default -> true;
                });
    chosen.ifPresent(dataset -> add(kind, change(kind, dataset)));
  }

  private Change change(StatementKind kind, DatasetModel dataset) {
    return switch (kind) {
      case INSERT -> changes.insert(dataset, false);
      case INSERT_RETURNING -> changes.insert(dataset, true);
      case INSERT_DUPLICATE -> changes.insertDuplicate(dataset);
      case INSERT_INVALID -> changes.insertInvalid(dataset);
      case INSERT_LARGE -> changes.insertLarge(dataset);
      case UPSERT -> changes.upsert(dataset);
      case UPSERT_QUERY -> changes.upsertQuery(dataset);
      case DELETE_KEYS -> changes.deleteKeys(dataset);
      case DELETE_RANGE -> changes.deleteRange(dataset, queries.range(dataset));
      case LOAD_REFUSED -> changes.loadRefused(dataset);
      default -> throw new IllegalArgumentException(kind + " is no change");
    };
  }

  /** A dataset takes a LOAD only as its first change. */
  private void load() {
    makeRoom();
    createDataset();
    DatasetModel created = schemas.datasets().get(schemas.datasets().size() - 1);
    if (random.nextBoolean()) {
      make(StatementKind.CREATE_COMPOSITE);
    }
    add(StatementKind.LOAD, changes.load(created));
  }

  private void disrupt() {
    boolean restart = disrupted % 2 == 0 ? restartsLeft() : !killsLeft();
    disrupted++;
    if (restart) {
      restarted++;
      add(StatementKind.RESTART, "", false, "");
    } else {
      flushKeys();
      add(StatementKind.KILL, "", false, "");
    }
    for (DatasetModel dataset : schemas.datasets()) {
      add(StatementKind.SCAN, Queries.scan(dataset));
      add(StatementKind.COUNT, "SELECT VALUE COUNT(*) FROM " + dataset.name());
      for (Index index : dataset.indexes()) {
        Queries.all(dataset, index).ifPresent(query -> add(StatementKind.RANGE, query));
      }
    }
  }

  private int restarted;

  private boolean restartsLeft() {
    return restarted < restarts;
  }

  private boolean killsLeft() {
    return disrupted - restarted < disruptions.size() - restarts;
  }

  /** {@link KnownFault#PRIMARY_INDEX_REDO}. */
  private void flushKeys() {
    for (DatasetModel dataset : schemas.datasets()) {
      boolean hasKeys =
          dataset.indexes().stream()
              .anyMatch(index -> index.kind() == StatementKind.CREATE_PRIMARY);
      if (hasKeys) {
        add(StatementKind.FLUSH, dataset.name(), false, "");
      }
    }
  }
}
