package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.ConfigException;
import org.loam.common.config.EngineConfig;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.MoveOutcome;
import org.loam.engine.EngineStatistics.Tuner;
import org.loam.engine.EngineStatistics.TunerDecision;

/** What JMX shows of engines, and for how long. */
@Tag("once")
@ExtendWith(QuietLog.class)
class EngineBeanTest {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @TempDir Path directory;

  private static EngineConfig config() {
    return EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
  }

  private static ObjectName name(Path of) throws Exception {
    return new ObjectName("org.loam:type=Engine,directory=" + ObjectName.quote(of.toString()));
  }

  private static Set<ObjectName> shown() throws Exception {
    return SERVER.queryNames(new ObjectName("org.loam:type=Engine,*"), null);
  }

  private static EngineMXBean bean(Path of) throws Exception {
    return JMX.newMXBeanProxy(SERVER, name(of), EngineMXBean.class);
  }

  @Test
  void twoEnginesAreShownFromOpenToClose() throws Exception {
    Path one = directory.resolve("one, \"first\"*=");
    Path two = directory.resolve("two");
    try (Engine first = Engine.open(one, config());
        Engine second = Engine.open(two, config())) {
      assertThat(shown()).contains(name(one), name(two));
      first.createTree("a").put(new byte[] {1}, new byte[100_000]);
      JsonNode json = new ObjectMapper().readTree(bean(one).getStatistics());
      JsonNode now = new ObjectMapper().valueToTree(first.statistics());
      assertThat(json.fieldNames()).toIterable().containsExactlyElementsOf(now::fieldNames);
      assertThat(json.at("/trees").toString()).isEqualTo(now.at("/trees").toString());
      assertThat(json.at("/trees/0/memoryBytes").asLong()).isGreaterThan(100_000);
      assertThat(new ObjectMapper().readTree(bean(two).getStatistics()).at("/trees")).isEmpty();
      first.close();
      assertThat(shown()).doesNotContain(name(one)).contains(name(two));
      second.close();
      second.close();
    }
    assertThat(shown()).doesNotContain(name(one), name(two));
    Engine.open(one, config()).close();
  }

  @Test
  void attributesAreThoseOfTheStatistics() throws Exception {
    try (Engine engine = Engine.open(directory, config())) {
      EngineStatistics.Memory memory = engine.statistics().memory();
      EngineMXBean bean = bean(directory);
      assertThat(bean.getWriteMemoryBytes()).isEqualTo(memory.tuner().writeBytes()).isPositive();
      assertThat(bean.getWriteMemoryTargetBytes()).isEqualTo(memory.tuner().targetBytes());
      assertThat(bean.getCacheBytes()).isEqualTo(memory.cacheTargetBytes()).isPositive();
      assertThat(bean.getTunerMode()).isEqualTo("ADAPTIVE");
      assertThat(bean.getLastDecision()).isEmpty();
      assertThat(bean.getFlushChoices()).isEqualTo("[]");
      engine.createTree("a").put(new byte[] {1}, new byte[10]);
      engine.flush();
      JsonNode choice = new ObjectMapper().readTree(bean.getFlushChoices()).get(0);
      assertThat(choice.at("/chosen/tree").asText()).isEqualTo("a");
      assertThat(choice.at("/rule").asText()).isEqualTo("ALL");
    }
  }

  @Test
  void theHealthSaysWhyAnEngineTakesNoWrites() throws Exception {
    try (Engine engine = Engine.open(directory, config())) {
      JsonNode sound = health();
      assertThat(sound.path("fence").isNull()).isTrue();
      assertThat(sound.at("/disks/0/directory").asText()).isEqualTo(directory.toString());
      engine.open().storage().log().fence(new IllegalStateException("planned"));
      assertThat(health().path("fence").asText()).contains("planned");
    }
  }

  private JsonNode health() throws Exception {
    Object json = SERVER.getAttribute(name(directory), "Health");
    return new ObjectMapper().readTree((String) json);
  }

  @Test
  void theLastDecisionSaysWhatBecameOfTheLastMove() {
    long mib = 1 << 20;
    TunerDecision last = new TunerDecision(3, mib, 2 * mib, mib, "DONOR", "gives a part", 9e3, 0);
    assertThat(EngineBean.lastDecision(tuner("NANOS", last, null)))
        .isEqualTo("cycle 3: write memory of 1.0 MiB stays; gives a part");
    assertThat(EngineBean.lastDecision(tuner("NANOS", last, new MoveOutcome(4e3, -1e3))))
        .endsWith(
            "gives a part; the last move was to save 4.0 µs of the device for an operation, and"
                + " cost 1.0");
    assertThat(EngineBean.lastDecision(tuner("PAGES", last, new MoveOutcome(4, 2.5))))
        .endsWith("the last move was to save 4.0 pages for an operation, and saved 2.5");
  }

  private static Tuner tuner(String unit, TunerDecision last, @Nullable MoveOutcome lastMove) {
    return new Tuner("ADAPTIVE", 1 << 20, 1 << 20, new TreeMap<>(), unit, last, lastMove);
  }

  @Test
  void aSettingIsChangedOrRefusedAsTheEngineDoes() throws Exception {
    try (Engine engine = Engine.open(directory, config())) {
      EngineMXBean bean = bean(directory);
      assertThat(bean.configure("tuner.mode", "FROZEN")).isEqualTo("tuner.mode is FROZEN");
      assertThat(bean.getTunerMode()).isEqualTo("FROZEN");
      for (String[] wrong :
          new String[][] {{"memory.total", "1GiB"}, {"tuner.mod", "FROZEN"}, {"l0.stop", "-1"}}) {
        String reason = refusal(engine, wrong);
        assertThatThrownBy(
                () ->
                    SERVER.invoke(
                        name(directory),
                        "configure",
                        wrong,
                        new String[] {"java.lang.String", "java.lang.String"}))
            .isInstanceOf(RuntimeMBeanException.class)
            .cause()
            .isExactlyInstanceOf(IllegalArgumentException.class)
            .hasMessage(reason)
            .hasNoCause();
      }
    }
  }

  private static String refusal(Engine engine, String[] wrong) {
    try {
      engine.configure(wrong[0], wrong[1]);
    } catch (ConfigException e) {
      return e.getMessage();
    }
    throw new AssertionError("not refused: " + String.join(" = ", wrong));
  }

  @Test
  void aCheckpointIsMadeOrRefused() throws Exception {
    Path target = directory.resolve("copy");
    Path database = directory.resolve("db");
    try (Engine engine = Engine.open(database, config())) {
      engine.createTree("a");
      JsonNode report = new ObjectMapper().readTree(bean(database).checkpoint(target.toString()));
      assertThat(report.at("/directory").asText()).isEqualTo(target.toString());
      for (String wrong : new String[] {target.toString(), "copy"}) {
        assertThatThrownBy(() -> bean(database).checkpoint(wrong))
            .isExactlyInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(wrong);
      }
    }
    try (Engine copy = Engine.open(target, config())) {
      assertThat(copy.hasTree("a")).isTrue();
    }
  }

  /** Another bean has the name: the engine opens all the same, and leaves that bean alone. */
  @Test
  void aFailureOfJmxIsNoneOfTheEngine() throws Exception {
    SERVER.createMBean("javax.management.timer.Timer", name(directory));
    try {
      try (Engine engine = Engine.open(directory, config())) {
        engine.createTree("a");
      }
      assertThat(SERVER.isRegistered(name(directory))).isTrue();
    } finally {
      SERVER.unregisterMBean(name(directory));
    }
  }

  @Test
  void anEngineInAnEnvironmentOfItsOwnIsNotShown() throws Exception {
    Set<ObjectName> before = shown();
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              assertThat(shownNow()).isEqualTo(before);
            }
          });
    }
  }

  private static Set<ObjectName> shownNow() {
    try {
      return shown();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
