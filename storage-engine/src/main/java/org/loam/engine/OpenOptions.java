package org.loam.engine;

import org.jspecify.annotations.Nullable;

/**
 * What an engine is given at open beside its settings. Immutable.
 *
 * @param listener is told of events; null if nobody is
 */
public record OpenOptions(@Nullable EventListener listener) {
  /** Nobody listens. */
  public static final OpenOptions DEFAULT = new OpenOptions(null);

  /** These options with somebody who is told of events. */
  public OpenOptions withListener(EventListener told) {
    return new OpenOptions(Arguments.require(told, "listener"));
  }
}
