package org.loam.it.planted;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A mistake that a programmer could make, as a change of source text.
 *
 * @param name what the mistake is, in a few words
 * @param suite which must catch it
 * @param isRare whether many seeds, or much time, are needed to see it
 * @param firstSeed where the hunt begins: a seed that has seen it, if those from 0 on take long
 * @param changes where; more than one where the mistake has more than one place
 */
record PlantedBug(String name, Suite suite, boolean isRare, long firstSeed, List<Change> changes) {

  /** What catches bugs: a class that takes a seed, and how many of them are tried at most. */
  enum Suite {
    CRASH("crash simulation", "org.loam.it.crash.CrashTrial", 1000),
    CRASH_RANGES("crash simulation, ranges", "org.loam.it.crash.CrashTrial$Ranges", 150),
    CRASH_LEVELS("crash simulation, levels", "org.loam.it.crash.CrashTrial$Levels", 400),
    CRASH_POPULAR("crash simulation, popular keys", "org.loam.it.crash.PopularKeysTrial", 60),
    DATASETS("crash simulation, datasets", "org.loam.it.crash.DatasetCrashTrial", 500),
    RECOVERY("recovery sweep", "org.loam.it.crash.RecoveryTrial", 60),
    EDITS("crash simulation, edits", "org.loam.it.crash.EditsTrial", 1000),
    GROWING_KEYS("model, keys that grow", "org.loam.it.model.GrowingKeysTrial", 10),
    DAMAGE("damaged files", "org.loam.it.planted.DamageTrial", 100),
    LOG("schedules, log", "org.loam.it.schedule.LogTrial", 5000, true),
    WRITERS("schedules, writers", "org.loam.it.schedule.WritersTrial"),
    VERSIONS("schedules, versions", "org.loam.it.schedule.VersionsTrial"),
    MEMORY("schedules, memory component", "org.loam.it.schedule.MemoryTrial", 5000, true),
    CACHE("schedules, buffer cache", "org.loam.it.schedule.CacheTrial"),
    PUTS("schedules, single writes", "org.loam.it.schedule.PutsTrial"),
    MOVES("schedules, moves of memory", "org.loam.it.schedule.MovesTrial"),
    LOANS("schedules, loans to writes", "org.loam.it.schedule.LoansTrial"),
    TARGETS("schedules, targets of write memory", "org.loam.it.schedule.TargetsTrial"),
    SLOTS("schedules, slots of operations", "org.loam.it.schedule.SlotsTrial"),
    TURNS("schedules, turns of writers", "org.loam.it.schedule.TurnsTrial"),
    SNAPSHOTS("schedules, snapshots", "org.loam.it.schedule.SnapshotsTrial"),
    SWAPS("schedules, compare-and-put", "org.loam.it.schedule.SwapsTrial"),
    UNDOS("schedules, undo", "org.loam.it.schedule.UndoTrial"),
    HOST_FLUSHES("schedules, flushes of a host", "org.loam.it.schedule.HostFlushTrial"),
    COMPONENTS("schedules, components", "org.loam.it.schedule.ComponentsTrial"),
    DROPS("schedules, drops", "org.loam.it.schedule.DropsTrial"),
    GROUPS("schedules, flush groups", "org.loam.it.schedule.GroupsTrial"),
    RANGES("schedules, ranges of write memory", "org.loam.it.schedule.RangesTrial"),
    LEVELS("schedules, levels of write memory", "org.loam.it.schedule.LevelsTrial"),
    PIPELINE("schedules, pipeline of write memory", "org.loam.it.schedule.PipelineTrial"),
    FENCES("schedules, fences", "org.loam.it.schedule.FencesTrial"),
    DATASET("schedules, dataset", "org.loam.it.schedule.DatasetTrial");

    private static final int MAX_SCHEDULES = 1000;

    final String title;
    final String className;
    final int maxSeeds;

    /** Whether accesses to shared memory are switching points in it. */
    final boolean isInstrumented;

    Suite(String title, String className, int maxSeeds) {
      this(title, className, maxSeeds, false);
    }

    /** A suite of schedules. */
    Suite(String title, String className) {
      this(title, className, MAX_SCHEDULES, true);
    }

    Suite(String title, String className, int maxSeeds, boolean isInstrumented) {
      this.title = title;
      this.className = className;
      this.maxSeeds = maxSeeds;
      this.isInstrumented = isInstrumented;
    }
  }

  /**
   * A change in one file.
   *
   * @param type full name of the class
   * @param right what stands there; its white space does not matter, and it must be there once
   * @param wrong what stands there instead
   */
  record Change(String type, String right, String wrong) {

    /** The changed text of the file. */
    String applyTo(String source) {
      Matcher matcher = pattern().matcher(source);
      if (!matcher.find()) {
        throw new AssertionError(type + " has no such text any more, plant the bug anew: " + right);
      }
      int start = matcher.start();
      int end = matcher.end();
      if (matcher.find()) {
        throw new AssertionError(
            type + " has this text more than once, plant the bug anew: " + right);
      }
      return source.substring(0, start) + wrong + source.substring(end);
    }

    private Pattern pattern() {
      return Pattern.compile(
          Stream.of(right.strip().split("\\s+"))
              .map(Pattern::quote)
              .collect(Collectors.joining("\\s+")));
    }
  }

  /** A bug in one place that the crash simulation must catch. */
  static PlantedBug of(String name, String type, String right, String wrong) {
    return new PlantedBug(name, Suite.CRASH, false, 0, List.of(new Change(type, right, wrong)));
  }

  /** The same bug, but with another place. */
  PlantedBug and(String type, String right, String wrong) {
    Change more = new Change(type, right, wrong);
    return new PlantedBug(
        name, suite, isRare, firstSeed, Stream.concat(changes.stream(), Stream.of(more)).toList());
  }

  /** The same bug, but to be caught by another suite. */
  PlantedBug caughtBy(Suite other) {
    return new PlantedBug(name, other, isRare, firstSeed, changes);
  }

  /** The same bug, but seen in long runs only. */
  PlantedBug rare() {
    return new PlantedBug(name, suite, true, firstSeed, changes);
  }

  /** The same bug, but hunted from another seed on. */
  PlantedBug from(long seed) {
    return new PlantedBug(name, suite, isRare, seed, changes);
  }
}
