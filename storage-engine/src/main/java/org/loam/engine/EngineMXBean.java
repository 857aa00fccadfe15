package org.loam.engine;

/**
 * An open engine as JMX shows it, under the name {@code
 * org.loam:type=Engine,directory="<directory>"}. It is there from the opening of the engine to its
 * close, unless the program gave the engine an environment of its own.
 *
 * <p>An attribute is asked for only when a client reads it; nothing is collected before.
 */
public interface EngineMXBean {
  /** Everything of {@link Engine#statistics}, as JSON. */
  String getStatistics();

  /** What keeps the engine from its work, {@link Engine#health}, as JSON. */
  String getHealth();

  /** The last choices of memory to flush, {@link Engine#flushChoices}, as JSON. */
  String getFlushChoices();

  /** What write memory has by itself, in bytes. */
  long getWriteMemoryBytes();

  /** What write memory is to have, in bytes; it moves there. */
  long getWriteMemoryTargetBytes();

  /** What the pages of the buffer cache may take, in bytes. */
  long getCacheBytes();

  /** What the memory tuner does with its decisions, as the setting {@code tuner.mode}. */
  String getTunerMode();

  /** The last decision of the memory tuner and its reason; empty if no cycle has ended. */
  String getLastDecision();

  /**
   * Changes a live setting, as {@link Engine#configure} does, with the same refusals.
   *
   * @return the name and the value that is effective now
   * @throws IllegalArgumentException if it is refused, with all reasons; nothing has changed then
   */
  String configure(String name, String value);

  /**
   * Makes a checkpoint, as {@link Engine#checkpoint} does, with the same refusals.
   *
   * @param directory as the process of the engine sees it; an absolute path
   * @return what was made, as JSON
   * @throws IllegalArgumentException if it is refused; nothing was made then
   * @throws java.io.UncheckedIOException if a file, a lock or room on the disk was missing
   * @throws IllegalStateException if it failed in another way
   */
  String checkpoint(String directory);
}
