package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.apache.logging.log4j.util.PropertySource;
import org.junit.jupiter.api.Test;

/** A controller with Loam's jar that runs an application of AsterixDB's says so. */
class StockNoticeTest {
  private static final String NODE = "org.apache.hyracks.control.nc.NCDriver";
  private static final String CLUSTER = "org.apache.hyracks.control.cc.CCDriver";
  private static final String STOCK = " -app-class org.apache.asterix.hyracks.bootstrap.";

  @Test
  void aNodeAndAClusterControllerOfAsterixDbAreNoticed() {
    assertThat(StockNotice.of(NODE + STOCK + "NCApplication -config-file /tmp/x.conf"))
        .get()
        .asString()
        .startsWith("WARNING: LOAM IS NOT IN USE: this node controller")
        .contains("bootstrap.NCApplication)", "bin/asterixncloam", "command=asterixncloam")
        .doesNotContain("\n");
    assertThat(StockNotice.of(CLUSTER + " -config-file cc.conf" + STOCK + "CCApplication"))
        .get()
        .asString()
        .contains("cluster controller", "bootstrap.CCApplication)", "bin/asterixccloam");
    // The first one counts.
    assertThat(
            StockNotice.of(NODE + STOCK + "NCApplication -app-class org.loam.asterix.LoamNC -x 1"))
        .isPresent();
  }

  @Test
  void othersAreNot() {
    assertThat(StockNotice.of(null)).isEmpty();
    assertThat(StockNotice.of("")).isEmpty();
    assertThat(StockNotice.of(NODE)).isEmpty();
    assertThat(StockNotice.of(NODE + " -config-file cc.conf -node-id nc1")).isEmpty();
    assertThat(StockNotice.of(NODE + " -app-class org.loam.asterix.LoamNCApplication")).isEmpty();
    assertThat(
            StockNotice.of(NODE + " -app-class org.loam.asterix.LoamNC" + STOCK + "NCApplication"))
        .isEmpty();
    assertThat(StockNotice.of("org.apache.hyracks.control.nc.service.NCService -config-file x"))
        .isEmpty();
    assertThat(StockNotice.of("other.NCDriver" + STOCK + "NCApplication")).isEmpty();
  }

  @Test
  void logFindsTheNoticeAndNoPropertyInIt() {
    PropertySource source =
        ServiceLoader.load(PropertySource.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(StockNotice.class::isInstance)
            .findAny()
            .orElseThrow();
    assertThat(source.containsProperty("log4j2.level")).isFalse();
    // Of two sources with one priority, Log4j would drop one.
    assertThat(ServiceLoader.load(PropertySource.class).stream().map(ServiceLoader.Provider::get))
        .extracting(PropertySource::getPriority)
        .doesNotHaveDuplicates();
  }

  @Test
  void aNodeThatJoinsWithoutLoamIsNamed() {
    assertThat(StockNodes.fault("red", "org.loam.asterix.LoamNCApplication")).isEmpty();
    assertThat(StockNodes.fault("red", "org.apache.asterix.hyracks.bootstrap.NCApplication"))
        .get()
        .asString()
        .contains("node red", "WITHOUT LOAM", "bootstrap.NCApplication", "command=asterixncloam");
    assertThat(StockNodes.fault("red", null)).isPresent();
  }
}
