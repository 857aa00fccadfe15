package org.loam.asterix.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the suite's cluster is told. */
class SuiteConfigurationTest {
  @Test
  void portsAreFreeAndDifferent() throws IOException {
    SuiteConfiguration configuration = SuiteConfiguration.onFreePorts();
    assertThat(configuration.nodePorts()).hasSize(2);
    assertThat(
            List.of(
                configuration.apiPort(),
                configuration.clusterPort(),
                configuration.clientPort(),
                configuration.nodePorts().get(0),
                configuration.nodePorts().get(1)))
        .doesNotHaveDuplicates()
        .allSatisfy(port -> assertThat(port).isPositive());
  }

  @Test
  void onlyLoamIsToldOfLoam() {
    SuiteConfiguration configuration = new SuiteConfiguration(1, 2, 3, List.of(4, 5));
    String own = "loam.memory=256MiB\n";
    String settings = "{tuner: {mode: ADAPTIVE}}";
    assertThat(configuration.text(true, ""))
        .contains("[nc]\n", "\n" + own)
        .doesNotContain("loam.settings");
    assertThat(configuration.text(true, settings))
        .contains("\n" + own + "loam.settings=" + settings + "\n");
    assertThat(configuration.text(false, settings).replace("\n\n", "\n"))
        .isEqualTo(configuration.text(true, "").replace(own, "").replace("\n\n", "\n"))
        .startsWith("[nc/asterix_nc1]\n")
        .contains("nc.api.port=4\n", "[nc/asterix_nc2]\n", "nc.api.port=5\n", "\napi.port=1\n");
  }
}
