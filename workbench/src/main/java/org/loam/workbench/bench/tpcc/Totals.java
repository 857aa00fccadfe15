package org.loam.workbench.bench.tpcc;

import java.util.concurrent.atomic.LongAdder;

/** What all terminals together were told that was done. Thread-safe. */
public final class Totals {
  private final LongAdder orders = new LongAdder();
  private final LongAdder rolledBack = new LongAdder();
  private final LongAdder payments = new LongAdder();
  private final LongAdder paidCents = new LongAdder();
  private final LongAdder deliveries = new LongAdder();

  void entered(Results.NewOrder result) {
    (result.isRolledBack() ? rolledBack : orders).increment();
  }

  void paid(int cents) {
    payments.increment();
    paidCents.add(cents);
  }

  void delivered(Results.Delivery result) {
    deliveries.add(result.orders().stream().filter(order -> order != 0).count());
  }

  /** New orders that were written. */
  public long orders() {
    return orders.sum();
  }

  /** New orders that were rolled back. */
  public long rolledBack() {
    return rolledBack.sum();
  }

  /** Payments that were written. */
  public long payments() {
    return payments.sum();
  }

  /** What they paid. */
  public long paidCents() {
    return paidCents.sum();
  }

  /** Orders that were delivered. */
  public long deliveries() {
    return deliveries.sum();
  }
}
