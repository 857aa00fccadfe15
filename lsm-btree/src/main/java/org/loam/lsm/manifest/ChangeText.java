package org.loam.lsm.manifest;

import java.util.ArrayList;
import java.util.List;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.DescribeTree;
import org.loam.lsm.manifest.ManifestEdit.DropTree;
import org.loam.lsm.manifest.ManifestEdit.Identity;
import org.loam.lsm.manifest.ManifestEdit.PlaceTree;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestEdit.ReserveDirectories;
import org.loam.lsm.manifest.ManifestEdit.ReserveIds;
import org.loam.lsm.manifest.ManifestEdit.Seal;
import org.loam.lsm.manifest.ManifestEdit.Truncate;

/** Changes of the manifest in words. */
final class ChangeText {
  private ChangeText() {}

  static String of(Change change) {
    if (change instanceof Identity i) {
      DatabaseIdentity identity = i.identity();
      return "database "
          + Long.toHexString(identity.databaseId())
          + ", pages of "
          + identity.pageBytes()
          + " bytes, feature bits "
          + identity.featureBits()
          + (identity.isOfCheckpoint()
              ? ", additional directories of " + Long.toHexString(identity.directoriesId())
              : "");
    } else if (change instanceof CreateTree c) {
      return "create tree " + c.treeId() + " '" + c.name() + "'";
    } else if (change instanceof DescribeTree d) {
      return "describe tree " + d.treeId() + ": " + d.description();
    } else if (change instanceof PlaceTree p) {
      return "tree " + p.treeId() + " lives in data directory " + p.directory();
    } else if (change instanceof ReserveDirectories r) {
      return "a new data directory gets number " + r.next() + " or a higher one";
    } else if (change instanceof DropTree d) {
      return "drop tree " + d.treeId() + ", skip its log records below LSN " + d.lsn();
    } else if (change instanceof ReplaceComponents r) {
      return of(r);
    } else if (change instanceof ReserveIds r) {
      return "next file id " + r.nextFileId() + ", next tree id " + r.nextTreeId();
    } else if (change instanceof Truncate t) {
      return "replay the log from LSN " + t.lsn();
    } else if (change instanceof Seal) {
      return "closed cleanly";
    }
    throw new AssertionError("a change without words: " + change);
  }

  private static String of(ReplaceComponents replace) {
    List<String> parts = new ArrayList<>();
    if (!replace.removed().isEmpty()) {
      List<String> names = replace.removed().stream().map(SSTableMeta::fileName).toList();
      parts.add("remove " + String.join(", ", names));
    }
    for (ComponentRecord c : replace.added()) {
      String group = c.group() > 0 ? " group " + c.group() : "";
      parts.add("add " + c.meta().fileName() + " to level " + c.level() + group);
    }
    parts.add("durable through LSN " + replace.durableLsn());
    return "tree " + replace.treeId() + ": " + String.join("; ", parts);
  }
}
