package org.loam.asterix.runtime;

import org.apache.hyracks.api.config.IOption;
import org.apache.hyracks.api.config.IOptionType;
import org.apache.hyracks.api.config.Section;
import org.apache.hyracks.control.common.config.OptionTypes;
import org.jspecify.annotations.Nullable;

/** What a node's configuration may say of Loam, in its section {@code [nc]}. */
@SuppressWarnings("ImmutableEnumChecker") // Types and defaults are, but do not say so.
public enum LoamOption implements IOption {
  LOAM_MEMORY(
      OptionTypes.STRING,
      null,
      "Loam's memory, outside of the heap, such as 4GiB; default: a quarter of the machine's"),
  LOAM_SETTINGS(
      OptionTypes.STRING,
      null,
      "Other settings of Loam as one line of YAML, such as {io: {limitBytesPerSecond: 200MiB}}"),
  LOAM_METADATA(OptionTypes.BOOLEAN, true, "Whether AsterixDB's own datasets are in Loam, too");

  private final IOptionType<?> type;
  private final @Nullable Object defaultValue;
  private final String description;

  LoamOption(IOptionType<?> type, @Nullable Object defaultValue, String description) {
    this.type = type;
    this.defaultValue = defaultValue;
    this.description = description;
  }

  @Override
  public Section section() {
    return Section.NC;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public IOptionType<?> type() {
    return type;
  }

  @Override
  @SuppressWarnings("NullAway") // Null is no default.
  public Object defaultValue() {
    return defaultValue;
  }
}
