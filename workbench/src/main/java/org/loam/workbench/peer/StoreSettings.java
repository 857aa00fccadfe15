package org.loam.workbench.peer;

import java.nio.file.Path;
import java.util.Map;

/**
 * What all engines are given alike.
 *
 * @param directory of the store; created if it does not exist
 * @param memoryBytes for write memory and cache together
 * @param durability of every write
 * @param maxValueBytes the longest value that a session will see
 * @param trees number of trees that share the memory
 * @param indexes secondary indexes of each tree
 * @param engine settings of this engine alone, by name
 */
public record StoreSettings(
    Path directory,
    long memoryBytes,
    Durability durability,
    int maxValueBytes,
    int trees,
    int indexes,
    Map<String, String> engine) {
  /** Of a store with one tree. */
  public StoreSettings(Path directory, long memoryBytes, Durability durability, int maxValueBytes) {
    this(directory, memoryBytes, durability, maxValueBytes, 1, 0, Map.of());
  }

  /** When a write is acknowledged. */
  public enum Durability {
    /** The operating system has it: it survives the death of the process. */
    PROCESS,
    /** The disk has it: it survives the loss of power. */
    SYNC
  }

  public StoreSettings {
    if (memoryBytes < 1) {
      throw new IllegalArgumentException("memoryBytes = " + memoryBytes + ", rule: positive");
    }
    if (maxValueBytes < 1) {
      throw new IllegalArgumentException("maxValueBytes = " + maxValueBytes + ", rule: positive");
    }
    if (trees < 1) {
      throw new IllegalArgumentException("trees = " + trees + ", rule: positive");
    }
  }
}
