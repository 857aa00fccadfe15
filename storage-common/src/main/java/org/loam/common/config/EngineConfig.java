package org.loam.common.config;

import java.io.Reader;
import java.io.StringReader;
import java.util.List;
import org.loam.common.error.Arguments;

/**
 * The settings of an engine. Immutable; of one that exists every value is allowed. Whether the
 * memory suffices for all of them together is found out when an engine is opened. {@link Settings}
 * says what each setting means and allows.
 *
 * @param memory what is divided among write memory, cache and fixed parts
 * @param log the transaction log
 * @param write the write memory
 * @param disk the shape of the trees on disk
 * @param io background input and output
 * @param threads background threads
 * @param tuner the memory tuner
 */
public record EngineConfig(
    MemoryConfig memory,
    LogConfig log,
    WriteConfig write,
    DiskConfig disk,
    IoConfig io,
    ThreadsConfig threads,
    TunerConfig tuner) {
  /**
   * Checks all values.
   *
   * @throws ConfigException if some are not allowed; names all of them
   */
  public EngineConfig(
      MemoryConfig memory,
      LogConfig log,
      WriteConfig write,
      DiskConfig disk,
      IoConfig io,
      ThreadsConfig threads,
      TunerConfig tuner) {
    this.memory = memory;
    this.log = log;
    this.write = write;
    this.disk = disk;
    this.io = io;
    this.threads = threads;
    this.tuner = tuner;
    List<String> problems = Settings.check(this);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** All defaults; {@code memory.total} has none. */
  public static EngineConfigBuilder builder() {
    return new EngineConfigBuilder();
  }

  /**
   * Reads the YAML form; what is absent takes its default.
   *
   * @throws ConfigException if anything is wrong; names every problem of the text
   */
  public static EngineConfig fromYaml(String yaml) {
    return fromYaml(new StringReader(Arguments.require(yaml, "yaml")));
  }

  /** {@link #fromYaml(String)} of what a reader gives; does not close it. */
  public static EngineConfig fromYaml(Reader yaml) {
    return builder().yaml(yaml).build();
  }

  /** A builder with these settings. */
  public EngineConfigBuilder toBuilder() {
    EngineConfigBuilder builder = builder();
    Settings.ALL.forEach(setting -> setting.copy(this, builder));
    return builder;
  }

  /**
   * This configuration after a change that a running engine can make.
   *
   * @param name of a live setting, with dots
   * @param value as in the YAML form
   * @throws ConfigException if there is no such setting, if it is fixed, or if the value is not
   *     allowed, by itself or beside the others
   */
  public EngineConfig changed(String name, String value) {
    Setting<?> setting =
        Settings.find(name).orElseThrow(() -> new ConfigException(List.of(Settings.unknown(name))));
    if (!setting.isLive()) {
      throw new ConfigException(
          List.of(
              name
                  + ": fixed while an engine runs ("
                  + setting.fixedBecause()
                  + "); change it in the configuration, for the next open"));
    }
    EngineConfigBuilder builder = toBuilder();
    String problem = ConfigYaml.readValue(setting, value, builder);
    if (problem != null) {
      throw new ConfigException(List.of(problem));
    }
    return builder.build();
  }

  /** The YAML form, every setting in it; reads back as an equal configuration. */
  public String toYaml() {
    return ConfigYaml.write(this);
  }
}
