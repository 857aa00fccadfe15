package org.loam.workbench.workload.tpcc;

import java.util.Locale;
import java.util.SplittableRandom;
import org.loam.workbench.workload.Named;

/** How often which transaction is run. */
public enum Mix implements Named {
  /** That of the standard (5.2.3): 45, 43, 4, 4 and 4 %. */
  STANDARD(450, 430, 40, 40, 40),
  /** That of MemoryWalls §6.3.3: 5 % of transactions write, in the standard's proportion. */
  READ_MOSTLY(25, 23, 475, 2, 475);

  private static final int THOUSAND = 1_000;

  private final int newOrders;
  private final int payments;
  private final int orderStatuses;
  private final int deliveries;
  private final int stockLevels;

  /** Shares in thousandths. */
  Mix(int newOrders, int payments, int orderStatuses, int deliveries, int stockLevels) {
    this.newOrders = newOrders;
    this.payments = payments;
    this.orderStatuses = orderStatuses;
    this.deliveries = deliveries;
    this.stockLevels = stockLevels;
  }

  /** The name on the command line and in reports. */
  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The mix of a name.
   *
   * @throws IllegalArgumentException with all names, if there is none
   */
  public static Mix of(String id) {
    return Named.find("mix", id, values());
  }

  /** The share of a transaction. */
  public double share(TransactionKind kind) {
    return (double) thousandths(kind) / THOUSAND;
  }

  private int thousandths(TransactionKind kind) {
    return switch (kind) {
      case NEW_ORDER -> newOrders;
      case PAYMENT -> payments;
      case ORDER_STATUS -> orderStatuses;
      case DELIVERY -> deliveries;
      case STOCK_LEVEL -> stockLevels;
    };
  }

  /** The next transaction. */
  public TransactionKind next(SplittableRandom random) {
    int rest = random.nextInt(THOUSAND);
    for (TransactionKind kind : TransactionKind.ALL) {
      rest -= thousandths(kind);
      if (rest < 0) {
        return kind;
      }
    }
    throw new AssertionError(this + " has shares of less than 1 together");
  }
}
