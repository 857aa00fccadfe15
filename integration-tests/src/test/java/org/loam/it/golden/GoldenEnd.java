package org.loam.it.golden;

import java.util.Locale;
import org.loam.common.config.WriteScheme;

/** How a database to be checked in was left, and the memory scheme that it was made with. */
enum GoldenEnd {
  CLOSED(WriteScheme.DYNAMIC),
  CRASHED(WriteScheme.DYNAMIC),
  /** Some ranges of keys were flushed later than others before the crash. */
  RANGES_CRASHED(WriteScheme.RANGES),
  /** Some runs of the memory levels were flushed before the crash, while older writes stayed. */
  LEVELS_CRASHED(WriteScheme.LEVELS);

  private final WriteScheme scheme;

  GoldenEnd(WriteScheme scheme) {
    this.scheme = scheme;
  }

  /** The end of that text. */
  static GoldenEnd of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  WriteScheme scheme() {
    return scheme;
  }

  boolean isClosed() {
    return this == CLOSED;
  }

  /**
   * Whether memory of its trees was flushed in parts, so that disk and log have a tree together.
   */
  boolean isPartlyFlushed() {
    return this == RANGES_CRASHED || this == LEVELS_CRASHED;
  }

  /** As it is in the names of archives. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
