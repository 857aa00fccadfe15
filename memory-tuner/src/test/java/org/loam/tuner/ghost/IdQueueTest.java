package org.loam.tuner.ghost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IdQueueTest {
  /**
   * Against a list, with parts of ids, and few different ids, so that places of the table collide
   * and wrap.
   */
  @Test
  void isAListInTheOrderOfAdditions() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int capacity = 1 + random.nextInt(70);
      int ids = 1 + random.nextInt(2 * capacity + 3);
      IdQueue queue = new IdQueue(capacity);
      List<Long> model = new ArrayList<>();
      Set<Integer> apart = Set.of();
      for (int step = 0; step < 500; step++) {
        Long id = (long) random.nextInt(ids) << random.nextInt(2) * 32;
        int part = part(id);
        switch (random.nextInt(9)) {
          case 2 -> {
            apart = random.nextBoolean() ? Set.of(1) : Set.of(0, 2);
            queue.countApart(apart);
          }
          case 0 -> assertThat(queue.remove(id)).isEqualTo(model.remove(id));
          case 1 -> {
            long last = id + random.nextInt(4);
            queue.removeRange(id, last);
            model.removeIf(other -> other >= id && other <= last);
          }
          default -> {
            model.remove(id);
            if (model.size() == capacity) {
              model.remove(0);
            }
            queue.add(id, part);
            model.add(id);
          }
        }
        Long asked = (long) random.nextInt(ids);
        int at = model.indexOf(asked);
        assertThat(queue.contains(asked)).isEqualTo(at >= 0);
        assertThat(queue.newerThan(asked)).isEqualTo(at < 0 ? -1 : model.size() - 1 - at);
        if (at >= 0) {
          Set<Integer> apartNow = apart;
          int counted = counted(asked, apart);
          long ofPart =
              model.stream()
                  .skip(at + 1)
                  .mapToInt(newer -> counted(newer, apartNow))
                  .filter(newer -> newer == counted)
                  .count();
          assertThat(queue.newerOfItsPart(asked)).isEqualTo((int) ofPart);
          assertThat(queue.partOf(asked)).isEqualTo(part(asked));
        }
        assertThat(queue.size()).isEqualTo(model.size());
      }
    }
  }

  private static int counted(long id, Set<Integer> apart) {
    return apart.contains(part(id)) ? part(id) : -1;
  }

  private static int part(long id) {
    return (int) (id % 3);
  }
}
