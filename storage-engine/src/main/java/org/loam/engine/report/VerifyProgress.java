package org.loam.engine.report;

/** Is told how far {@code Engine.verify} is. Called on the thread that verifies. */
@FunctionalInterface
public interface VerifyProgress {
  /** Does nothing. */
  VerifyProgress NONE = (part, doneBytes, totalBytes) -> {};

  /**
   * Called when a part begins and ends, and at most about once for each megabyte.
   *
   * @param part what is being checked
   * @param doneBytes never less than before; at the end all of them
   * @param totalBytes about as many as are to be read, the same from call to call
   */
  void at(String part, long doneBytes, long totalBytes);
}
