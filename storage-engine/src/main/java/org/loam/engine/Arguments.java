package org.loam.engine;

import org.jspecify.annotations.Nullable;

/** What callers give, checked at the door: a null would only show deep inside, or too late. */
final class Arguments {
  private Arguments() {}

  /**
   * The argument.
   *
   * @throws IllegalArgumentException if it is null
   */
  static <T> T require(@Nullable T argument, String name) {
    if (argument == null) {
      throw new IllegalArgumentException(name + " is null, must not be null");
    }
    return argument;
  }
}
