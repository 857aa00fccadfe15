package org.loam.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  @Test
  void everyWorkloadIsFoundByItsName() {
    for (Workload workload : Workload.values()) {
      assertThat(Workload.of(" " + workload.id().toUpperCase(Locale.ROOT) + " "))
          .isSameAs(workload);
      assertThat(workload.description()).isNotBlank();
    }
  }

  @Test
  void anUnknownNameListsTheKnownOnes() {
    assertThatThrownBy(() -> Workload.of("ycsb-x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'ycsb-x'")
        .hasMessageContaining("ycsb-a");
  }

  @Test
  void readsComeBeforeWritesInARound() {
    assertThat(Workload.YCSB_C).isLessThan(Workload.YCSB_A);
    assertThat(Workload.SCAN.writes()).isFalse();
    assertThat(Workload.YCSB_E.writes()).isTrue();
    assertThat(Workload.LOAD.writes()).isTrue();
    assertThat(Workload.ABSENT.writes()).isFalse();
  }

  @Test
  void theShareOfWritesIsThatOfTheMix() {
    assertThat(Workload.YCSB_A.writePercent()).isEqualTo(50);
    assertThat(Workload.YCSB_B.writePercent()).isEqualTo(5);
    assertThat(Workload.YCSB_E.writePercent()).isEqualTo(5);
    assertThat(Workload.OVERWRITE.writePercent()).isEqualTo(100);
    assertThat(Workload.SCAN.writePercent()).isZero();
    assertThat(Workload.READ.writePercent()).isZero();
    for (Workload workload : Workload.values()) {
      assertThat(workload.writePercent() > 0).isEqualTo(workload.writes());
    }
  }
}
