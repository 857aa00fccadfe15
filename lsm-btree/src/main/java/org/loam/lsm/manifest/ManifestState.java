package org.loam.lsm.manifest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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

/** What the edits so far add up to. Not thread-safe; guarded by the manifest that owns it. */
public final class ManifestState {
  /** A tree as the manifest knows it. */
  public static final class TreeRecord {
    private final CreateTree created;
    private final TreeMap<Integer, ComponentRecord> components = new TreeMap<>();
    private long durableLsn = -1;
    private String description = "";
    private int directory;

    private TreeRecord(CreateTree created) {
      this.created = created;
    }

    private TreeRecord copy() {
      TreeRecord copy = new TreeRecord(created);
      copy.components.putAll(components);
      copy.durableLsn = durableLsn;
      copy.description = description;
      copy.directory = directory;
      return copy;
    }

    public int treeId() {
      return created.treeId();
    }

    public String name() {
      return created.name();
    }

    public int keyPrefixLength() {
      return created.keyPrefixLength();
    }

    /** What its owner says that it is for; empty if it has no owner. */
    public String description() {
      return description;
    }

    /** Number of the data directory where its components are; 0 is that of the database. */
    public int directory() {
      return directory;
    }

    /** Components by file id. */
    public Collection<ComponentRecord> components() {
      return components.values();
    }

    /** Every write up to and including it is in the components; -1 if there was none. */
    public long durableLsn() {
      return durableLsn;
    }
  }

  private final TreeMap<Integer, TreeRecord> trees = new TreeMap<>();
  private final TreeMap<Integer, Long> dropped = new TreeMap<>();
  private @Nullable DatabaseIdentity identity;
  private int nextTreeId = 1;
  private int nextFileId = 1;
  private int nextDirectory = 1;
  private long truncationLsn;
  private boolean sealed;

  /** Applies an edit; an edit that does not fit is an error of the writer or a damaged file. */
  void apply(ManifestEdit edit) {
    for (Change change : edit.changes()) {
      apply(change);
    }
  }

  /**
   * Tries an edit on a copy of what it touches.
   *
   * @throws AssertionError if it does not fit; on disk it would make the manifest unreadable
   */
  void requireFits(ManifestEdit edit) {
    ManifestState copy = new ManifestState();
    for (Change change : edit.changes()) {
      if (change instanceof CreateTree c && c.treeId() < nextTreeId) {
        throw new AssertionError(c + ": ids below " + nextTreeId + " were used");
      }
      TreeRecord tree = trees.get(change.treeId());
      if (tree != null) {
        copy.trees.put(change.treeId(), tree.copy());
      }
    }
    try {
      copy.apply(edit);
    } catch (IllegalStateException e) {
      throw new AssertionError("an edit that does not fit was not written: " + edit, e);
    }
  }

  /** Notes what a reader must know from now on. */
  void addFeatures(long features) {
    identity = identity().with(features);
  }

  /** Keeps the numbers of data directories below this one. */
  void reserveDirectories(int next) {
    nextDirectory = Math.max(nextDirectory, next);
    addFeatures(DatabaseIdentity.DIRECTORIES);
  }

  /** What a reader of an edit must know beside what a reader of the state must know. */
  long newFeatures(ManifestEdit edit) {
    long features = 0;
    for (Change change : edit.changes()) {
      if (change instanceof DescribeTree) {
        features |= DatabaseIdentity.DESCRIPTIONS;
      } else if (change instanceof PlaceTree || change instanceof ReserveDirectories) {
        features |= DatabaseIdentity.DIRECTORIES;
      }
    }
    return features & ~identity().featureBits();
  }

  private void apply(Change change) {
    sealed = false;
    if (change instanceof Identity i) {
      identity = i.identity();
    } else if (change instanceof CreateTree c) {
      demand(trees.put(c.treeId(), new TreeRecord(c)) == null, "tree created twice: ", c);
      nextTreeId = Math.max(nextTreeId, c.treeId() + 1);
    } else if (change instanceof DescribeTree d) {
      known(d.treeId(), "a description").description = d.description();
    } else if (change instanceof PlaceTree p) {
      demand(p.directory() > 0, "a tree in directory ", p.directory());
      known(p.treeId(), "a place").directory = p.directory();
      nextDirectory = Math.max(nextDirectory, p.directory() + 1);
    } else if (change instanceof ReserveDirectories r) {
      nextDirectory = Math.max(nextDirectory, r.next());
    } else if (change instanceof DropTree d) {
      // Unknown in the first edit of a file, which no longer has the tree.
      trees.remove(d.treeId());
      dropped.put(d.treeId(), d.lsn());
      nextTreeId = Math.max(nextTreeId, d.treeId() + 1);
    } else if (change instanceof ReplaceComponents r) {
      replace(r);
    } else if (change instanceof ReserveIds r) {
      nextFileId = Math.max(nextFileId, r.nextFileId());
      nextTreeId = Math.max(nextTreeId, r.nextTreeId());
    } else if (change instanceof Truncate t) {
      // Of two flushes at once the later one may know less: what was truncated is gone.
      truncationLsn = Math.max(truncationLsn, t.lsn());
      dropped.values().removeIf(lsn -> lsn < truncationLsn);
    } else if (change instanceof Seal) {
      sealed = true;
    }
  }

  private void replace(ReplaceComponents r) {
    TreeRecord tree = known(r.treeId(), "components");
    for (int fileId : r.removed()) {
      demand(tree.components.remove(fileId) != null, "removed unknown component ", fileId);
    }
    for (ComponentRecord c : r.added()) {
      demand(tree.components.put(c.meta().fileId(), c) == null, "component added twice: ", c);
    }
    tree.durableLsn = Math.max(tree.durableLsn, r.durableLsn());
  }

  private TreeRecord known(int treeId, String what) {
    TreeRecord tree = trees.get(treeId);
    if (tree == null) {
      throw new IllegalStateException(what + " for unknown tree " + treeId);
    }
    return tree;
  }

  private static void demand(boolean condition, String fault, Object subject) {
    if (!condition) {
      throw new IllegalStateException(fault + subject);
    }
  }

  /**
   * The whole state as one edit.
   *
   * @param identity instead of its own
   */
  ManifestEdit snapshot(DatabaseIdentity identity) {
    List<Change> changes = new ArrayList<>();
    changes.add(new Identity(identity));
    changes.add(new ReserveIds(nextFileId, nextTreeId));
    if (nextDirectory > 1) {
      changes.add(new ReserveDirectories(nextDirectory));
    }
    for (TreeRecord tree : trees.values()) {
      changes.add(tree.created);
      if (!tree.description.isEmpty()) {
        changes.add(new DescribeTree(tree.treeId(), tree.description));
      }
      if (tree.directory > 0) {
        changes.add(new PlaceTree(tree.treeId(), tree.directory));
      }
      changes.add(
          new ReplaceComponents(
              tree.treeId(), List.of(), List.copyOf(tree.components.values()), tree.durableLsn));
    }
    changes.add(new Truncate(truncationLsn));
    for (Map.Entry<Integer, Long> d : dropped.entrySet()) {
      changes.add(new DropTree(d.getKey(), d.getValue()));
    }
    return new ManifestEdit(changes);
  }

  public DatabaseIdentity identity() {
    if (identity == null) {
      throw new IllegalStateException("the manifest has no identity");
    }
    return identity;
  }

  boolean hasIdentity() {
    return identity != null;
  }

  /** Trees by id. */
  public Collection<TreeRecord> trees() {
    return trees.values();
  }

  /** Whether a tree that is not here was dropped, so that its log records are to be skipped. */
  public boolean wasDropped(int treeId) {
    return dropped.containsKey(treeId);
  }

  /** Dropped trees that the log may still name, with the LSN below which it does. */
  public Map<Integer, Long> dropped() {
    return Collections.unmodifiableMap(dropped);
  }

  /** The id for the next tree; ids are never used again. */
  public int nextTreeId() {
    return nextTreeId;
  }

  public int nextFileId() {
    return nextFileId;
  }

  /** The number for the next additional data directory; numbers are never used again. */
  public int nextDirectory() {
    return nextDirectory;
  }

  public long truncationLsn() {
    return truncationLsn;
  }

  /** The largest LSN in any component, -1 if there is none; the log was forced through it. */
  public long maxComponentLsn() {
    long max = -1;
    for (TreeRecord tree : trees.values()) {
      max = Math.max(max, tree.durableLsn);
      for (ComponentRecord c : tree.components.values()) {
        max = Math.max(max, c.meta().lsns().max());
      }
    }
    return max;
  }

  /** Whether the last edit was a clean close. */
  public boolean sealed() {
    return sealed;
  }

  /** Names of the files of all components in a data directory. */
  public Set<String> tableFiles(int directory) {
    Set<String> names = new HashSet<>();
    for (TreeRecord tree : trees()) {
      if (tree.directory() == directory) {
        tree.components().forEach(component -> names.add(component.meta().fileName()));
      }
    }
    return names;
  }
}
