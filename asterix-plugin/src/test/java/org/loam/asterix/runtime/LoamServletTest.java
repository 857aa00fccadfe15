package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.asterix.runtime.LoamServlet.Reply;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;

/** What a node answers to a request to change a setting. */
class LoamServletTest {
  @TempDir Path directory;

  private LoamNode node;

  @BeforeEach
  void start() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).tunerMode(TunerMode.OBSERVE).build();
    node = new LoamNode(directory.resolve("loam"), config, () -> 1L);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private String tunerMode() {
    return node.statistics().memory().tuner().mode();
  }

  @Test
  void aLiveSettingIsChanged() throws IOException {
    assertThat(tunerMode()).isEqualTo("OBSERVE");
    Reply reply = LoamServlet.change(node, "tuner.mode", "ADAPTIVE");
    assertThat(reply.isChanged()).isTrue();
    assertThat(reply.text())
        .isEqualTo(
            "{\"name\":\"tuner.mode\",\"oldValue\":\"OBSERVE\",\"newValue\":\"ADAPTIVE\","
                + "\"effectiveValue\":\"ADAPTIVE\"}");
    assertThat(tunerMode()).isEqualTo("ADAPTIVE");
  }

  @Test
  void whatTheEngineRefusesIsToldWithTheRule() throws IOException {
    requireRefused("tuner.writeWeight", "-1", "must be in 0.0..1000000.0");
    requireRefused("tuner.leastCacheBytes", "2GiB", "must be at most the memory");
    requireRefused("page.size", "8KiB", "fixed while an engine runs");
    requireRefused("tuner.mood", "GOOD", "did you mean tuner.mode?");
    requireRefused("tuner.mode", null, "name and value of a setting are needed");
    requireRefused(null, "ADAPTIVE", "name and value of a setting are needed");
    assertThat(tunerMode()).isEqualTo("OBSERVE");
  }

  private void requireRefused(String name, String value, String reason) throws IOException {
    Reply reply = LoamServlet.change(node, name, value);
    assertThat(reply.isChanged()).isFalse();
    assertThat(new ObjectMapper().readTree(reply.text()).path("error").textValue())
        .contains(reason);
  }
}
