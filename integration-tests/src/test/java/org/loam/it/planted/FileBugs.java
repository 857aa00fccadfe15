package org.loam.it.planted;

import java.util.List;
import org.loam.it.planted.PlantedBug.Suite;

/** The bugs of order between what is written, what is forced, and what counts. */
final class FileBugs {
  private static final String LOG = "org.loam.log.";
  private static final String LSM = "org.loam.lsm.";
  private static final String ENGINE = "org.loam.engine.";

  private FileBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        PlantedBug.of(
            "a failed force of an SSTable is ignored",
            LSM + "disk.SSTableWriter",
            "output.force(); file.close();",
            "try { output.force(); } catch (org.loam.common.error.StorageIoException e) {"
                + " file.path(); } file.close();")
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
            "a bulk load shows before its edit",
            ENGINE + "Installer",
            "commit(ManifestEdit.of(change)); committer.publish(manifest, show);",
            "committer.publish(manifest, show); commit(ManifestEdit.of(change));"),
        PlantedBug.of(
            "a bulk load shows in snapshots that are older",
            LSM + "TreeVersion",
            "return readLsn >= loadedLsn ? disk : DiskVersion.EMPTY;",
            "return disk;"),
        PlantedBug.of(
                "what the log says of the manifest is not verified",
                ENGINE + "LogRecovery",
                "if (mark != null) {",
                "if (mark != null && mark.forcedBytes() < 0) {")
            .caughtBy(Suite.DAMAGE),
        PlantedBug.of(
                "damage passes for the torn tail of the log",
                LOG + "recover.LogReplay",
                "if (lsn < durableLsn) {",
                "if (lsn < durableLsn && durableLsn < 0) {")
            .caughtBy(Suite.DAMAGE),
        PlantedBug.of(
                "of two truncations the older one counts",
                LSM + "manifest.ManifestState",
                "truncationLsn = Math.max(truncationLsn, t.lsn());",
                "truncationLsn = t.lsn();")
            .and(
                ENGINE + "Installer",
                "return Math.max(min[0], manifest.read(state -> state.truncationLsn()));",
                "return min[0];"),
        PlantedBug.of(
            "a tree that was dropped takes writes",
            ENGINE + "Committer",
            "batch.handle(i).requireWritable();",
            ""),
        PlantedBug.of(
            "log segments are listed before the end of the log is read",
            LOG + "GroupCommit",
            "long endLsn = progress.endLsn(); List<LogSegment> segments = live.unforced();",
            "List<LogSegment> segments = live.unforced(); long endLsn = progress.endLsn();"),
        PlantedBug.of(
            "the log is sealed before what the seal vouches for is forced",
            LOG + "LogWriter",
            "parts.commit().await(progress.endLsn(), Long.MAX_VALUE);"
                + " long lsn = progress.endLsn();",
            "long lsn = progress.endLsn();")
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
            "both copies of a log segment's header are written with one force",
            LOG + "SegmentFiles",
            "file.force(); file.write(0, chunk, SegmentHeaderLayout.BLOCK_BYTES);",
            "file.write(0, chunk, SegmentHeaderLayout.BLOCK_BYTES);")
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
            "the name of a log segment is given before its header is forced",
            LOG + "SegmentFiles",
            "writeNew(unfinished, header); files.rename(unfinished, path);",
            "writeNew(path, header);")
            .caughtBy(Suite.RECOVERY));
  }
}
