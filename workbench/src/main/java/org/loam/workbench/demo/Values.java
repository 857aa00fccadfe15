package org.loam.workbench.demo;

import java.util.List;

/**
 * What a record has in the indexed fields.
 *
 * @param group the first part of the composite index
 * @param number its second part, and an index of its own; {@link #NO_NUMBER} if there is none
 * @param text the plain index
 * @param many the multi-valued index, each value once
 */
public record Values(String group, long number, String text, List<String> many) {
  /** Less than all numbers there are, as "missing" is in an index. */
  public static final long NO_NUMBER = -1;
}
