package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.quiet.QuietLog;
import org.loam.engine.Engine;
import org.loam.engine.OpenOptions;
import org.loam.engine.Tree;
import org.loam.engine.report.EventListener;
import org.loam.workbench.console.Json;

/** {@code loam stats} in a process of its own, while an engine runs here. */
@ExtendWith(QuietLog.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StatsCommandTest {
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  @TempDir Path directory;

  /** What a version of Loam shows that does not say how an engine is. */
  public interface OlderMXBean {
    String getStatistics();
  }

  @Test
  void anotherProcessShowsWhatARunningEngineHoldsAndFlushed() throws JMException {
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .logSegmentBytes(4 << 20)
            .durability(Durability.PROCESS)
            .writeInitialBytes(4 << 20)
            .build();
    String data = directory.resolve("db").toString();
    try (Engine engine = Engine.open(Path.of(data), config)) {
      Tree tree = engine.createTree("orders");
      tree.put("flushed".getBytes(UTF_8), new byte[1000]);
      engine.flush();
      for (int i = 0; i < 6000; i++) {
        tree.put(("key" + i).getBytes(UTF_8), new byte[1000]);
      }
      LoamProcess.Result text = LoamProcess.run("stats", "--flushes", "--directory", data);
      assertThat(text.err()).isEmpty();
      assertThat(text.out())
          .contains("tree     orders: ")
          .containsPattern("flushed  .* s ago: orders, all 1 ranges, .* USER by ALL")
          .containsPattern("flushed  .* s ago: orders, range 1 of 1, .* MEMORY by FULL")
          .containsPattern("flushed  .* MiB, 0.0 superseded, .* 0.0 MiB of the tree superseded");
      JsonNode json =
          Json.read(
              LoamProcess.run("stats", "--flushes", "--json", "--directory", data).out(),
              JsonNode.class);
      assertThat(json.path("flushes")).hasSameSizeAs(engine.flushChoices());
      assertThat(json.at("/engine/trees/0/writeUse/liveBytes").asLong()).isPositive();
      assertThat(json.has("datasets")).as("a description of datasets").isFalse();
    }
    try (Engine engine = Engine.open(Path.of(data), config)) {
      for (ObjectName name : names()) {
        BEANS.unregisterMBean(name);
      }
      LoamProcess.Result none = LoamProcess.run("stats", "--directory", data);
      assertThat(none.exitCode()).isEqualTo(3);
      assertThat(none.err()).contains(data, "opening or closing", "try again");
      assertThat(engine.hasTree("orders")).isTrue();
    }
    assertThat(LoamProcess.run("stats", "--flushes", "--directory", data).out())
        .contains("tree     orders: 0.0 MiB in memory", "flushed  nothing");
  }

  private static Set<ObjectName> names() throws JMException {
    return BEANS.queryNames(new ObjectName("org.loam:*"), null);
  }

  @Test
  void whatKeepsARunningEngineFromItsWorkIsShown() throws Exception {
    String data = directory.resolve("db").toString();
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    CountDownLatch fenced = new CountDownLatch(1);
    EventListener listener =
        new EventListener() {
          @Override
          public void fenced(Throwable cause) {
            fenced.countDown();
          }
        };
    OpenOptions options = OpenOptions.DEFAULT.withListener(listener);
    try (Engine engine = Engine.open(Path.of(data), config, options)) {
      assertThat(LoamProcess.run("stats", "--directory", data).out())
          .contains("memory ")
          .doesNotContain("fault ");
      loseLock(Path.of(data, "lock"), fenced);
      assertThat(LoamProcess.run("stats", "--directory", data).out())
          .containsPattern("fault    fence: .*the directory was taken away");
      JsonNode json =
          Json.read(LoamProcess.run("stats", "--json", "--directory", data).out(), JsonNode.class);
      assertThat(json.at("/health/fence").asText()).isEqualTo(engine.health().fence());
      showAsOlder(names().iterator().next());
      LoamProcess.Result older = LoamProcess.run("stats", "--directory", data);
      assertThat(older.err()).isEmpty();
      assertThat(older.out()).contains("memory ").doesNotContain("fault ");
    }
  }

  /** The engine finds that its lock is gone, and has it again when that is too late. */
  private static void loseLock(Path lock, CountDownLatch fenced) throws Exception {
    Path aside = lock.resolveSibling("aside");
    Files.move(lock, aside);
    fenced.await();
    Files.move(aside, lock);
  }

  private static void showAsOlder(ObjectName name) throws JMException {
    String statistics = (String) BEANS.getAttribute(name, "Statistics");
    BEANS.unregisterMBean(name);
    OlderMXBean older = () -> statistics;
    BEANS.registerMBean(new StandardMBean(older, OlderMXBean.class, true), name);
  }
}
