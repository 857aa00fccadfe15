package org.loam.engine;

import org.jspecify.annotations.Nullable;

/**
 * What an engine is given at open beside its settings. Immutable.
 *
 * @param listener is told of events; null if nobody is
 * @param hostLog the log of the program that embeds the engine; null if the engine has its own
 */
public record OpenOptions(@Nullable EventListener listener, @Nullable HostLog hostLog) {
  /** Nobody listens, and the engine has its own log. */
  public static final OpenOptions DEFAULT = new OpenOptions(null, null);

  /** These options with somebody who is told of events. */
  public OpenOptions withListener(EventListener told) {
    return new OpenOptions(Arguments.require(told, "listener"), hostLog);
  }

  /**
   * These options for an engine below a host's log. A database is created with a host's log or
   * without, and stays so; {@code durability} does not count for it, nor do forced writes.
   */
  public OpenOptions withHostLog(HostLog log) {
    return new OpenOptions(listener, Arguments.require(log, "hostLog"));
  }
}
