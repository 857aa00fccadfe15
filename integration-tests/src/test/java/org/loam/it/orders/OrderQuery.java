package org.loam.it.orders;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.engine.IndexQuery;
import org.loam.it.orders.OrderIndex.Entry;

/** A query, for the engine and by comparing entries. */
public final class OrderQuery {
  private final IndexQuery query;
  private final Predicate<Entry> shown;
  private final boolean reverse;
  private final long limit;

  private OrderQuery(IndexQuery query, Predicate<Entry> shown, boolean reverse, long limit) {
    this.query = query;
    this.shown = shown;
    this.reverse = reverse;
    this.limit = limit;
  }

  /** All entries. */
  public static OrderQuery all() {
    return new OrderQuery(IndexQuery.all(), entry -> true, false, Long.MAX_VALUE);
  }

  /** Any query without a limit. */
  public static OrderQuery random(OrderIndex index, RandomGenerator random) {
    List<@Nullable Object> one = index.anyKey(random);
    List<@Nullable Object> other = index.anyKey(random);
    byte[] a = index.encode(one);
    byte[] b = index.encode(other);
    IndexQuery query = IndexQuery.all();
    Predicate<Entry> shown = entry -> true;
    switch (random.nextInt(6)) {
      case 0 -> {}
      case 1, 2 -> {
        query = IndexQuery.equal(a);
        shown = entry -> index.compare(entry.indexKey(), one) == 0;
      }
      default -> {
        int low = random.nextInt(3);
        int high = random.nextInt(3);
        query = low == 0 ? query : low == 1 ? query.from(a) : query.after(a);
        query = high == 0 ? query : high == 1 ? query.before(b) : query.through(b);
        shown =
            entry -> {
              int fromLow = index.compare(entry.indexKey(), one);
              int fromHigh = index.compare(entry.indexKey(), other);
              return (low == 0 || (low == 1 ? fromLow >= 0 : fromLow > 0))
                  && (high == 0 || (high == 1 ? fromHigh < 0 : fromHigh <= 0));
            };
      }
    }
    boolean reverse = random.nextBoolean();
    return new OrderQuery(reverse ? query.reverse() : query, shown, reverse, Long.MAX_VALUE);
  }

  /** This query, but at most so many records. */
  public OrderQuery limit(long records) {
    return new OrderQuery(query.limit(records), shown, reverse, records);
  }

  /** Whether it shows entries in the opposite order. */
  public boolean isReverse() {
    return reverse;
  }

  /** For the engine. */
  public IndexQuery query() {
    return query;
  }

  /** What it shows of all entries of its index, which are in order. */
  public List<Entry> of(List<Entry> entries) {
    List<Entry> found = new ArrayList<>(entries.stream().filter(shown).toList());
    if (reverse) {
      Collections.reverse(found);
    }
    return found.subList(0, (int) Math.min(limit, found.size()));
  }
}
