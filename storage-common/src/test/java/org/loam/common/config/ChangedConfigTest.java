package org.loam.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a running engine can take over, and in which words the rest is refused. */
@Tag("once")
class ChangedConfigTest {
  private static final EngineConfig CONFIG =
      EngineConfig.fromYaml("{memory: {total: 1GiB}, log: {directory: elsewhere}}");

  @Test
  void aBuilderOfAConfigurationHasAllOfIt() {
    assertThat(CONFIG.toBuilder().build()).isEqualTo(CONFIG);
    assertThat(CONFIG.toBuilder().l0Stop(20).build().disk().l0().stop()).isEqualTo(20);
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
