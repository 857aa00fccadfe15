package org.loam.workbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InsertLogTest {
  @Test
  void clientsInsertDifferentRecords() {
    InsertLog inserts = new InsertLog(100, 3);
    Set<Long> indexes = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      for (int thread = 0; thread < 3; thread++) {
        assertThat(indexes.add(inserts.next(thread))).isTrue();
        inserts.acknowledged(thread);
      }
    }
    assertThat(indexes).hasSize(30).allMatch(index -> index >= 100 && index < 130);
    assertThat(inserts.total()).isEqualTo(30);
    assertThat(inserts.limit()).isEqualTo(130);
    assertThat(inserts.end()).isEqualTo(130);
  }

  @Test
  void theLimitWaitsForTheSlowest() {
    InsertLog inserts = new InsertLog(100, 2);
    for (int i = 0; i < 5; i++) {
      inserts.acknowledged(0);
    }
    assertThat(inserts.limit()).isEqualTo(100);
    inserts.acknowledged(1);
    assertThat(inserts.limit()).isEqualTo(102);
    assertThat(inserts.end()).isEqualTo(110);
    assertThat(inserts.total()).isEqualTo(6);
  }
}
