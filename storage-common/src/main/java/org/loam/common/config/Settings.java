package org.loam.common.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.loam.common.config.Setting.Change;
import org.loam.common.config.Setting.Place;

/**
 * The table of all settings, in the order of the YAML form. A live setting may change while an
 * engine runs, a fixed one only from one open to the next.
 */
public final class Settings {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long TIB = 1L << 40;

  /** All settings. */
  public static final List<Setting<?>> ALL =
      List.of(
          Setting.bytes(
              "memory.total",
              new Place<>(EngineConfigBuilder::memoryTotalBytes, c -> c.memory().totalBytes()),
              64 * MIB,
              4 * TIB,
              "All memory outside of the Java heap. Required; EngineConfigBuilder.machineBytes sets"
                  + " it to a quarter of the machine's memory.",
              Change.fixed("memory is divided at open")),
          Setting.bytes(
              "page.size",
              new Place<>(
                  (b, v) -> b.pageBytes((int) Math.min(v, Integer.MAX_VALUE)),
                  c -> (long) c.memory().pageBytes()),
              v -> v >= 4 * KIB && v <= 32 * KIB && Long.bitCount(v) == 1,
              "a power of two in 4KiB..32KiB",
              "Size of a page. It is chosen when a database is created. Default 16KiB.",
              Change.fixed("the files of a database have one page size")),
          Setting.choice(
              "cache.policy",
              new Place<>(EngineConfigBuilder::cachePolicy, c -> c.memory().cachePolicy()),
              CachePolicy.class,
              "How the buffer cache chooses the page that it replaces. Default CLOCK.",
              Change.fixed("the cache is made at open")),
          Setting.choice(
              "durability",
              new Place<>(EngineConfigBuilder::durability, c -> c.log().durability()),
              Durability.class,
              "What an acknowledged write survives: SYNC loss of power, PROCESS only the end of the"
                  + " process. Default SYNC.",
              Change.fixed("the log is opened for it")),
          Setting.bytes(
              "log.maxBytes",
              new Place<>(EngineConfigBuilder::logMaxBytes, c -> c.log().maxBytes()),
              128 * KIB,
              16 * TIB,
              "Length at which writes wait until flushes have shortened the log; these begin from"
                  + " about half of it on. Default twice memory.total, but in 1GiB..10GiB.",
              Change.LIVE),
          Setting.bytes(
              "log.segmentBytes",
              new Place<>(EngineConfigBuilder::logSegmentBytes, c -> c.log().segmentBytes()),
              v -> v >= 64 * KIB && v <= GIB && v % (4 * KIB) == 0,
              "a multiple of 4KiB in 64KiB..1GiB",
              "Size of one log file. Default 64MiB.",
              Change.fixed("the size of a buffer follows from it")),
          Setting.text(
              "log.directory",
              new Place<>(EngineConfigBuilder::logDirectory, c -> c.log().directory()),
              "Directory of the log; a relative one begins at the working directory of the process."
                  + " Its parent directory must exist. Default: in the data directory.",
              Change.fixed("the log is opened there")),
          Setting.bytes(
              "write.initialBytes",
              new Place<>(EngineConfigBuilder::writeInitialBytes, c -> c.write().initialBytes()),
              256 * KIB,
              4 * TIB,
              "Size of the write memory at open. With tuner.mode ADAPTIVE the tuner begins here,"
                  + " and after a restart where it had ended, unless this or the memory to divide"
                  + " was changed. Default 3/8 of memory.total.",
              Change.fixed("memory is divided at open")),
          Setting.bytes(
              "write.targetBytes",
              new Place<>(
                  EngineConfigBuilder::writeTargetBytes, c -> c.memory().writeTargetBytes()),
              v -> v == 0 || (v >= 256 * KIB && v <= 4 * TIB),
              "0 or in 256KiB..4TiB",
              "Size that write memory moves to from write.initialBytes, while reads and writes go"
                  + " on. It keeps 64 pages, and leaves the buffer cache 256. Must be 0 while"
                  + " tuner.mode is ADAPTIVE, where the tuner decides. Default 0: it moves only as"
                  + " the tuner decides, and stays where it is when this is changed to 0, also"
                  + " within a move.",
              Change.LIVE),
          Setting.choice(
              "write.scheme",
              new Place<>(EngineConfigBuilder::writeScheme, c -> c.write().scheme()),
              WriteScheme.class,
              "How trees share the write memory. With DYNAMIC, RANGES, LEVELS,"
                  + " ACCORDION_INDEX and ACCORDION_DATA no tree has a share of its own. A tree"
                  + " has one component, which is flushed as a whole; or one for each of up to 16"
                  + " ranges of keys, no more than one for each 16 pages of write memory, which are"
                  + " flushed one by one; or a small one and below it levels of runs, which are"
                  + " merged in memory and flushed one by one; or a"
                  + " small one and behind it older ones, whose indexes are merged in memory, or"
                  + " their records as well, and which are flushed together. With STATIC"
                  + " write.activeDatasets have equal shares, with STATIC_TUNED the datasets that"
                  + " are written to; half of a share is flushed while the other half takes"
                  + " writes. Below a host's log these are as DYNAMIC, as are the two of"
                  + " Accordion, and LEVELS is as RANGES, of which all are flushed, in small"
                  + " groups. A change"
                  + " flushes what is in memory. Default RANGES, below AsterixDB DYNAMIC.",
              Change.LIVE),
          Setting.integer(
              "write.activeDatasets",
              new Place<>(EngineConfigBuilder::activeDatasets, c -> c.write().activeDatasets()),
              1,
              1000,
              "Datasets that share the write memory with write.scheme STATIC; a tree without a"
                  + " dataset is one of its own. A write to another dataset has the one flushed"
                  + " that was not written to for longest, and waits. Each has four pages at least:"
                  + " what makes write memory smaller is refused. Default 8.",
              Change.LIVE),
          Setting.bytes(
              "write.activeBytes",
              new Place<>(
                  EngineConfigBuilder::levelsActiveBytes, c -> c.write().levels().activeBytes()),
              v -> v == 0 || (v >= 16 * KIB && v <= 4 * TIB),
              "0 or in 16KiB..4TiB",
              "With write.scheme LEVELS, the size at which what takes the writes of a tree is"
                  + " merged into its first memory level; with ACCORDION_INDEX and ACCORDION_DATA,"
                  + " at which it is followed by an empty one. At most a quarter of the write"
                  + " memory: what makes that smaller is refused. Default 0: a sixteenth of the"
                  + " write memory, at most 32MiB; with Accordion 0.7 % of it, as HBase has it.",
              Change.LIVE),
          Setting.fraction(
              "write.partialFlushRatio",
              new Place<>(
                  EngineConfigBuilder::partialFlushRatio,
                  c -> c.write().levels().partialFlushRatio()),
              0.0,
              1.0,
              "With write.scheme LEVELS, if less than this part of the memory of a tree was"
                  + " flushed for the sake of memory during the last log.maxBytes of writes, a"
                  + " flush for the sake of the log takes all its runs, else the oldest. Default"
                  + " 0.5.",
              Change.LIVE),
          Setting.fraction(
              "write.flushThreshold",
              new Place<>(EngineConfigBuilder::flushThreshold, c -> c.write().flushThreshold()),
              0.5,
              1.0,
              "Used part of the write memory at which the engine begins to flush. Default 0.9,"
                  + " below AsterixDB 0.6.",
              Change.LIVE),
          Setting.choice(
              "write.flushPolicy",
              new Place<>(EngineConfigBuilder::flushPolicy, c -> c.write().flushPolicy()),
              FlushPolicy.class,
              "Which component is flushed when write memory is short: MAX_MEMORY the largest of the"
                  + " tree with most memory, MIN_LSN the one with the oldest write, OPTIMAL the"
                  + " largest of the tree whose share of memory is most above its share of recent"
                  + " writes, those of four times the write memory or of log.maxBytes if that is"
                  + " less. Default OPTIMAL.",
              Change.LIVE),
          Setting.choice(
              "write.control",
              new Place<>(EngineConfigBuilder::writeControl, c -> c.write().control().slowdown()),
              WriteSlowdown.class,
              "What writers meet as L0 and write memory fill: STOP nothing before l0.stop,"
                  + " l0.stopRatio and before memory is full, PACE short waits from half-way"
                  + " between the depth at which L0 is merged and l0.stop on, or between 1 and"
                  + " l0.stopRatio, and while a flush is slower than they are, LIMIT a rate at all"
                  + " times. Default PACE.",
              Change.LIVE),
          Setting.bytes(
              "write.limitBytesPerSecond",
              new Place<>(
                  EngineConfigBuilder::writeLimitBytesPerSecond,
                  c -> c.write().control().limitBytesPerSecond()),
              64 * KIB,
              TIB,
              "With write.control LIMIT, bytes of keys and values per second that may be written to"
                  + " a tree. Default 64MiB.",
              Change.LIVE),
          Setting.choice(
              "write.constraint",
              new Place<>(
                  EngineConfigBuilder::writeConstraint, c -> c.write().control().constraint()),
              WriteConstraint.class,
              "What stops the writers of a tree: L0 the depth and the bytes of L0, at l0.stop and"
                  + " l0.stopRatio, TREE also the number of sorted runs in all levels, at more than"
                  + " twice the depth at which L0 is merged without scans and one for each level."
                  + " Default L0.",
              Change.LIVE),
          Setting.integer(
              "write.bulkLoads",
              new Place<>(EngineConfigBuilder::bulkLoads, c -> c.write().bulkLoads()),
              1,
              64,
              "Bulk loads that may be open at once. Each has buffers of its own. Default 1,"
                  + " below AsterixDB 4.",
              Change.fixed("buffers are made at open")),
          Setting.bytes(
              "sstable.bytes",
              new Place<>(EngineConfigBuilder::sstableBytes, c -> c.disk().sstableBytes()),
              64 * KIB,
              GIB,
              "Size at which a flush or a merge begins a new SSTable. Default 64MiB.",
              Change.LIVE),
          Setting.integer(
              "disk.levelRatio",
              new Place<>(EngineConfigBuilder::levelRatio, c -> c.disk().levelRatio()),
              2,
              100,
              "Largest size of a level divided by that of the level above it, of L1 by that of"
                  + " write memory, times the depth at which L0 is merged divided by"
                  + " l0.minMerge. Default 10.",
              Change.LIVE),
          Setting.bytes(
              "disk.sizedForBytes",
              new Place<>(EngineConfigBuilder::sizedForBytes, c -> c.disk().sizedForBytes()),
              v -> v == 0 || (v >= 256 * KIB && v <= 4 * TIB),
              "0 or in 256KiB..4TiB",
              "Size of write memory that merges assume: the sizes of levels follow from it, with"
                  + " these their number, and into how many parts tables are cut. Default 0: its"
                  + " own size, so that levels come and go as it changes.",
              Change.LIVE),
          Setting.integer(
              "l0.minMerge",
              new Place<>(EngineConfigBuilder::l0MinMerge, c -> c.disk().l0().minMerge()),
              1,
              100,
              "Depth of L0, the number of its tables that hold one key, at which L0 is merged where"
                  + " scans come. Default 4.",
              Change.LIVE),
          Setting.integer(
              "l0.scanFreeRatio",
              new Place<>(EngineConfigBuilder::l0ScanFreeRatio, c -> c.disk().l0().scanFreeRatio()),
              1,
              100,
              "How many times as deep as l0.minMerge L0 is merged where no scan comes, below"
                  + " l0.stop at most; in between where scans are few. Merges write less the deeper"
                  + " L0 is, and each scan looks into all of its tables. 1 is l0.minMerge always."
                  + " Default 2, below AsterixDB 1.",
              Change.LIVE),
          Setting.integer(
              "l0.stop",
              new Place<>(EngineConfigBuilder::l0Stop, c -> c.disk().l0().stop()),
              2,
              200,
              "Depth of L0 at which writes wait. Default 16, below AsterixDB 12.",
              Change.LIVE),
          Setting.integer(
              "l0.stopRatio",
              new Place<>(EngineConfigBuilder::l0StopRatio, c -> c.disk().l0().stopRatio()),
              1,
              1000,
              "Bytes of L0, divided by those of a full L1, at which writes wait, however deep L0"
                  + " is. A full L1 is disk.levelRatio times the write memory of the tree, or what"
                  + " L1 has if that is more. Default 3.",
              Change.LIVE),
          Setting.flag(
              "l0.mergeWhenQuiet",
              new Place<>(
                  EngineConfigBuilder::mergesWhenQuiet, c -> c.disk().l0().mergesWhenQuiet()),
              "Whether L0 is merged early when no write came for 500 ms. Default true.",
              Change.LIVE),
          Setting.flag(
              "l0.elastic",
              new Place<>(EngineConfigBuilder::l0Elastic, c -> c.disk().l0().elastic()),
              "Whether a merge out of L0 takes all tables of its deepest key, which absorbs bursts,"
                  + " or at most as many as make it due, so that a maximum that clients without"
                  + " pause find is one that can be kept up. Default true.",
              Change.LIVE),
          Setting.choice(
              "merge.scheduler",
              new Place<>(EngineConfigBuilder::mergeScheduler, c -> c.threads().scheduling()),
              MergeScheduling.class,
              "How open merges share the threads that merge: FAIR equally, GREEDY first what"
                  + " relieves a tree that nearly stops its writers, then what has the least left."
                  + " Default GREEDY.",
              Change.LIVE),
          Setting.integer(
              "merge.greedy",
              new Place<>(EngineConfigBuilder::mergeGreedy, c -> c.threads().greedy()),
              0,
              64,
              "Number of merges that GREEDY gives the threads to before all others. Default 0: as"
                  + " many as there are threads that merge.",
              Change.LIVE),
          Setting.integer(
              "bloom.bitsPerKey",
              new Place<>(EngineConfigBuilder::bloomBitsPerKey, c -> c.disk().bloomBitsPerKey()),
              0,
              20,
              "Bits per key of a Bloom filter. A table that has older ones below it has twice as"
                  + " many. 0 means no filters. Default 10.",
              Change.LIVE),
          Setting.choice(
              "io.pageCache",
              new Place<>(EngineConfigBuilder::ioPageCache, c -> c.io().pageCache()),
              PageCacheUse.class,
              "What uses the page cache of the operating system: NONE, the READS of trees, or ALL."
                  + " Default NONE, below AsterixDB READS.",
              Change.fixed("it decides how files are opened")),
          Setting.bytes(
              "io.forceBytes",
              new Place<>(EngineConfigBuilder::ioForceBytes, c -> c.io().forceBytes()),
              64 * KIB,
              GIB,
              "Bytes that a flush or a merge writes before it forces the file. Default 16MiB.",
              Change.LIVE),
          Setting.bytes(
              "io.limitBytesPerSecond",
              new Place<>(
                  EngineConfigBuilder::ioLimitBytesPerSecond, c -> c.io().limitBytesPerSecond()),
              v -> v == 0 || (v >= MIB && v <= TIB),
              "0 (no limit) or in 1MiB..1TiB",
              "Bytes per second that flushes, merges and copies of checkpoints may read and write"
                  + " together, until the engine is closed. Default 0.",
              Change.LIVE),
          Setting.integer(
              "threads.flush",
              new Place<>(EngineConfigBuilder::flushThreads, c -> c.threads().flush()),
              1,
              64,
              "Number of threads that flush. Default 1.",
              Change.fixed("threads and buffers are made at open")),
          Setting.integer(
              "threads.merge",
              new Place<>(EngineConfigBuilder::mergeThreads, c -> c.threads().merge()),
              1,
              64,
              "Number of threads that merge. Default 2.",
              Change.fixed("threads and buffers are made at open")),
          Setting.choice(
              "tuner.mode",
              new Place<>(EngineConfigBuilder::tunerMode, c -> c.tuner().mode()),
              TunerMode.class,
              "What the memory tuner does at the end of a cycle: OBSERVE decides and records,"
                  + " ADAPTIVE also moves memory between write memory and buffer cache, FROZEN"
                  + " measures and decides nothing. When it is no longer ADAPTIVE, memory stays"
                  + " where it is, also within a move. Default ADAPTIVE, below AsterixDB FROZEN.",
              Change.LIVE),
          Setting.choice(
              "tuner.policy",
              new Place<>(EngineConfigBuilder::tunerPolicy, c -> c.tuner().policy()),
              TunerPolicy.class,
              "How the memory tuner decides: CURVE for the least cost of all splits, PAPER down"
                  + " the slope at the present one. Default CURVE.",
              Change.LIVE),
          Setting.choice(
              "tuner.cost",
              new Place<>(EngineConfigBuilder::tunerCost, c -> c.tuner().cost()),
              TunerCost.class,
              "What the memory tuner counts: TIME at the disk, as it was measured, and of"
                  + " processors as far as they are busy; or PAGES that are read and written, as in"
                  + " MemoryWalls. Default TIME.",
              Change.LIVE),
          Setting.bytes(
              "tuner.leastWriteBytes",
              new Place<>(
                  EngineConfigBuilder::tunerLeastWriteBytes,
                  c -> c.tuner().bounds().leastWriteBytes()),
              0,
              4 * TIB,
              "The tuner makes write memory no smaller, nor smaller than 64 pages. Default 0: 1/64"
                  + " of both, at most 64MiB.",
              Change.LIVE),
          Setting.bytes(
              "tuner.leastCacheBytes",
              new Place<>(
                  EngineConfigBuilder::tunerLeastCacheBytes,
                  c -> c.tuner().bounds().leastCacheBytes()),
              0,
              4 * TIB,
              "The tuner makes the buffer cache no smaller, nor smaller than 256 pages. Default 0:"
                  + " 1/20 of both.",
              Change.LIVE),
          Setting.fraction(
              "tuner.writeWeight",
              new Place<>(EngineConfigBuilder::tunerWriteWeight, c -> c.tuner().weights().writes()),
              0,
              1e6,
              "How much the tuner counts what flushes and merges write. Default 1.",
              Change.LIVE),
          Setting.fraction(
              "tuner.readWeight",
              new Place<>(EngineConfigBuilder::tunerReadWeight, c -> c.tuner().weights().reads()),
              0,
              1e6,
              "How much the tuner counts what queries read from disk. Default 1.",
              Change.LIVE),
          Setting.bytes(
              "tuner.cycleBytes",
              new Place<>(EngineConfigBuilder::tunerCycleBytes, c -> c.tuner().cycle().bytes()),
              0,
              16 * TIB,
              "Growth of the log, or bytes that queries read from disk, that end a cycle of the"
                  + " tuner. Default 0: twice the memory to divide, at most log.maxBytes.",
              Change.LIVE),
          Setting.integer(
              "tuner.cycleSeconds",
              new Place<>(EngineConfigBuilder::tunerCycleSeconds, c -> c.tuner().cycle().seconds()),
              1,
              86_400,
              "Time that ends a cycle of the tuner, if neither gets there. Default 600.",
              Change.LIVE));

  private Settings() {}

  /** The setting of a name. */
  public static Optional<Setting<?>> find(String name) {
    for (Setting<?> setting : ALL) {
      if (setting.name().equals(name)) {
        return Optional.of(setting);
      }
    }
    return Optional.empty();
  }

  /** Whether names of settings start with this and a dot. */
  static boolean isGroup(String path) {
    return ALL.stream().anyMatch(setting -> setting.name().startsWith(path + "."));
  }

  /** Says that there is no setting of a name, and which one may have been meant. */
  static String unknown(String name) {
    if (isGroup(name)) {
      return name + ": a group of settings, not one of them";
    }
    return name
        + ": no such setting"
        + nearest(name).map(n -> "; did you mean " + n + "?").orElse("");
  }

  /** The setting or group whose name is most like this; empty if none is alike. */
  static Optional<String> nearest(String path) {
    TreeSet<String> names = new TreeSet<>();
    for (Setting<?> setting : ALL) {
      names.add(setting.name());
      if (setting.name().contains(".")) {
        names.add(setting.name().substring(0, setting.name().indexOf('.')));
      }
    }
    return NearestName.of(path, names);
  }

  /** What is wrong with each value and with values that do not go together. */
  static List<String> check(EngineConfig config) {
    List<String> problems = new ArrayList<>();
    for (Setting<?> setting : ALL) {
      String problem = setting.check(config);
      if (problem != null) {
        problems.add(problem);
      }
    }
    return problems.isEmpty()
        ? CombinedSettings.check(
            config.memory(), config.log(), config.write(), config.disk(), config.tuner())
        : problems;
  }
}
