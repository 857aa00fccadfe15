package org.loam.it.history;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.loam.common.error.ClosedException;
import org.loam.engine.Dataset;
import org.loam.it.orders.OrderIndex;

/** An index that comes and goes beside those that stay. */
final class VisitingIndex {
  static final List<OrderIndex> RESIDENTS =
      List.of(OrderIndex.COUNTRY, OrderIndex.AMOUNT, OrderIndex.LABEL);
  static final OrderIndex VISITOR = OrderIndex.RATING;

  private final AtomicBoolean changing = new AtomicBoolean();

  /** Odd while the index is there for sure. */
  private final AtomicInteger visits = new AtomicInteger();

  /** For a dataset in which it is or is not, after it was opened. */
  void isThere(boolean there) {
    changing.set(false);
    visits.set(there ? 1 : 0);
  }

  /** Creates the index or drops it, unless another client does. */
  void comeOrGo(Dataset dataset) {
    if (changing.compareAndSet(false, true)) {
      if (visits.get() % 2 == 0) {
        dataset.createIndex(VISITOR.definition());
        visits.incrementAndGet();
      } else {
        visits.incrementAndGet();
        dataset.dropIndex(VISITOR.title());
      }
      changing.set(false);
    }
  }

  /** Uses the index, which may be refused unless it was there from the beginning to the end. */
  void use(Runnable query) {
    int before = visits.get();
    try {
      query.run();
    } catch (ClosedException | IllegalArgumentException e) {
      if (before % 2 == 1 && visits.get() == before) {
        throw e;
      }
    }
  }
}
