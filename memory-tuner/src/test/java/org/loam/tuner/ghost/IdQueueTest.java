package org.loam.tuner.ghost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
      int[] apart = {};
      for (int step = 0; step < 500; step++) {
        Long id = (long) random.nextInt(ids) << random.nextInt(2) * 32;
        int part = part(id);
        switch (random.nextInt(9)) {
          case 0 -> assertThat(queue.remove(id)).isEqualTo(model.remove(id));
          case 1 -> {
            long last = id + random.nextInt(4);
            queue.removeRange(id, last);
            model.removeIf(other -> other >= id && other <= last);
          }
          case 2 -> {
            apart = random.nextBoolean() ? new int[] {1} : new int[] {0, 2};
            queue.countApart(apart);
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
          int[] apartNow = apart;
          int group = group(asked, apart);
          long ofGroup =
              model.stream().skip(at + 1).filter(newer -> group(newer, apartNow) == group).count();
          assertThat(queue.groupOf(asked)).isEqualTo(group);
          assertThat(queue.newerOfItsGroup(asked)).isEqualTo((int) ofGroup);
        }
        assertThat(queue.size()).isEqualTo(model.size());
      }
    }
  }

  private static int group(long id, int[] apart) {
    int group = 0;
    while (group < apart.length && apart[group] != part(id)) {
      group++;
    }
    return group;
  }

  private static int part(long id) {
    return (int) (id % 3);
  }
}
