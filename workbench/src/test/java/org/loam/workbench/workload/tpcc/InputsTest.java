package org.loam.workbench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.workbench.workload.tpcc.Chance.Constants;

/** What transactions are asked, and how often which is run. */
class InputsTest {
  private static final Scale SCALE = Scale.of(3, 0.02);
  private static final int DRAWS = 20_000;

  private final Inputs inputs =
      new Inputs(SCALE, new Chance(new SplittableRandom(3), SCALE, Constants.ofRun(3)));

  @Test
  void oneNewOrderInAHundredHasAnItemThatDoesNotExist() {
    int rolledBack = 0;
    int remote = 0;
    int lines = 0;
    for (int i = 0; i < DRAWS; i++) {
      Inputs.NewOrder order = inputs.newOrder();
      assertThat(order.lines().size()).isBetween(5, 15);
      for (Inputs.Line line : order.lines()) {
        lines++;
        remote += line.supplyWarehouse() == order.warehouse() ? 0 : 1;
        assertThat(line.quantity()).isBetween(1, 10);
        assertThat(line.supplyWarehouse()).isBetween(1, 3);
      }
      int last = order.lines().get(order.lines().size() - 1).item();
      rolledBack += last > SCALE.items() ? 1 : 0;
    }
    assertThat((double) rolledBack / DRAWS).isCloseTo(0.01, within(0.003));
    assertThat((double) remote / lines).isCloseTo(0.01, within(0.002));
  }

  @Test
  void paymentsAreRemoteAndByNameAsOftenAsTheStandardWants() {
    int remote = 0;
    int byName = 0;
    for (int i = 0; i < DRAWS; i++) {
      Inputs.Payment payment = inputs.payment();
      remote += payment.customerWarehouse() == payment.warehouse() ? 0 : 1;
      byName += payment.customer().lastName() == null ? 0 : 1;
      assertThat(payment.amount()).isBetween(1_00, 5_000_00);
    }
    assertThat((double) remote / DRAWS).isCloseTo(0.15, within(0.01));
    assertThat((double) byName / DRAWS).isCloseTo(0.60, within(0.02));
  }

  @ParameterizedTest
  @EnumSource
  void aMixHasItsShares(Mix mix) {
    Map<TransactionKind, Integer> counts = new EnumMap<>(TransactionKind.class);
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < DRAWS; i++) {
      counts.merge(mix.next(random), 1, Integer::sum);
    }
    double sum = 0;
    for (TransactionKind kind : TransactionKind.values()) {
      double share = (double) counts.getOrDefault(kind, 0) / DRAWS;
      assertThat(share).isCloseTo(mix.share(kind), within(0.015));
      sum += mix.share(kind);
    }
    assertThat(sum).isCloseTo(1, within(1e-9));
  }

  @Test
  void theReadMostlyMixWritesOneInTwenty() {
    double writes =
        Mix.READ_MOSTLY.share(TransactionKind.NEW_ORDER)
            + Mix.READ_MOSTLY.share(TransactionKind.PAYMENT)
            + Mix.READ_MOSTLY.share(TransactionKind.DELIVERY);
    assertThat(writes).isCloseTo(0.05, within(1e-9));
    assertThat(Mix.of("read-mostly")).isEqualTo(Mix.READ_MOSTLY);
    assertThatThrownBy(() -> Mix.of("writes"))
        .hasMessage("unknown mix 'writes'; choose from standard, read-mostly");
  }
}
