package org.loam.workbench.bench.tpcc;

import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Columns.District;
import org.loam.workbench.workload.tpcc.Columns.Order;
import org.loam.workbench.workload.tpcc.Columns.Warehouse;
import org.loam.workbench.workload.tpcc.Row;
import org.loam.workbench.workload.tpcc.Scale;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableKeys;

/** Sums over the tables, by warehouse or by district, for {@link Conditions}. */
final class Aggregates {
  /** By warehouse, from 0. */
  final long[] warehouseYtd;

  /** By district, from 0, that of all warehouses; so are the others. */
  final long[] districtYtd;

  final long[] nextOrder;
  final long[] lastOrder;
  final long[] linesOfOrders;
  final long[] lines;
  final long[] newOrders;
  final long[] firstNewOrder;
  final long[] lastNewOrder;

  private Aggregates(Scale scale) {
    int districts = scale.warehouses() * Scale.DISTRICTS;
    warehouseYtd = new long[scale.warehouses()];
    districtYtd = new long[districts];
    nextOrder = new long[districts];
    lastOrder = new long[districts];
    linesOfOrders = new long[districts];
    lines = new long[districts];
    newOrders = new long[districts];
    firstNewOrder = new long[districts];
    lastNewOrder = new long[districts];
  }

  /** Reads all records that count, while no transaction runs. */
  static Aggregates of(TableStore.Session session, Scale scale) {
    Aggregates all = new Aggregates(scale);
    scan(
        session,
        Table.WAREHOUSE,
        (key, row) -> all.warehouseYtd[TableKeys.warehouseOf(key) - 1] = row.get(Warehouse.YTD));
    scan(
        session,
        Table.DISTRICT,
        (key, row) -> {
          all.districtYtd[district(key)] = row.get(District.YTD);
          all.nextOrder[district(key)] = row.get(District.NEXT_ORDER);
        });
    // In the order of their keys: the last one stays.
    scan(
        session,
        Table.ORDERS,
        (key, row) -> {
          all.lastOrder[district(key)] = TableKeys.orderOf(key);
          all.linesOfOrders[district(key)] += row.get(Order.LINES);
        });
    scan(session, Table.ORDER_LINE, (key, row) -> all.lines[district(key)]++);
    scan(
        session,
        Table.NEW_ORDER,
        (key, row) -> {
          int district = district(key);
          if (all.newOrders[district]++ == 0) {
            all.firstNewOrder[district] = TableKeys.orderOf(key);
          }
          all.lastNewOrder[district] = TableKeys.orderOf(key);
        });
    return all;
  }

  /** Takes a record. */
  private interface Rows {
    void row(byte[] key, Row row);
  }

  private static void scan(TableStore.Session session, Table table, Rows rows) {
    session.scan(
        table,
        new byte[0],
        null,
        Integer.MAX_VALUE,
        (key, record) -> rows.row(key, Row.of(table, record)));
  }

  private static int district(byte[] key) {
    return (TableKeys.warehouseOf(key) - 1) * Scale.DISTRICTS + TableKeys.districtOf(key) - 1;
  }
}
