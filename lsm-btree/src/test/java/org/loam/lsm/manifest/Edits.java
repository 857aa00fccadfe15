package org.loam.lsm.manifest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.DescribeTree;
import org.loam.lsm.manifest.ManifestEdit.DropTree;
import org.loam.lsm.manifest.ManifestEdit.PlaceTree;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestEdit.ReserveDirectories;
import org.loam.lsm.manifest.ManifestEdit.ReserveIds;
import org.loam.lsm.manifest.ManifestEdit.Seal;
import org.loam.lsm.manifest.ManifestEdit.Truncate;
import org.loam.lsm.manifest.ManifestState.TreeRecord;
import org.loam.scheduler.merge.KeyRange;

/** Makes edits, and tells states apart. */
final class Edits {
  private Edits() {}

  static byte[] key(int length, int first) {
    byte[] key = new byte[length];
    for (int i = 0; i < length; i++) {
      key[i] = (byte) (first + i);
    }
    return key;
  }

  static ComponentRecord component(int fileId, int keyLength) {
    return new ComponentRecord(
        fileId % 3 == 0 ? 31 : 0,
        fileId % 3 == 0 ? 0 : fileId,
        new SSTableMeta(
            fileId,
            0x1234_5678_9abcL * fileId,
            4096L * fileId,
            -fileId,
            new SSTableMeta.Counts(10L * fileId, fileId),
            new KeyRange(key(keyLength, 0), key(keyLength, 1)),
            new SSTableMeta.Lsns(fileId, fileId + 100L)));
  }

  /** A random edit that fits a state. */
  static ManifestEdit random(ManifestState state, Random random, int maxKeyLength) {
    List<Change> changes = new ArrayList<>();
    List<TreeRecord> trees = List.copyOf(state.trees());
    int dice = random.nextInt(15);
    if (trees.isEmpty() || dice == 0) {
      int id = state.nextTreeId();
      changes.add(new CreateTree(id, "tree " + id + " ä", random.nextInt(9)));
    } else if (dice == 1) {
      TreeRecord tree = trees.get(random.nextInt(trees.size()));
      changes.add(new DropTree(tree.treeId(), random.nextInt(1000)));
    } else if (dice == 2) {
      changes.add(new ReserveIds(state.nextFileId() + random.nextInt(1024), 0));
    } else if (dice == 3) {
      changes.add(new Truncate(state.truncationLsn() + random.nextInt(100)));
    } else if (dice == 4) {
      changes.add(new Seal());
    } else if (dice == 5) {
      int id = trees.get(random.nextInt(trees.size())).treeId();
      changes.add(new DescribeTree(id, "index ü ".repeat(random.nextInt(3))));
    } else if (dice == 7) {
      changes.add(new ReserveDirectories(1 + random.nextInt(300)));
    } else if (dice == 6) {
      int id = trees.get(random.nextInt(trees.size())).treeId();
      changes.add(new PlaceTree(id, 1 + random.nextInt(300)));
    } else {
      TreeRecord tree = trees.get(random.nextInt(trees.size()));
      List<Integer> removed = new ArrayList<>();
      for (ComponentRecord c : tree.components()) {
        if (random.nextInt(3) == 0) {
          removed.add(c.meta().fileId());
        }
      }
      List<ComponentRecord> added = new ArrayList<>();
      int nextId = state.nextFileId();
      for (int n = random.nextInt(4); n > 0; n--) {
        added.add(component(nextId++, random.nextInt(maxKeyLength + 1)));
      }
      changes.add(new ReserveIds(nextId, 0));
      changes.add(new ReplaceComponents(tree.treeId(), removed, added, random.nextInt(2000) - 1));
      changes.add(new Truncate(state.truncationLsn() + random.nextInt(10)));
    }
    return new ManifestEdit(changes);
  }

  /** Everything in a state, as text, except features, which come before what needs them. */
  static String describe(ManifestState state) {
    StringBuilder text = new StringBuilder();
    text.append(state.identity().databaseId()).append(' ');
    text.append(state.identity().pageBytes()).append(' ');
    text.append(state.nextFileId()).append(' ').append(state.nextTreeId()).append(' ');
    text.append(state.nextDirectory()).append(' ');
    text.append(state.truncationLsn()).append('\n');
    for (TreeRecord tree : state.trees()) {
      text.append(tree.treeId()).append(' ').append(tree.name()).append(' ');
      text.append(tree.keyPrefixLength()).append(' ').append(tree.durableLsn());
      text.append(' ').append(tree.directory());
      text.append(" '").append(tree.description()).append("'\n");
      for (ComponentRecord c : tree.components()) {
        text.append("  ").append(describe(c)).append('\n');
      }
    }
    for (int id = 0; id < state.nextTreeId(); id++) {
      if (state.wasDropped(id)) {
        text.append("dropped ").append(id).append('\n');
      }
    }
    return text.toString();
  }

  private static String describe(ComponentRecord c) {
    SSTableMeta m = c.meta();
    return c.level()
        + " "
        + c.group()
        + " "
        + m.fileId()
        + " "
        + m.salt()
        + " "
        + m.sizeBytes()
        + " "
        + m.fileCrc()
        + " "
        + m.counts().entries()
        + " "
        + m.counts().antiMatter()
        + " "
        + describe(m.keys().min())
        + " "
        + describe(m.keys().max())
        + " "
        + m.lsns().min()
        + " "
        + m.lsns().max();
  }

  private static String describe(byte[] key) {
    return key.length + "#" + Integer.toHexString(Arrays.hashCode(key));
  }

  static String describe(Manifest manifest) {
    return manifest.read(Edits::describe);
  }
}
