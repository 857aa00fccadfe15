package org.loam.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class EngineConfigTest {
  private static final String DEFAULTS =
      """
      memory:
        total: 1GiB
      page:
        size: 16KiB
      cache:
        policy: CLOCK
      durability: SYNC
      log:
        maxBytes: 2GiB
        segmentBytes: 64MiB
      write:
        initialBytes: 384MiB
        targetBytes: 0
        scheme: RANGES
        activeDatasets: 8
        activeBytes: 0
        partialFlushRatio: 0.5
        flushThreshold: 0.9
        flushPolicy: OPTIMAL
        control: PACE
        limitBytesPerSecond: 64MiB
        constraint: L0
        bulkLoads: 1
      sstable:
        bytes: 64MiB
      disk:
        levelRatio: 10
        sizedForBytes: 0
      l0:
        minMerge: 4
        scanFreeRatio: 2
        stop: 16
        stopRatio: 3
        mergeWhenQuiet: true
        elastic: true
      merge:
        scheduler: GREEDY
        greedy: 0
      bloom:
        bitsPerKey: 10
      io:
        pageCache: NONE
        forceBytes: 16MiB
        limitBytesPerSecond: 0
      threads:
        flush: 1
        merge: 2
      tuner:
        mode: ADAPTIVE
        policy: CURVE
        cost: TIME
        leastWriteBytes: 0
        leastCacheBytes: 0
        writeWeight: 1.0
        readWeight: 1.0
        cycleBytes: 0
        cycleSeconds: 600
      """;

  @Test
  void onlyTheTotalIsNeededAndTheRestHasDefaults() {
    EngineConfig config = EngineConfig.fromYaml("memory: {total: 1GiB}");
    assertThat(config.toYaml()).isEqualTo(DEFAULTS);
    assertThat(config).isEqualTo(EngineConfig.builder().memoryTotalBytes(1 << 30).build());
    assertThat(config.log().directory()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"64MiB, 1GiB", "512MiB, 1GiB", "600MiB, 1200MiB", "5GiB, 10GiB", "4TiB, 10GiB"})
  void theLogIsTwiceAsLongAsMemoryWithinBounds(String total, String log) {
    EngineConfig config = EngineConfig.fromYaml("memory: {total: " + total + "}");
    assertThat(Units.formatBytes(config.log().maxBytes())).isEqualTo(log);
  }

  @Test
  void everySettingRoundTripsThroughYaml() {
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes((3L << 30) + 12345)
            .pageBytes(8192)
            .cachePolicy(CachePolicy.CLOCK)
            .durability(Durability.PROCESS)
            .logMaxBytes(512 << 20)
            .logSegmentBytes(128 << 10)
            .logDirectory("/data/log: \"one\"")
            .writeInitialBytes(300 << 10)
            .writeTargetBytes(400 << 10)
            .writeScheme(WriteScheme.LEVELS)
            .levelsActiveBytes(64 << 10)
            .partialFlushRatio(0.25)
            .activeDatasets(3)
            .flushThreshold(0.75)
            .flushPolicy(FlushPolicy.MIN_LSN)
            .writeControl(WriteSlowdown.LIMIT)
            .writeLimitBytesPerSecond(5 << 20)
            .writeConstraint(WriteConstraint.TREE)
            .bulkLoads(5)
            .sstableBytes(64 << 10)
            .levelRatio(4)
            .sizedForBytes(256 << 10)
            .l0MinMerge(2)
            .l0ScanFreeRatio(3)
            .l0Stop(6)
            .l0StopRatio(2)
            .mergesWhenQuiet(false)
            .l0Elastic(false)
            .bloomBitsPerKey(0)
            .ioPageCache(PageCacheUse.READS)
            .ioForceBytes(1 << 20)
            .ioLimitBytesPerSecond(100 << 20)
            .flushThreads(2)
            .mergeThreads(3)
            .mergeScheduler(MergeScheduling.FAIR)
            .mergeGreedy(2)
            .tunerMode(TunerMode.FROZEN)
            .tunerPolicy(TunerPolicy.PAPER)
            .tunerCost(TunerCost.PAGES)
            .tunerLeastWriteBytes(1 << 20)
            .tunerLeastCacheBytes(2 << 20)
            .tunerWriteWeight(2)
            .tunerReadWeight(0.5)
            .tunerCycleBytes(3 << 20)
            .tunerCycleSeconds(7)
            .build();
    assertThat(EngineConfig.fromYaml(config.toYaml())).isEqualTo(config);
    EngineConfig defaults = EngineConfig.fromYaml(DEFAULTS);
    Set<String> same = new HashSet<>();
    for (Setting<?> setting : Settings.ALL) {
      Object value = setting.write(config);
      assertThat(value).as(setting.name()).isNotNull();
      if (value.equals(setting.write(defaults))) {
        same.add(setting.name());
      }
    }
    assertThat(same).as("settings this test forgot").containsExactly("cache.policy");
  }

  @Test
  void aDirectoryRoundTripsWhateverYamlThinksOfIt() {
    for (String directory :
        new String[] {
          "log",
          "true",
          "~",
          "null",
          "no",
          "1",
          "1e3",
          "0x1F",
          ".5",
          "2024-01-01",
          "1_000",
          "1:30",
          "a: b",
          "a #b",
          "# x",
          "{a}",
          "[a]",
          "- a",
          "'a'",
          "\"a\"",
          " a ",
          "a\\b",
          "C:\\x",
          "%a",
          "@a",
          "`a",
          "a\nb",
          "*a",
          "&a",
          "!a",
          "|",
          ">",
          "?",
          "ä",
          "a,b",
          ":",
          "-",
          "=",
          "<<"
        }) {
      EngineConfig config =
          EngineConfig.builder().memoryTotalBytes(1 << 30).logDirectory(directory).build();
      assertThat(EngineConfig.fromYaml(config.toYaml())).as(directory).isEqualTo(config);
    }
  }

  @Test
  void valuesSetInCodeAreCheckedToo() {
    assertThatThrownBy(
            () ->
                EngineConfig.builder()
                    .memoryTotalBytes(1 << 30)
                    .flushThreshold(Double.NaN)
                    .pageBytes(-1)
                    .build())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "page.size: -1, must be a power of two in 4KiB..32KiB\n"
                + "write.flushThreshold: NaN, must be in 0.5..1.0");
  }

  /** A null that came in would show as an error of the engine that is opened with it. */
  @Test
  void nullIsRefusedByName() {
    EngineConfigBuilder builder = EngineConfig.builder().memoryTotalBytes(1 << 30);
    assertThatThrownBy(() -> builder.durability(null).writeScheme(null).build())
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "durability: null, must be one of SYNC, PROCESS", "write.scheme: null, must be one of");
    assertThatThrownBy(() -> builder.set(null, "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name is null, must not be null");
    assertThatThrownBy(() -> builder.set("l0.stop", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value is null, must not be null");
    assertThatThrownBy(() -> EngineConfig.fromYaml((String) null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("yaml is null, must not be null");
    assertThatThrownBy(() -> EngineConfig.fromYaml((Reader) null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("yaml is null, must not be null");
  }

  @Test
  void plainNumbersAreBytesAndEmptyGroupsAreAllowed() {
    EngineConfig config =
        EngineConfig.fromYaml(
            """
            memory:
              total: 1073741824
            log:
              # segmentBytes: 1MiB
            """);
    assertThat(config).isEqualTo(EngineConfig.fromYaml(DEFAULTS));
  }

  @Test
  void withoutATotalAQuarterOfTheMachineIsTakenIfGiven() {
    assertThatThrownBy(() -> EngineConfig.fromYaml("# nothing\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("memory.total: required, such as 1GiB");
    EngineConfig config = EngineConfig.builder().machineBytes(8L << 30).build();
    assertThat(config.memory().totalBytes()).isEqualTo(2L << 30);
    EngineConfig set =
        EngineConfig.builder()
            .yaml(new StringReader("memory: {total: 1GiB}"))
            .machineBytes(8L << 30)
            .build();
    assertThat(set.memory().totalBytes()).isEqualTo(1 << 30);
    assertThat(MachineMemory.limitBytes()).isGreaterThan(64 << 20);
  }

  @Test
  void allProblemsAreReportedTogetherWithNameValueAndRule() {
    List<String> problems =
        problemsOf(
            """
            memory: {totl: 1GiB}
            page: {size: 5000}
            durability: sync
            log: {maxBytes: lots, directory: 5}
            write: 5
            threads: {merge: many, flush: 0}
            io: {pageCache: maybe, forceBytes: [1]}
            """);
    assertThat(problems)
        .containsExactly(
            "memory.totl: no such setting; did you mean memory.total?",
            "durability: 'sync', must be one of SYNC, PROCESS",
            "log.maxBytes: 'lots' is no size: write digits and B, KiB, MiB, GiB or TiB, as in"
                + " 512MiB",
            "log.directory: '5', must be text",
            "write: '5', must be a group of settings",
            "threads.merge: 'many', must be an integer",
            "io.pageCache: 'maybe', must be one of NONE, READS, ALL",
            "io.forceBytes: '[1]', must be a size such as 512MiB",
            "memory.total: required, such as 1GiB",
            "page.size: 5000, must be a power of two in 4KiB..32KiB",
            "threads.flush: 0, must be in 1..64");
  }

  @Test
  void textThatIsNoYamlIsReportedWithItsPlace() {
    assertThat(problemsOf("memory: {total: 1GiB\nio: x"))
        .first()
        .asString()
        .contains("line 2")
        .hasLineCount(1);
    assertThat(problemsOf("memory: {total: 1GiB}\nmemory: {total: 2GiB}"))
        .first()
        .asString()
        .contains("Duplicate")
        .contains("line 2");
    assertThat(problemsOf("- a\n- b")).first().asString().contains("must be a group of settings");
    assertThat(problemsOf("memory: {total: 1GiB}\n---\nio: {pageCache: ALL}"))
        .first()
        .asString()
        .contains("not readable");
  }

  @Test
  void aReaderThatFailsIsNoProblemOfTheText() {
    Reader broken =
        new Reader() {
          @Override
          public int read(char[] buffer, int offset, int length) throws IOException {
            throw new IOException("disk on fire");
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> EngineConfig.fromYaml(broken))
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("disk on fire");
  }

  @Test
  void everySettingSaysWhatItMeansAndItsDefaultOrThatItIsRequired() {
    for (Setting<?> setting : Settings.ALL) {
      assertThat(setting.meaning()).as(setting.name()).containsAnyOf("Default", "Required");
      assertThat(setting.allowed()).as(setting.name()).isNotBlank();
    }
  }

  @Test
  void everySettingThatBeginsOtherwiseBelowAsterixDbSaysSo() {
    EngineConfig own = EngineConfig.builder().memoryTotalBytes(1 << 30).build();
    EngineConfig node = NodeDefaults.builder().memoryTotalBytes(1 << 30).build();
    for (Setting<?> setting : Settings.ALL) {
      String value = setting.textOf(node);
      if (!value.equals(setting.textOf(own))) {
        assertThat(setting.meaning())
            .as(setting.name())
            .contains(", below AsterixDB " + value + ".");
      }
    }
  }

  private static List<String> problemsOf(String yaml) {
    ConfigException thrown =
        catchThrowableOfType(ConfigException.class, () -> EngineConfig.fromYaml(yaml));
    assertThat(thrown).as("accepted: " + yaml).isNotNull();
    assertThat(thrown).hasMessage(String.join("\n", thrown.problems()));
    return thrown.problems();
  }

  @Test
  void oneSettingIsSetByItsName() {
    EngineConfig config =
        EngineConfig.builder().set("memory.total", "1GiB").set("threads.flush", "2").build();
    assertThat(config.memory().totalBytes()).isEqualTo(1 << 30);
    assertThat(config.threads().flush()).isEqualTo(2);
    EngineConfigBuilder wrong =
        EngineConfig.builder()
            .memoryTotalBytes(1 << 30)
            .set("threads.flsh", "2")
            .set("l0.stop", "x");
    assertThatThrownBy(wrong::build)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("threads.flsh")
        .hasMessageContaining("l0.stop");
  }
}
