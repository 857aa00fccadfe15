package org.loam.common.config;

import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.Arguments;

/**
 * Collects the settings of an {@link EngineConfig}, from the defaults on; {@link Settings} says
 * what each means. For one thread.
 */
public final class EngineConfigBuilder {
  /** The share of the machine's memory that is taken if {@code memory.total} is not set. */
  private static final int MACHINE_SHARE = 4;

  private final List<String> problems = new ArrayList<>();
  private @Nullable Long memoryTotalBytes;
  private int pageBytes = 16 << 10;
  private CachePolicy cachePolicy = CachePolicy.CLOCK;
  private Durability durability = Durability.SYNC;
  private @Nullable Long logMaxBytes;
  private long logSegmentBytes = 64L << 20;
  private @Nullable String logDirectory;
  private @Nullable Long writeInitialBytes;
  private long writeTargetBytes;
  private double flushThreshold = 0.9;
  private WriteScheme writeScheme = WriteScheme.RANGES;
  private WriteConfig.Levels levels = WriteConfig.Levels.DEFAULT;
  private int activeDatasets = 8;
  private FlushPolicy flushPolicy = FlushPolicy.OPTIMAL;
  private WriteConfig.Control control = WriteConfig.Control.DEFAULT;
  private int bulkLoads = 1;
  private long sstableBytes = 64L << 20;
  private int levelRatio = 10;
  private long sizedForBytes;
  private int l0MinMerge = 4;
  private int l0ScanFreeRatio = 2;
  private int l0Stop = 16;
  private int l0StopRatio = 3;
  private int bloomBitsPerKey = 10;
  private boolean mergesWhenQuiet = true;
  private boolean l0Elastic = true;
  private PageCacheUse ioPageCache = PageCacheUse.NONE;
  private long ioForceBytes = 16L << 20;
  private long ioLimitBytesPerSecond;
  private int flushThreads = 1;
  private int mergeThreads = 2;
  private MergeScheduling mergeScheduler = MergeScheduling.GREEDY;
  private int mergeGreedy;

  private TunerMode tunerMode = TunerMode.ADAPTIVE;
  private TunerPolicy tunerPolicy = TunerPolicy.CURVE;
  private TunerCost tunerCost = TunerCost.TIME;
  private long tunerLeastWriteBytes;
  private long tunerLeastCacheBytes;
  private double tunerWriteWeight = 1;
  private double tunerReadWeight = 1;
  private long tunerCycleBytes;
  private int tunerCycleSeconds = 600;

  EngineConfigBuilder() {}

  /**
   * Takes what a YAML text sets; {@link #build} reports what is wrong with it.
   *
   * @throws ConfigException if it is no YAML at all
   * @throws java.io.UncheckedIOException if the reader fails
   */
  public EngineConfigBuilder yaml(Reader yaml) {
    problems.addAll(ConfigYaml.read(Arguments.require(yaml, "yaml"), this));
    return this;
  }

  /**
   * Sets one setting; {@link #build} reports what is wrong with it.
   *
   * @param name with dots
   * @param value as in the YAML form
   */
  public EngineConfigBuilder set(String name, String value) {
    Arguments.require(value, "value");
    Setting<?> setting = Settings.find(Arguments.require(name, "name")).orElse(null);
    String problem =
        setting == null ? Settings.unknown(name) : ConfigYaml.readValue(setting, value, this);
    if (problem != null) {
      problems.add(problem);
    }
    return this;
  }

  /**
   * Sets {@code memory.total}, if nothing else has, to 25 % of this.
   *
   * @param machineBytes such as {@link MachineMemory#limitBytes}
   */
  public EngineConfigBuilder machineBytes(long machineBytes) {
    if (memoryTotalBytes == null) {
      memoryTotalBytes = machineBytes / MACHINE_SHARE;
    }
    return this;
  }

  /** Whether {@code memory.total} has been set. */
  public boolean hasMemoryTotal() {
    return memoryTotalBytes != null;
  }

  public EngineConfigBuilder memoryTotalBytes(long bytes) {
    memoryTotalBytes = bytes;
    return this;
  }

  public EngineConfigBuilder pageBytes(int bytes) {
    pageBytes = bytes;
    return this;
  }

  public EngineConfigBuilder cachePolicy(CachePolicy policy) {
    cachePolicy = policy;
    return this;
  }

  public EngineConfigBuilder durability(Durability value) {
    durability = value;
    return this;
  }

  public EngineConfigBuilder logMaxBytes(long bytes) {
    logMaxBytes = bytes;
    return this;
  }

  public EngineConfigBuilder logSegmentBytes(long bytes) {
    logSegmentBytes = bytes;
    return this;
  }

  public EngineConfigBuilder logDirectory(@Nullable String directory) {
    logDirectory = directory;
    return this;
  }

  public EngineConfigBuilder writeInitialBytes(long bytes) {
    writeInitialBytes = bytes;
    return this;
  }

  public EngineConfigBuilder writeTargetBytes(long bytes) {
    writeTargetBytes = bytes;
    return this;
  }

  public EngineConfigBuilder writeScheme(WriteScheme scheme) {
    writeScheme = scheme;
    return this;
  }

  public EngineConfigBuilder levelsActiveBytes(long bytes) {
    levels = new WriteConfig.Levels(bytes, levels.partialFlushRatio());
    return this;
  }

  public EngineConfigBuilder partialFlushRatio(double ratio) {
    levels = new WriteConfig.Levels(levels.activeBytes(), ratio);
    return this;
  }

  public EngineConfigBuilder activeDatasets(int count) {
    activeDatasets = count;
    return this;
  }

  public EngineConfigBuilder flushThreshold(double ratio) {
    flushThreshold = ratio;
    return this;
  }

  public EngineConfigBuilder flushPolicy(FlushPolicy policy) {
    flushPolicy = policy;
    return this;
  }

  public EngineConfigBuilder writeControl(WriteSlowdown slowdown) {
    control =
        new WriteConfig.Control(slowdown, control.limitBytesPerSecond(), control.constraint());
    return this;
  }

  public EngineConfigBuilder writeLimitBytesPerSecond(long bytes) {
    control = new WriteConfig.Control(control.slowdown(), bytes, control.constraint());
    return this;
  }

  public EngineConfigBuilder writeConstraint(WriteConstraint constraint) {
    control =
        new WriteConfig.Control(control.slowdown(), control.limitBytesPerSecond(), constraint);
    return this;
  }

  public EngineConfigBuilder bulkLoads(int open) {
    bulkLoads = open;
    return this;
  }

  public EngineConfigBuilder sstableBytes(long bytes) {
    sstableBytes = bytes;
    return this;
  }

  public EngineConfigBuilder levelRatio(int ratio) {
    levelRatio = ratio;
    return this;
  }

  public EngineConfigBuilder sizedForBytes(long bytes) {
    sizedForBytes = bytes;
    return this;
  }

  public EngineConfigBuilder l0MinMerge(int components) {
    l0MinMerge = components;
    return this;
  }

  public EngineConfigBuilder l0ScanFreeRatio(int ratio) {
    l0ScanFreeRatio = ratio;
    return this;
  }

  public EngineConfigBuilder l0Stop(int components) {
    l0Stop = components;
    return this;
  }

  public EngineConfigBuilder l0StopRatio(int ratio) {
    l0StopRatio = ratio;
    return this;
  }

  public EngineConfigBuilder mergesWhenQuiet(boolean merges) {
    mergesWhenQuiet = merges;
    return this;
  }

  public EngineConfigBuilder l0Elastic(boolean elastic) {
    l0Elastic = elastic;
    return this;
  }

  public EngineConfigBuilder bloomBitsPerKey(int bits) {
    bloomBitsPerKey = bits;
    return this;
  }

  public EngineConfigBuilder ioPageCache(PageCacheUse use) {
    ioPageCache = use;
    return this;
  }

  public EngineConfigBuilder ioForceBytes(long bytes) {
    ioForceBytes = bytes;
    return this;
  }

  public EngineConfigBuilder ioLimitBytesPerSecond(long bytes) {
    ioLimitBytesPerSecond = bytes;
    return this;
  }

  public EngineConfigBuilder flushThreads(int threads) {
    flushThreads = threads;
    return this;
  }

  public EngineConfigBuilder mergeThreads(int threads) {
    mergeThreads = threads;
    return this;
  }

  public EngineConfigBuilder mergeScheduler(MergeScheduling scheduling) {
    mergeScheduler = scheduling;
    return this;
  }

  public EngineConfigBuilder mergeGreedy(int merges) {
    mergeGreedy = merges;
    return this;
  }

  public EngineConfigBuilder tunerMode(TunerMode mode) {
    tunerMode = mode;
    return this;
  }

  public EngineConfigBuilder tunerPolicy(TunerPolicy policy) {
    tunerPolicy = policy;
    return this;
  }

  public EngineConfigBuilder tunerCost(TunerCost cost) {
    tunerCost = cost;
    return this;
  }

  public EngineConfigBuilder tunerLeastWriteBytes(long bytes) {
    tunerLeastWriteBytes = bytes;
    return this;
  }

  public EngineConfigBuilder tunerLeastCacheBytes(long bytes) {
    tunerLeastCacheBytes = bytes;
    return this;
  }

  public EngineConfigBuilder tunerWriteWeight(double weight) {
    tunerWriteWeight = weight;
    return this;
  }

  public EngineConfigBuilder tunerReadWeight(double weight) {
    tunerReadWeight = weight;
    return this;
  }

  public EngineConfigBuilder tunerCycleBytes(long bytes) {
    tunerCycleBytes = bytes;
    return this;
  }

  public EngineConfigBuilder tunerCycleSeconds(int seconds) {
    tunerCycleSeconds = seconds;
    return this;
  }

  /**
   * The configuration.
   *
   * @throws ConfigException if anything is wrong; names every problem
   */
  public EngineConfig build() {
    List<String> all = new ArrayList<>(problems);
    Long total = memoryTotalBytes;
    // A problem of memory.total has been reported, or is here; the rest is checked all the same.
    boolean reported = all.stream().anyMatch(problem -> problem.startsWith("memory.total:"));
    if (total == null && !reported) {
      all.add("memory.total: required, such as 1GiB");
    }
    try {
      EngineConfig config = build(total == null ? 1L << 40 : total);
      if (all.isEmpty()) {
        return config;
      }
    } catch (ConfigException e) {
      all.addAll(e.problems());
    }
    throw new ConfigException(all);
  }

  private EngineConfig build(long total) {
    long write = writeInitialBytes == null ? total / 8 * 3 : writeInitialBytes;
    long log = logMaxBytes == null ? LogConfig.defaultMaxBytes(total) : logMaxBytes;
    return new EngineConfig(
        new MemoryConfig(total, pageBytes, cachePolicy, writeTargetBytes),
        new LogConfig(durability, log, logSegmentBytes, logDirectory),
        new WriteConfig(
            write,
            writeScheme,
            activeDatasets,
            levels,
            flushThreshold,
            flushPolicy,
            control,
            bulkLoads),
        new DiskConfig(
            sstableBytes,
            levelRatio,
            sizedForBytes,
            new DiskConfig.L0(
                l0MinMerge, l0ScanFreeRatio, l0Stop, l0StopRatio, mergesWhenQuiet, l0Elastic),
            bloomBitsPerKey),
        new IoConfig(ioPageCache, ioForceBytes, ioLimitBytesPerSecond),
        new ThreadsConfig(flushThreads, mergeThreads, mergeScheduler, mergeGreedy),
        new TunerConfig(
            tunerMode,
            tunerPolicy,
            tunerCost,
            new TunerConfig.Bounds(tunerLeastWriteBytes, tunerLeastCacheBytes),
            new TunerConfig.Weights(tunerWriteWeight, tunerReadWeight),
            new TunerConfig.Cycle(tunerCycleBytes, tunerCycleSeconds)));
  }
}
