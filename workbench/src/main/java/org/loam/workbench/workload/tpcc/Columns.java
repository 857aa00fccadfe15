package org.loam.workbench.workload.tpcc;

/**
 * The columns of the tables (1.3.1), apart from those that the key has. Money is in cents; taxes
 * and discounts are in ten-thousandths; times are milliseconds since 1970; 0 stands for null, which
 * no such column has as a value. Texts are known by their place.
 */
public final class Columns {
  private Columns() {}

  /** Of a warehouse; its texts are the name and the address. */
  public static final class Warehouse {
    public static final Column TAX = Column.first(4);
    public static final Column YTD = TAX.next(8);

    public static final int NAME = 0;
    static final int NUMBER_BYTES = YTD.end();

    private Warehouse() {}
  }

  /** Of a district; its texts are the name and the address. */
  public static final class District {
    public static final Column TAX = Column.first(4);
    public static final Column YTD = TAX.next(8);
    public static final Column NEXT_ORDER = YTD.next(4);

    public static final int NAME = 0;
    static final int NUMBER_BYTES = NEXT_ORDER.end();

    private District() {}
  }

  /** Of a customer; its texts are these, and in between address and phone. */
  public static final class Customer {
    public static final Column SINCE = Column.first(8);
    public static final Column CREDIT_LIMIT = SINCE.next(8);
    public static final Column DISCOUNT = CREDIT_LIMIT.next(4);
    public static final Column BALANCE = DISCOUNT.next(8);
    public static final Column YTD_PAYMENT = BALANCE.next(8);
    public static final Column PAYMENTS = YTD_PAYMENT.next(4);
    public static final Column DELIVERIES = PAYMENTS.next(4);

    public static final int FIRST = 0;
    public static final int MIDDLE = 1;
    public static final int LAST = 2;
    public static final int CREDIT = 3;
    public static final int DATA = 10;
    static final int NUMBER_BYTES = DELIVERIES.end();

    private Customer() {}
  }

  /** Of a payment; the key has the customer. */
  public static final class History {
    public static final Column WAREHOUSE = Column.first(4);
    public static final Column DISTRICT = WAREHOUSE.next(1);
    public static final Column DATE = DISTRICT.next(8);
    public static final Column AMOUNT = DATE.next(8);

    static final int NUMBER_BYTES = AMOUNT.end();

    private History() {}
  }

  /** Of an order. */
  public static final class Order {
    public static final Column CUSTOMER = Column.first(4);
    public static final Column ENTRY_DATE = CUSTOMER.next(8);
    public static final Column CARRIER = ENTRY_DATE.next(1);
    public static final Column LINES = CARRIER.next(1);
    public static final Column ALL_LOCAL = LINES.next(1);

    static final int NUMBER_BYTES = ALL_LOCAL.end();

    private Order() {}
  }

  /** Of a line of an order; its text is the stock's of its district. */
  public static final class OrderLine {
    public static final Column ITEM = Column.first(4);
    public static final Column SUPPLY_WAREHOUSE = ITEM.next(4);
    public static final Column DELIVERY_DATE = SUPPLY_WAREHOUSE.next(8);
    public static final Column QUANTITY = DELIVERY_DATE.next(1);
    public static final Column AMOUNT = QUANTITY.next(8);

    static final int NUMBER_BYTES = AMOUNT.end();

    private OrderLine() {}
  }

  /** Of an item. */
  public static final class Item {
    public static final Column IMAGE = Column.first(4);
    public static final Column PRICE = IMAGE.next(4);

    public static final int NAME = 0;
    public static final int DATA = 1;
    static final int NUMBER_BYTES = PRICE.end();

    private Item() {}
  }

  /** Of the stock of an item in a warehouse; the first texts are those of the districts. */
  public static final class Stock {
    public static final Column QUANTITY = Column.first(2);
    public static final Column YTD = QUANTITY.next(8);
    public static final Column ORDERS = YTD.next(4);
    public static final Column REMOTE_ORDERS = ORDERS.next(4);

    public static final int DATA = Scale.DISTRICTS;
    static final int NUMBER_BYTES = REMOTE_ORDERS.end();

    private Stock() {}
  }
}
