package org.loam.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a running engine can take over, and in which words the rest is refused. */
@Tag("once")
class ChangedConfigTest {
  private static final EngineConfig CONFIG =
      EngineConfig.fromYaml("{memory: {total: 1GiB}, log: {directory: elsewhere}}");

  @Test
  void aBuilderOfAConfigurationHasAllOfIt() {
    assertThat(CONFIG.toBuilder().build()).isEqualTo(CONFIG);
    assertThat(CONFIG.toBuilder().l0Stop(20).build().disk().l0Stop()).isEqualTo(20);
  }

  @ParameterizedTest
  @CsvSource({
    "log.maxBytes, 256MiB, 256MiB",
    "log.maxBytes, 268435456, 256MiB",
    "write.flushThreshold, 0.7, 0.7",
    "write.flushPolicy, MIN_LSN, MIN_LSN",
    "l0.stop, 30, 30",
    "io.limitBytesPerSecond, 0, 0",
    "io.limitBytesPerSecond, 100 MiB, 100MiB",
  })
  void oneValueChangesAndTheOthersStay(String name, String value, String shown) {
    EngineConfig changed = CONFIG.changed(name, value);
    for (Setting<?> setting : Settings.ALL) {
      assertThat(setting.textOf(changed))
          .isEqualTo(setting.name().equals(name) ? shown : setting.textOf(CONFIG));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          io.limitBytePerSecond | 1MiB  | io.limitBytePerSecond: no such setting; did you mean io.limitBytesPerSecond?
          encryption            | true  | encryption: no such setting
          l0                    | 3     | l0: a group of settings, not one of them
          l0.stop               | 3     | l0.stop: 3, must be above l0.minMerge, 4
          l0.stop               | 300   | l0.stop: 300, must be in 2..200
          l0.stop               | many  | l0.stop: 'many', must be an integer
          l0.stop               | ''    | l0.stop: '', must be an integer
          l0.stop               | [5]   | l0.stop: '[5]', must be an integer
          write.flushThreshold  | 1.5   | write.flushThreshold: 1.5, must be in 0.5..1.0
          log.maxBytes          | 64MiB | log.segmentBytes: 64MiB, must be at most half of log.maxBytes, 64MiB
          sstable.bytes         | 9EiB  | sstable.bytes: '9EiB' is no size: write digits and B, KiB, MiB, GiB or TiB, as in 512MiB
          memory.total          | 2GiB  | memory.total: fixed while an engine runs (memory is divided once, at open); change it in the configuration, for the next open
          """)
  void whatCannotBeIsRefused(String name, String value, String problem) {
    assertThat(refusal(name, value)).hasMessage(problem);
  }

  @Test
  void aValueThatIsNoYamlIsRefused() {
    assertThat(refusal("l0.stop", "{"))
        .hasMessageContainingAll("l0.stop", "'{'", "not readable as YAML");
    assertThat(refusal("l0.stop", "20\n---\n30")).hasMessageContaining("not readable as YAML");
  }

  @Test
  void everySettingThatIsNotLiveSaysWhy() {
    for (Setting<?> setting : Settings.ALL) {
      String because = setting.fixedBecause();
      assertThat(because == null).as(setting.name()).isEqualTo(setting.isLive());
      if (because != null) {
        assertThat(because).as(setting.name()).isNotBlank();
        assertThat(refusal(setting.name(), setting.textOf(CONFIG))).hasMessageContaining(because);
      }
    }
  }

  private static ConfigException refusal(String name, String value) {
    ConfigException refusal =
        catchThrowableOfType(ConfigException.class, () -> CONFIG.changed(name, value));
    assertThat(refusal).as("accepted: %s = %s", name, value).isNotNull();
    return refusal;
  }
}
