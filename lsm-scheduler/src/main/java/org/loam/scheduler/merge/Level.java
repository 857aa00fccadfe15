package org.loam.scheduler.merge;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * One level below L0: disjoint components in key order.
 *
 * <p>A level keeps its id for life, and a greater id is an older level. Levels come and go only at
 * the top (MemoryWalls §4.1.3), so the last level of every tree is {@link #LAST} and each one added
 * above takes the next smaller id; id 0 is L0. The level with the smallest id is called L1.
 *
 * @param id between 1 and {@link #LAST}
 * @param components disjoint, sorted by key
 * @param cursor where round-robin selection goes on: the largest key of the component that last
 *     left this level, empty to begin with; kept by the tree, see {@link MergePlan#cursor}
 */
@SuppressWarnings("ArrayRecordComponent") // shared, not copied
public record Level(int id, List<Component> components, byte[] cursor) {
  /** Id of the last level of every tree. */
  public static final int LAST = 31;

  /** Id by which plans name L0. */
  public static final int L0 = 0;

  @Override
  public boolean equals(Object o) {
    return o instanceof Level other
        && id == other.id
        && components.equals(other.components)
        && Arrays.equals(cursor, other.cursor);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, components, Arrays.hashCode(cursor));
  }
}
