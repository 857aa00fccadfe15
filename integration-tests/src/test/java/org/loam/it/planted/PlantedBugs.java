package org.loam.it.planted;

import java.util.List;
import java.util.stream.Stream;
import org.loam.it.planted.PlantedBug.Suite;

/** The bugs, in the order of a write's life. */
final class PlantedBugs {
  private static final String LOG = "org.loam.log.";
  private static final String LSM = "org.loam.lsm.";
  private static final String MANIFEST = "org.loam.lsm.manifest.";
  private static final String MERGE = "org.loam.lsm.merge.";
  private static final String DISK = "org.loam.lsm.disk.";
  private static final String ENGINE = "org.loam.engine.";

  private PlantedBugs() {}

  static List<PlantedBug> all() {
    return Stream.of(
            log(),
            recovery(),
            components(),
            manifest(),
            visibility(),
            DatasetBugs.all(),
            OrderBugs.all(),
            MemoryBugs.all(),
            FileBugs.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<PlantedBug> log() {
    return List.of(
        PlantedBug.of("the log is never forced", LOG + "LogSegment", "open.force();", ""),
        PlantedBug.of(
                "acknowledged before the force",
                LOG + "GroupCommit",
                "for (LogSegment segment : segments) {",
                "progress.forced(endLsn); wake(); for (LogSegment segment : segments) {")
            .from(35),
        PlantedBug.of(
                "frames written during a force count as forced",
                LOG + "GroupCommit",
                "progress.forced(endLsn);",
                "progress.forced(progress.endLsn());")
            .rare(),
        PlantedBug.of(
            "only the newest log segment is forced",
            LOG + "GroupCommit",
            "for (LogSegment segment : segments) {",
            "for (LogSegment segment : segments.subList(segments.size() - 1, segments.size())) {"),
        PlantedBug.of(
                "a failed force of the log is repeated",
                LOG + "GroupCommit",
                "segment.force();",
                "try { segment.force(); } catch (RuntimeException e) { segment.force(); }")
            .rare(),
        PlantedBug.of(
                "names of log segments are not forced",
                LOG + "SegmentFiles",
                "files.forceDirectory(directory);",
                "")
            .rare());
  }

  private static List<PlantedBug> recovery() {
    return List.of(
        PlantedBug.of(
            "the checksum of a log frame's payload is not verified",
            LOG + "recover.FrameCheck",
            "if (FrameLayout.payloadCrc(frame) != payloadCrc) {",
            "if (payloadCrc == 0 && FrameLayout.payloadCrc(frame) != 0) {"),
        PlantedBug.of(
                "the log goes on behind a torn tail",
                LOG + "LogStart",
                "header.closed(tail.endLsn(), first.header().link())",
                "header.closed(header.dataEndLsn(), first.header().link())")
            .rare(),
        PlantedBug.of(
                "what was replayed is not made durable",
                LOG + "LogStart",
                "forceReplayed(files, chain);",
                "")
            .rare()
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
                "the header of a log segment is rewritten although it may not be durable",
                LOG + "LogStart",
                "settleTail(files, chain);",
                "")
            .rare()
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
                "the log reuses segments before the manifest is durable",
                ENGINE + "open.LogRecovery",
                "manifest.start(); long start = log.start("
                    + "Math.max(flushedEnd, replay.endLsn()));",
                "long start = log.start(Math.max(flushedEnd, replay.endLsn()));"
                    + " manifest.start();")
            .rare()
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
            "replay applies a batch to its first tree only",
            ENGINE + "open.LogRecovery",
            "while (decoder.next()) {",
            "if (decoder.next()) {"),
        PlantedBug.of(
                "the log is truncated before what was replayed counts",
                ENGINE + "open.Recovery",
                "kernel.storage().manifest().commit(new ManifestEdit(changes));",
                "kernel.storage().manifest().commit(ManifestEdit.of(new Truncate(startLsn)));"
                    + " kernel.storage().manifest().commit(new ManifestEdit(changes));")
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
            "the log is truncated past what another tree has in memory",
            ENGINE + "tree.Installer",
            "min = Math.min(min, tree.minUnflushedLsn(flushed));",
            ""),
        PlantedBug.of(
            "recovery forgets which trees were dropped",
            ENGINE + "open.LogRecovery",
            "if (!kernel.storage().manifest().read(state -> state.wasDropped(treeId))) {",
            "if (treeId >= 0) {"));
  }

  private static List<PlantedBug> components() {
    return List.of(
        PlantedBug.of(
            "a flush does not wait for the log",
            LSM + "Flushes",
            "tree.services().gate().awaitDurable(frozen.get(0).endLsn());",
            ""),
        PlantedBug.of(
            "an SSTable is not forced",
            DISK + "SSTableWriter",
            "output.force(); file.close();",
            "file.close();"),
        PlantedBug.of(
            "names of SSTables are not forced",
            MERGE + "TableStore",
            "env.files().forceDirectory(directory);",
            ""),
        PlantedBug.of(
                "flushes of a tree are installed out of order",
                LSM + "TreeVersion",
                "other.moment() < one.moment() && other.overlaps(one)",
                "other.moment() > one.moment() && other.overlaps(one)")
            .from(3),
        PlantedBug.of(
                "runs in memory do not count for the oldest write",
                LSM + "TreeVersion",
                "for (MemoryRun run : levels.all()) { min = Math.min(min, run.minLsn()); }",
                "")
            .from(4),
        PlantedBug.of(
                "what was merged out of a run in memory is still read from it",
                LSM + "memory.MemoryRun",
                "return isBegun && low != null && ReadCursor",
                "return isBegun && low == null && ReadCursor")
            .and(
                LSM + "memory.MemoryRun",
                "return isBegun && low != null ? new",
                "return isBegun && low == null ? new")
            .from(154)
            .caughtBy(Suite.CRASH_LEVELS),
        PlantedBug.of(
                "what a flush of one range made durable counts for the whole tree",
                LSM + "TreeState",
                "return Math.min(version().minUnflushedLsn(components) - 1, flushed);",
                "return flushed;")
            .from(11),
        PlantedBug.of(
                "only the first range counts for the oldest write in memory",
                LSM + "TreeVersion",
                "min = Math.min(min, active.minLsn());",
                "min = Math.min(min, memory.actives().get(0).minLsn());")
            .from(8),
        PlantedBug.of(
            "a bound belongs to the range below for writes, to that above for reads",
            LSM + "memory.RangeBounds",
            "&& Arrays.compareUnsigned(key, bounds[range - 1]) < 0",
            "&& Arrays.compareUnsigned(key, bounds[range - 1]) <= 0"),
        PlantedBug.of(
                "a range that grows over another one forgets what is frozen there",
                LSM + "MemoryRanges",
                "newestFirst(before.frozen(), range.frozen())",
                "before.frozen()")
            .from(176)
            .caughtBy(Suite.CRASH_RANGES),
        PlantedBug.of(
                "a flushed table goes below a newer one that it overlaps",
                LSM + "version.DiskVersion",
                "newest = Math.max(newest, place.group());",
                "newest = newest == 0 ? place.group() : Math.min(newest, place.group());")
            .rare(),
        PlantedBug.of(
                "a flush is installed into a dropped tree",
                LSM + "Flushes",
                "if (aborted || order.isDiscarded()) { rest.run(); return; } Flushes.this",
                "Flushes.this")
            .rare(),
        PlantedBug.of(
                "inputs of a merge are deleted before its edit",
                LSM + "Merges",
                "installer.install("
                    + "new ReplaceComponents(tree.treeId(), removed, added.records(), -1));",
                "store.retire("
                    + "inputs.stream().filter(t -> !tables.contains(t)).toList(), true);"
                    + " installer"
                    + ".install("
                    + "new ReplaceComponents(tree.treeId(), removed, added.records(), -1));")
            .and(LSM + "Merges", "inputs.removeAll(tables); order.noteUnused(inputs);", ""),
        PlantedBug.of(
                "anti-matter is dropped while something older lies below",
                LSM + "Merges",
                "boolean isLowest = shape.olderThan(plan).isEmpty();",
                "boolean isLowest = true;")
            .rare(),
        PlantedBug.of(
                "a merge out of L0 forgets the levels in its way",
                "org.loam.scheduler.merge.Closure",
                "if (level.id() > from && level.id() <= target) {",
                "if (level.id() > from && level.id() < target) {")
            .rare(),
        PlantedBug.of(
                "a page's checksum is not verified",
                "org.loam.cache.PageHeader",
                "return compute(address, pageBytes, fileId, pageNo, source.salt())"
                    + " == Mem.getInt(address + CRC) && isPlacedAt(address, fileId, pageNo);",
                "return isPlacedAt(address, fileId, pageNo);")
            .caughtBy(Suite.DAMAGE));
  }

  private static List<PlantedBug> manifest() {
    return List.of(
        PlantedBug.of(
            "the manifest is not forced",
            MANIFEST + "ManifestFile",
            "file.force(); sequence++;",
            "sequence++;"),
        PlantedBug.of(
                "the switch to a new manifest is not forced",
                MANIFEST + "BlockFile",
                "directory.force();",
                "")
            .rare(),
        PlantedBug.of(
                "the name of a new manifest is not forced",
                MANIFEST + "ManifestFile",
                "files.forceDirectory(directory);",
                "")
            .rare()
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
            "the new file `current` is not forced before it is renamed",
            MANIFEST + "BlockFile",
            "file.force();",
            ""),
        PlantedBug.of(
                "the checksum of a manifest edit is not verified",
                MANIFEST + "ManifestReader",
                "&& bytes.getInt(at) == ManifestLayout.crc(bytes, at, length, number, at);",
                ";")
            .rare()
            .caughtBy(Suite.DAMAGE));
  }

  private static List<PlantedBug> visibility() {
    return List.of(
        PlantedBug.of(
            "memory forgets versions that a snapshot needs",
            LSM + "visibility.ReadRegistry",
            "return count > 0 && anyBetween(olderLsn, newerLsn);",
            "return false;"),
        PlantedBug.of(
            "a flush or merge forgets versions that a snapshot needs",
            LSM + "visibility.ReadRegistry",
            "return newerLsn >= publishedEnd || anyWithin(olderLsn, newerLsn);",
            "return newerLsn >= publishedEnd;"),
        PlantedBug.of(
            "a flush drops LSNs that a snapshot tells apart",
            MERGE + "Rewriter",
            "boolean keepLsns = moment.anyWithin(minLsn, maxLsn); return new Opened(",
            "boolean keepLsns = false; return new Opened("),
        PlantedBug.of(
                "readers see what is not durable",
                ENGINE + "commit.CommitLatch",
                "return sync && running ? Math.min(appliedEnd, log.durableLsn()) : appliedEnd;",
                "return appliedEnd;")
            .rare(),
        PlantedBug.of(
                "compare-and-put compares too early",
                ENGINE + "commit.Attempts",
                "if (condition != null && !condition.test(batch.record(0))) {",
                "if (condition != null && batch.size() < 0) {")
            .rare());
  }
}
