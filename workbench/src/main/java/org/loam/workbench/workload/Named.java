package org.loam.workbench.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What has a name on the command line and in reports. */
public interface Named {
  /** The name, in small letters. */
  String id();

  /**
   * The one that a name means.
   *
   * @param what as a message calls it
   * @throws IllegalArgumentException with all names, if there is none
   */
  static <N extends Named> N find(String what, String name, N[] all) {
    String wanted = name.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(all)
        .filter(one -> one.id().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown "
                        + what
                        + " '"
                        + name
                        + "'; choose from "
                        + Arrays.stream(all).map(Named::id).collect(Collectors.joining(", "))));
  }
}
