package org.loam.engine.tuning;

/**
 * What learns of the pages and keys that are used. Both look while there is a tuner that asks them.
 *
 * @param pages that are read
 * @param writes of keys
 */
public record Watches(PageWatch pages, WriteWatch writes) {
  /** Both look from now on, and know nothing of before. For one thread. */
  public void begin() {
    pages.begin();
    writes.begin();
  }

  /** Both look at nothing from now on. */
  public void end() {
    pages.end();
    writes.end();
  }
}
