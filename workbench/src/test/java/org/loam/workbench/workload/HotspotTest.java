package org.loam.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HotspotTest {
  private static final int CHOICES = 200_000;

  private static double[] shares(Hotspot hotspot, int trees) {
    SplittableRandom random = new SplittableRandom(7);
    double[] shares = new double[trees];
    for (int i = 0; i < CHOICES; i++) {
      shares[hotspot.choose(random, trees)] += 1.0 / CHOICES;
    }
    return shares;
  }

  /** Two hot trees of ten with 40 % each, eight others with 2.5 % each. */
  @Test
  void theHotTreesGetTheirShare() {
    double[] shares = shares(Hotspot.of("80-20"), 10);
    for (int tree = 0; tree < 10; tree++) {
      assertThat(shares[tree]).isCloseTo(tree < 2 ? 0.4 : 0.025, within(0.005));
    }
  }

  @Test
  void fiftyFiftyIsEven() {
    for (double share : shares(Hotspot.of("50-50"), 10)) {
      assertThat(share).isCloseTo(0.1, within(0.005));
    }
  }

  @Test
  void oneTreeIsHotAtLeastAndAllAtMost() {
    assertThat(shares(new Hotspot(90, 1), 2)[0]).isCloseTo(0.9, within(0.005));
    assertThat(shares(new Hotspot(90, 100), 2)[0]).isCloseTo(0.5, within(0.005));
    assertThat(shares(new Hotspot(90, 10), 1)).containsExactly(shares(new Hotspot(1, 1), 1));
  }

  @Test
  void otherTextsAreRefusedWithTheRule() {
    assertThatThrownBy(() -> Hotspot.of("80:20"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rule: percent of operations");
    assertThatThrownBy(() -> Hotspot.of("101-20"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rule: both from 1 to 100");
  }
}
