package org.loam.workbench.bench.tpcc;

import java.util.List;

/** What transactions show their terminals, as far as it can be checked. */
public final class Results {
  private Results() {}

  /**
   * Of a new order.
   *
   * @param order its number; 0 if it was rolled back
   * @param total in cents, with discount and taxes
   * @param brands lines that ask for a brand
   */
  public record NewOrder(int order, long total, int brands) {
    boolean isRolledBack() {
      return order == 0;
    }
  }

  /**
   * Of a payment.
   *
   * @param customer its number
   * @param balance afterwards, in cents
   */
  public record Payment(int customer, long balance) {}

  /**
   * Of an order status.
   *
   * @param customer its number
   * @param balance in cents
   * @param order the last one
   * @param amount of its lines, in cents
   */
  public record OrderStatus(int customer, long balance, int order, long amount) {}

  /**
   * Of a delivery.
   *
   * @param orders that were delivered, by district; 0 for a district without a new order
   */
  public record Delivery(List<Integer> orders) {}

  /**
   * Of a stock level.
   *
   * @param low items of the last orders with stock below the threshold
   */
  public record StockLevel(int low) {}
}
