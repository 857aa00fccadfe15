package org.loam.workbench.workload.tpcc;

import java.util.List;
import java.util.Locale;

/** The transactions (clause 2). */
public enum TransactionKind {
  NEW_ORDER,
  PAYMENT,
  ORDER_STATUS,
  DELIVERY,
  STOCK_LEVEL;

  /** All, in this order. */
  public static final List<TransactionKind> ALL = List.of(values());

  /** The name in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
