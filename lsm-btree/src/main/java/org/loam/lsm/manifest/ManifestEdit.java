package org.loam.lsm.manifest;

import java.util.List;

/**
 * One atomic change of the manifest.
 *
 * @param changes applied in order, together or not at all
 */
public record ManifestEdit(List<Change> changes) {
  public ManifestEdit {
    changes = List.copyOf(changes);
  }

  public static ManifestEdit of(Change... changes) {
    return new ManifestEdit(List.of(changes));
  }

  /** A part of an edit. */
  public sealed interface Change {
    /** The tree it concerns; 0, which is no tree's id, if it concerns none. */
    default int treeId() {
      return 0;
    }
  }

  /** Written once, first. */
  public record Identity(DatabaseIdentity identity) implements Change {}

  /** A tree exists from here on; forced before its first log record. */
  public record CreateTree(int treeId, String name, int keyPrefixLength) implements Change {}

  /**
   * What a tree is for, in words of its owner's; replaces what was said before.
   *
   * @param description empty for a tree that is no part of a dataset
   */
  public record DescribeTree(int treeId, String description) implements Change {}

  /**
   * Where the components of a tree are, for its whole life; 0 without it.
   *
   * @param directory number of an additional data directory, at least 1
   */
  public record PlaceTree(int treeId, int directory) implements Change {}

  /**
   * A tree and its components are gone.
   *
   * @param lsn log records of the tree below it are skipped at replay
   */
  public record DropTree(int treeId, long lsn) implements Change {}

  /**
   * Components of one tree replaced by others.
   *
   * @param durableLsn every write of the tree up to and including it is in components
   */
  public record ReplaceComponents(
      int treeId, List<Integer> removed, List<ComponentRecord> added, long durableLsn)
      implements Change {
    public ReplaceComponents {
      removed = List.copyOf(removed);
      added = List.copyOf(added);
    }
  }

  /**
   * Ids below these may be in use and are never given out again; file ids are reserved in blocks,
   * so that an orphan's id never comes back.
   */
  public record ReserveIds(int nextFileId, int nextTreeId) implements Change {}

  /**
   * Data directories below this number may be there, with trees or without, and no new one gets
   * their number.
   */
  public record ReserveDirectories(int next) implements Change {}

  /** Replay starts here; the log below is not needed. */
  public record Truncate(long lsn) implements Change {}

  /** The database was closed cleanly; nothing follows in this file. */
  public record Seal() implements Change {}
}
