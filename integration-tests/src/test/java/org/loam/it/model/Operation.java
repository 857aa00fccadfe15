package org.loam.it.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What is done next: a kind and a seed and nothing else, so that any part of a list of operations
 * can be played alone.
 */
record Operation(Enum<?> kind, long seed) {

  /**
   * Operations of a seed.
   *
   * @param weights how often each kind is to occur
   * @param first the first one
   */
  static List<Operation> list(
      long seed, int count, Enum<?>[] kinds, int[] weights, Operation first) {
    SplittableRandom random = new SplittableRandom(seed);
    int total = Arrays.stream(weights).sum();
    List<Operation> operations = new ArrayList<>();
    operations.add(first);
    while (operations.size() < count) {
      int dice = random.nextInt(total);
      int kind = 0;
      while (dice >= weights[kind]) {
        dice -= weights[kind++];
      }
      operations.add(new Operation(kinds[kind], random.nextLong()));
    }
    return operations;
  }
}
