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
            "a bulk load shows in snapshots that are older",
            LSM + "TreeVersion",
            "return readLsn >= loadedLsn ? disk : DiskVersion.EMPTY;",
            "return disk;"),
        PlantedBug.of(
                "what the log says of the manifest is not verified",
                ENGINE + "open.LogRecovery",
                "if (mark != null) {",
                "if (mark != null && mark.forcedBytes() < 0) {")
            .caughtBy(Suite.DAMAGE)
            .from(5),
        PlantedBug.of(
                "damage passes for the torn tail of the log",
                LOG + "recover.LogReplay",
                "if (lsn < durableLsn) {",
                "if (lsn < durableLsn && durableLsn < 0) {")
            .caughtBy(Suite.DAMAGE),
        PlantedBug.of(
                "both copies of a log segment's header are written with one force",
                LOG + "SegmentFiles",
                "file.force(); file.write(0, chunk, SegmentHeaderLayout.BLOCK_BYTES);",
                "file.write(0, chunk, SegmentHeaderLayout.BLOCK_BYTES);")
            .rare()
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
                "the name of a log segment that was found is not forced",
                LOG + "LogStart",
                "files.forceDirectory(directory);",
                "")
            .from(10)
            .caughtBy(Suite.RECOVERY),
        PlantedBug.of(
                "a bulk load shows before its edit",
                ENGINE + "tree.Installer",
                "edits.commit(ManifestEdit.of(change)); marks.publish(show);",
                "marks.publish(show); edits.commit(ManifestEdit.of(change));")
            .caughtBy(Suite.EDITS),
        PlantedBug.of(
                "an older truncation counts",
                LSM + "manifest.ManifestState",
                "truncationLsn = Math.max(truncationLsn, t.lsn());",
                "truncationLsn = t.lsn();")
            .from(234)
            .caughtBy(Suite.EDITS),
        PlantedBug.of(
                "a dropped tree is written to",
                ENGINE + "commit.Attempts",
                "batch.requireWritable();",
                "for (int i = 0; i < batch.size(); i++) {"
                    + " if (batch.tree(i).isLoading()) { batch.tree(i).requireWritable(); } }")
            .from(1847)
            .caughtBy(Suite.DROPS));
  }
}
