package org.loam.it.planted;

import java.util.List;
import java.util.stream.Stream;
import org.loam.it.planted.PlantedBug.Suite;

/** The bugs of write memory, its schemes and its size: schedules show most of them. */
final class MemoryBugs {
  private static final String LSM = "org.loam.lsm.";

  private MemoryBugs() {}

  static List<PlantedBug> all() {
    return Stream.of(ranges(), hosts(), levels(), pipeline(), loans())
        .flatMap(List::stream)
        .toList();
  }

  private static List<PlantedBug> ranges() {
    return List.of(
        of(
                Suite.RANGES,
                "a component that is frozen still takes the records prepared for it",
                LSM + "Freezes",
                "leaving.get(i).freeze();",
                "")
            .from(27),
        of(
                Suite.CRASH_POPULAR,
                "all tables of a flush go to where the first one belongs",
                LSM + "Flushes",
                "disk.groupFor(table.component().range())",
                "disk.groupFor(part.tables.get(0).component().range())")
            .from(4),
        of(
                Suite.CRASH_POPULAR,
                "the lower bound of two goes when an empty range grows over another one",
                LSM + "MemoryRanges",
                "Range before = next.remove(next.size() - 1);",
                "Range before = next.remove(next.size() - 1);"
                    + " if (!lows.isEmpty()) { lows.set(lows.size() - 1, bounds.low(i)); }")
            .from(9));
  }

  private static List<PlantedBug> hosts() {
    return List.of(
        of(
            Suite.HOST_FLUSHES,
            "a host's flush counts as ended when the newest write is on disk",
            LSM + "LsmTree",
            "return version().hasFrozenBelow(endLsn);",
            "return version().hasFrozenBelow(endLsn) && state.flushedLsn() < endLsn - 1;"),
        of(
            Suite.HOST_FLUSHES,
            "a host's flush leaves out ranges of which the last one is not on disk yet",
            LSM + "Freezes",
            "freeze(Set.copyOf(actives), sizes, endLsn, cause)",
            "freeze(Set.copyOf(activesAlone()), sizes, endLsn, cause)"));
  }

  private static List<PlantedBug> levels() {
    return List.of(
        of(
                Suite.GROWING_KEYS,
                "a run leaves memory before an older one with the same keys",
                LSM + "Freezes",
                "MemoryLeveling.withOlder(levels.shape(), runs);",
                "runs;")
            .and(
                LSM + "Freezes",
                "return MemoryLeveling.withOlder(tree.version().levels.shape(), List.of(run));",
                "return List.of(run);"),
        of(
            Suite.LEVELS,
            "a merge in memory shows after its inputs were given back",
            LSM + "MemoryMerges",
            "if (show(levels, step, made)) { retire(step, made); } else {",
            "retire(step, made); if (!show(levels, step, made)) {"),
        of(
                Suite.LEVELS,
                "a merge in memory keeps only the newest versions",
                LSM + "merge.MemoryMergeStream",
                "retention, true, false);",
                "retention, false, false);")
            .from(755),
        of(
            Suite.LEVELS,
            "a run that is flushed beside a merge in memory comes back",
            LSM + "MemoryLevels",
            "if (!target.containsAll(step.lower())) { return null; }",
            ""),
        of(
                Suite.CRASH_LEVELS,
                "what was merged out of a run in memory is flushed with the rest of it",
                LSM + "merge.FlushStream",
                "if (runs.size() == 1 && !runs.get(0).isBegun()) {",
                "if (runs.size() == 1) {")
            .from(1175),
        of(
                Suite.CRASH_LEVELS,
                "a merge in memory forgets that a key is deleted",
                LSM + "merge.MemoryMergeStream",
                "retention, true, false);",
                "retention, true, true);")
            .and(LSM + "merge.MergeStream", "dropAntiMatter && !keepLsns;", "dropAntiMatter;"),
        of(
            Suite.CRASH_LEVELS,
            "the last key of a run in memory does not count as its own",
            LSM + "memory.KeySpan",
            "new KeySpan(first, Arrays.copyOf(last, last.length + 1));",
            "new KeySpan(first, last);"));
  }

  private static List<PlantedBug> pipeline() {
    return List.of(
        of(
                Suite.PIPELINE,
                "a merge of indexes shows after its runs were given back",
                LSM + "PipelineMerges",
                "made = merge.finish(); isShown = show(inputs, made);",
                "made = merge.finish(); merge.takeOver(); retire(inputs);"
                    + " isShown = show(inputs, made);")
            .from(25)
            .and(
                LSM + "PipelineMerges",
                "merge.takeOver(); retire(inputs); } return made",
                "} return made"),
        of(
                Suite.PIPELINE,
                "a merge of indexes forgets the versions in older runs",
                LSM + "memory.IndexMerge",
                "links.add(new Link(last, record));",
                "")
            .from(3062),
        of(
            Suite.PIPELINE,
            "runs that are flushed beside a merge come back",
            LSM + "MemoryLevels",
            "if (!all.containsAll(inputs)) { return null; }",
            ""),
        of(
            Suite.PIPELINE,
            "a copy of runs shows after they were given back",
            LSM + "PipelineMerges",
            "isShown = show(inputs, builder.finish());",
            "retire(inputs); isShown = show(inputs, builder.finish());"));
  }

  private static List<PlantedBug> loans() {
    return List.of(
        of(
            Suite.LOANS,
            "a write that waits does not ask again whether write memory is too small for it",
            "org.loam.engine.commit.WriteWaits",
            "if (memory.room().borrowIfTooSmall(batch) || memory.room().mayBeThere(batch)) {",
            "if (memory.room().mayBeThere(batch)) {"));
  }

  private static PlantedBug of(Suite suite, String name, String type, String right, String wrong) {
    return PlantedBug.of(name, type, right, wrong).caughtBy(suite);
  }
}
