package org.loam.common.config;

import java.util.List;

/** Settings that cannot be used; says everything that is wrong with them at once. */
public final class ConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** One sentence each: the setting, its value, the rule. */
  public List<String> problems() {
    return problems;
  }
}
