package org.loam.workbench.bench.tpcc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Inputs.CustomerChoice;
import org.loam.workbench.workload.tpcc.Row;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableIndex;
import org.loam.workbench.workload.tpcc.TableKeys;

/** Reads what must be there. For one thread. */
final class Access {
  private final TableStore.Session session;

  Access(TableStore.Session session) {
    this.session = session;
  }

  /** A record with its key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(byte[] key, Row row) {}

  /** A record that was written. */
  Row require(Table table, byte[] key) {
    return existing(table, session.get(table, key));
  }

  /** Records that were written. */
  List<Row> requireAll(Table table, List<byte[]> keys) {
    List<Row> rows = new ArrayList<>();
    for (byte[] record : session.getAll(table, keys)) {
      rows.add(existing(table, record));
    }
    return rows;
  }

  private static Row existing(Table table, byte @Nullable [] record) {
    if (record == null) {
      throw new WrongAnswerException("a record of " + table.id() + " was written, but is absent");
    }
    return Row.of(table, record);
  }

  /** The records of a range, at most so many. */
  List<Entry> range(Table table, byte[] from, byte[] to, int limit) {
    List<Entry> entries = new ArrayList<>();
    session.scan(
        table, from, to, limit, (key, row) -> entries.add(new Entry(key, Row.of(table, row))));
    return entries;
  }

  /** The lines of an order, of which there must be so many. */
  List<Entry> lines(int warehouse, int district, int order, int count) {
    List<Entry> lines =
        range(
            Table.ORDER_LINE,
            TableKeys.order(warehouse, district, order),
            TableKeys.order(warehouse, district, order + 1),
            Integer.MAX_VALUE);
    if (lines.size() != count) {
      throw new WrongAnswerException(
          "order " + order + " has " + lines.size() + " lines, " + count + " were written");
    }
    return lines;
  }

  /**
   * A customer by number, or the middle one of those with a last name (2.5.2.2).
   *
   * @return with the key, which has the number
   */
  Entry customer(int warehouse, int district, CustomerChoice choice) {
    String last = choice.lastName();
    if (last == null) {
      byte[] key = TableKeys.customer(warehouse, district, choice.number());
      return new Entry(key, require(Table.CUSTOMER, key));
    }
    List<Entry> namesakes = new ArrayList<>();
    session.query(
        TableIndex.CUSTOMER_BY_NAME,
        TableIndex.ofName(warehouse, district, last),
        false,
        Integer.MAX_VALUE,
        (key, row) -> namesakes.add(new Entry(key, Row.of(Table.CUSTOMER, row))));
    if (namesakes.isEmpty()) {
      throw new WrongAnswerException("no customer has the name " + last);
    }
    return namesakes.get((namesakes.size() - 1) / 2);
  }

  /** The last order of a customer. */
  Entry lastOrder(int warehouse, int district, int customer) {
    List<Entry> last = new ArrayList<>();
    session.query(
        TableIndex.ORDERS_BY_CUSTOMER,
        TableIndex.ofCustomer(warehouse, district, customer),
        true,
        1,
        (key, row) -> last.add(new Entry(key, Row.of(Table.ORDERS, row))));
    if (last.isEmpty()) {
      throw new WrongAnswerException("customer " + customer + " has no order");
    }
    return last.get(0);
  }
}
