package org.loam.common.error;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What callers give, checked at the door: a null would only show deep inside, or too late. */
public final class Arguments {
  private Arguments() {}

  /**
   * The argument.
   *
   * @throws IllegalArgumentException if it is null
   */
  public static <T> T require(@Nullable T argument, String name) {
    if (argument == null) {
      throw new IllegalArgumentException(name + " is null, must not be null");
    }
    return argument;
  }

  /**
   * A copy of the list, which nothing changes.
   *
   * @throws IllegalArgumentException if it is null, or an element is
   */
  public static <T> List<T> requireAll(@Nullable List<T> arguments, String name) {
    List<T> list = require(arguments, name);
    for (int i = 0; i < list.size(); i++) {
      require(list.get(i), name + "[" + i + "]");
    }
    return List.copyOf(list);
  }
}
