package org.loam.scheduler.merge;

/**
 * What a policy knows of an SSTable. Immutable, so a tree makes one per table and shares it among
 * the shapes that contain the table.
 *
 * @param id names the table within its tree; never used again
 * @param bytes size on disk
 * @param range its keys
 */
public record Component(long id, long bytes, KeyRange range) {
  /** Bytes of some components together. */
  public static long bytes(Iterable<Component> components) {
    long sum = 0;
    for (Component component : components) {
      sum += component.bytes();
    }
    return sum;
  }
}
