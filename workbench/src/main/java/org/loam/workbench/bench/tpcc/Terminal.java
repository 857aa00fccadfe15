package org.loam.workbench.bench.tpcc;

import java.util.SplittableRandom;
import org.loam.workbench.bench.Client;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Chance;
import org.loam.workbench.workload.tpcc.Chance.Constants;
import org.loam.workbench.workload.tpcc.Inputs;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;
import org.loam.workbench.workload.tpcc.TransactionKind;

/** Runs transactions of a mix without pause. For one thread. */
public final class Terminal implements Client {
  private final Mix mix;
  private final SplittableRandom random;
  private final Inputs inputs;
  private final TableStore.Session session;
  private final Transactions transactions;
  private final Totals totals;
  private TransactionKind kind = TransactionKind.NEW_ORDER;
  private long writes;

  /**
   * What terminals of a run have in common.
   *
   * @param scale of the tables
   * @param mix of the transactions
   * @param seed of the load
   * @param locks of all terminals
   * @param totals of all terminals
   */
  public record Shared(Scale scale, Mix mix, long seed, RecordLocks locks, Totals totals) {}

  /**
   * @param session closed with the terminal
   */
  public Terminal(Shared shared, TableStore.Session session, SplittableRandom random) {
    this.mix = shared.mix();
    this.random = random.split();
    Constants constants = Constants.ofRun(shared.seed());
    this.inputs = new Inputs(shared.scale(), new Chance(random, shared.scale(), constants));
    this.session = session;
    this.transactions = new Transactions(session, shared.locks(), System::currentTimeMillis);
    this.totals = shared.totals();
  }

  @Override
  public int kinds() {
    return TransactionKind.ALL.size();
  }

  @Override
  public int kind() {
    return TransactionKind.ALL.indexOf(kind);
  }

  @Override
  public void step() {
    kind = mix.next(random);
    switch (kind) {
      case NEW_ORDER -> {
        Results.NewOrder result = transactions.newOrder(inputs.newOrder());
        totals.entered(result);
        writes += result.isRolledBack() ? 0 : 1;
      }
      case PAYMENT -> {
        Inputs.Payment input = inputs.payment();
        transactions.payment(input);
        totals.paid(input.amount());
        writes++;
      }
      case ORDER_STATUS -> transactions.orderStatus(inputs.orderStatus());
      case DELIVERY -> {
        totals.delivered(transactions.delivery(inputs.delivery()));
        writes++;
      }
      case STOCK_LEVEL -> transactions.stockLevel(inputs.stockLevel());
    }
  }

  /** Transactions that wrote. */
  @Override
  public long writes() {
    return writes;
  }

  @Override
  public void close() {
    session.close();
  }
}
