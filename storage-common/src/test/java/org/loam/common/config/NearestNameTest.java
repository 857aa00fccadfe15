package org.loam.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  @Test
  void distanceCountsLetters() {
    assertThat(NearestName.distance("stability-9", "stabilty-8")).isEqualTo(2);
    assertThat(NearestName.distance("", "abc")).isEqualTo(3);
    assertThat(NearestName.distance("abc", "")).isEqualTo(3);
    assertThat(NearestName.distance("abc", "abc")).isZero();
  }

  @Test
  void theNearestOfSeveralIsMeant() {
    assertThat(NearestName.of("cities", List.of("orders", "city", "cite"))).hasValue("cite");
    assertThat(NearestName.of("cities", List.of("orders"))).isEmpty();
    assertThat(NearestName.of("cities", List.of())).isEmpty();
  }

  @Test
  void aQuestionEndsTheMessage() {
    assertThat(NearestName.question("order", List.of("orders"), "; create it"))
        .isEqualTo("; did you mean 'orders'?");
    assertThat(NearestName.question("order", List.of("people"), "; create it"))
        .isEqualTo("; create it");
  }
}
