package org.loam.scheduler.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Depths of random components, against counting for every key. */
class DepthsTest {
  private static final int KEYS = 256;

  @Test
  void depthsAreThoseOfEveryKey() {
    for (int seed = 0; seed < 300; seed++) {
      List<Component> oldestFirst = components(new Random(seed));
      int[] depths = new int[KEYS];
      for (Component component : oldestFirst) {
        for (int key = first(component); key <= last(component); key++) {
          depths[key]++;
        }
      }
      int greatest = 0;
      for (int depth : depths) {
        greatest = Math.max(greatest, depth);
      }
      List<List<Component>> groups = Depths.groups(oldestFirst);
      assertThat(Depths.greatest(groups)).as("seed %d", seed).isEqualTo(greatest);
      for (Depths.Peak peak : Depths.peaks(groups)) {
        int from = peak.range().min()[0] & 0xff;
        int to = peak.range().max()[0] & 0xff;
        for (int key = from; key <= to; key++) {
          assertThat(peak.depth()).as("seed %d, key %d", seed, key).isEqualTo(depths[key]);
        }
      }
      for (int key = 1; key < KEYS - 1; key++) {
        if (depths[key] > depths[key - 1] && depths[key] > depths[key + 1]) {
          KeyRange alone = new KeyRange(new byte[] {(byte) key}, new byte[] {(byte) key});
          assertThat(Depths.peaks(groups))
              .as("seed %d, key %d", seed, key)
              .anyMatch(peak -> peak.range().overlaps(alone));
        }
      }
    }
  }

  /** A component is right above something older that it meets, or at the bottom. */
  @Test
  void groupsKeepTheOrderAndAreAsFewAsCanBe() {
    for (int seed = 0; seed < 300; seed++) {
      List<Component> oldestFirst = components(new Random(seed));
      List<List<Component>> groups = Depths.groups(oldestFirst);
      TreeShape.of(1, groups, List.of(), List.of(), 1).check();
      assertThat(groups.stream().flatMap(List::stream).toList())
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(oldestFirst);
      for (int g = 0; g < groups.size(); g++) {
        List<Component> below = g + 1 < groups.size() ? groups.get(g + 1) : List.of();
        for (Component component : groups.get(g)) {
          boolean onTop =
              Component.overlapping(below, component.range()).stream()
                  .anyMatch(older -> older.id() < component.id());
          assertThat(onTop).as("seed %d, %s", seed, component).isEqualTo(!below.isEmpty());
          for (List<Component> newer : groups.subList(0, g)) {
            assertThat(Component.overlapping(newer, component.range()))
                .as("seed %d, above %s", seed, component)
                .allMatch(c -> c.id() > component.id());
          }
        }
      }
    }
  }

  private static List<Component> components(Random random) {
    List<Component> components = new ArrayList<>();
    int width = 1 + random.nextInt(KEYS);
    for (int i = random.nextInt(30); i > 0; i--) {
      int min = random.nextInt(KEYS);
      int max = Math.min(KEYS - 1, min + random.nextInt(width));
      KeyRange range = new KeyRange(new byte[] {(byte) min}, new byte[] {(byte) max});
      components.add(new Component(components.size(), 1, range));
    }
    return components;
  }

  private static int first(Component component) {
    return component.range().min()[0] & 0xff;
  }

  private static int last(Component component) {
    return component.range().max()[0] & 0xff;
  }
}
