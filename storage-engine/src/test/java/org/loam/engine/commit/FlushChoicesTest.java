package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.FlushChoice.Chosen;
import org.loam.engine.report.FlushChoice.Compared;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.lsm.FlushCause;

class FlushChoicesTest {
  private static FlushChoice choice(int number) {
    return new FlushChoice(
        0,
        FlushCause.MEMORY,
        Rule.FULL,
        new Chosen("t", 1, 1, number, 0, number),
        new Compared(1, 1, 0, number, 0));
  }

  @Test
  void theLastChoicesAreKeptWithTheirAge() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            FlushChoices choices = new FlushChoices(sim.env().clock());
            assertThat(choices.list()).isEmpty();
            int count = FlushChoices.KEPT + 7;
            for (int i = 0; i < count; i++) {
              choices.add(choice(i));
              sim.env().waiter().pause(1_000);
            }
            List<FlushChoice> last = choices.list();
            assertThat(last).hasSize(FlushChoices.KEPT);
            for (int i = 0; i < last.size(); i++) {
              assertThat(last.get(i).chosen().minLsn()).isEqualTo(i + 7);
              assertThat(last.get(i).ageNanos()).isGreaterThanOrEqualTo(1_000L * (last.size() - i));
            }
            assertThat(last.get(0).aged(0)).isEqualTo(choice(7));
          });
    }
  }
}
