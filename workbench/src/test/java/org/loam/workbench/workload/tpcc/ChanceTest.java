package org.loam.workbench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.loam.workbench.workload.tpcc.Chance.Constants;

/** Random numbers and texts of the standard. */
class ChanceTest {
  private static final Scale FULL = Scale.of(1, 1);
  private static final int DRAWS = 200_000;

  private static Chance chance(Scale scale) {
    return new Chance(new SplittableRandom(7), scale, Constants.ofRun(7));
  }

  /** The share of draws that the most popular tenth of a range takes. */
  private static double shareOfTopTenth(IntSupplier draw, int size) {
    int[] counts = new int[size + 1];
    for (int i = 0; i < DRAWS; i++) {
      int drawn = draw.getAsInt();
      assertThat(drawn).isBetween(1, size);
      counts[drawn]++;
    }
    assertThat(Arrays.stream(counts).skip(1).filter(count -> count == 0).count())
        .isLessThan(size / 5);
    Arrays.sort(counts);
    int top = Arrays.stream(counts, counts.length - size / 10, counts.length).sum();
    return (double) top / DRAWS;
  }

  @Test
  void someCustomersAndItemsAreMorePopular() {
    Chance chance = chance(FULL);
    assertThat(shareOfTopTenth(chance::customer, FULL.customers())).isBetween(0.3, 0.7);
    Scale small = Scale.of(1, 0.02);
    Chance ofSmall = chance(small);
    assertThat(shareOfTopTenth(ofSmall::customer, small.customers())).isBetween(0.25, 0.7);
    assertThat(shareOfTopTenth(ofSmall::item, small.items())).isBetween(0.3, 0.8);
    assertThat(shareOfTopTenth(() -> ofSmall.uniform(1, 1_000), 1_000)).isLessThan(0.15);
  }

  @Test
  void lastNamesAreMadeOfThreeSyllables() {
    assertThat(Chance.lastName(0)).isEqualTo("BARBARBAR");
    assertThat(Chance.lastName(371)).isEqualTo("PRICALLYOUGHT");
    assertThat(Chance.lastName(999)).isEqualTo("EINGEINGEING");
  }

  @Test
  void namesThatAreAskedForExist() {
    Scale small = Scale.of(1, 0.01);
    Set<String> names = new HashSet<>();
    for (int i = 0; i < small.customers(); i++) {
      names.add(Chance.lastName(i));
    }
    Chance chance = chance(small);
    for (int i = 0; i < 1_000; i++) {
      assertThat(names).contains(chance.lastName());
    }
  }

  @Test
  void theConstantsOfRunAndLoadDifferAsTheStandardWants() {
    for (long seed = 0; seed < 1_000; seed++) {
      int delta = Math.abs(Constants.ofRun(seed).lastName() - Constants.ofLoad(seed).lastName());
      assertThat(delta).isBetween(65, 119).isNotIn(96, 112);
      assertThat(Constants.ofRun(seed).lastName()).isBetween(0, 255);
    }
  }

  @Test
  void textsHaveTheirLengthsAndOneInTenIsOriginal() {
    Chance chance = chance(FULL);
    int originals = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(chance.text(14, 24)).matches("[A-Za-z0-9]{14,24}");
      assertThat(chance.digits(16)).matches("[0-9]{16}");
      String data = chance.data();
      assertThat(data).matches("[A-Za-z0-9]{26,50}");
      originals += data.contains("ORIGINAL") ? 1 : 0;
    }
    assertThat(originals).isBetween(900, 1_100);
  }

  @Test
  void aPermutationHasEachNumberOnce() {
    int[] numbers = chance(FULL).permutation(100);
    assertThat(numbers).isNotEqualTo(Arrays.stream(numbers).sorted().toArray());
    assertThat(Arrays.stream(numbers).sorted().toArray())
        .isEqualTo(java.util.stream.IntStream.rangeClosed(1, 100).toArray());
  }
}
