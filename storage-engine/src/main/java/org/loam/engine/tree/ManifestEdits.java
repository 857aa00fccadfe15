package org.loam.engine.tree;

import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.error.FencedException;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageException;
import org.loam.engine.commit.CommitLatch;
import org.loam.log.CommitLog;
import org.loam.lsm.LsmTree;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestState;

/** Commits edits of the manifest while the directory is this engine's. Thread-safe. */
public final class ManifestEdits {
  private final Manifest manifest;
  private final DirectoryLock lock;
  private final CommitLog log;
  private final CommitLatch latch;

  public ManifestEdits(Manifest manifest, DirectoryLock lock, CommitLog log, CommitLatch latch) {
    this.manifest = manifest;
    this.lock = lock;
    this.log = log;
    this.latch = latch;
  }

  /** Where a replay would begin now. */
  long truncationLsn() {
    return manifest.read(ManifestState::truncationLsn);
  }

  /** The id of the next tree that is created. */
  int nextTreeId() {
    return manifest.read(ManifestState::nextTreeId);
  }

  /**
   * Commits an edit and lets the log know how much of the manifest counts.
   *
   * @throws FencedException if it is unknown whether it counts, or another process has taken the
   *     directory; the engine is fenced then, as by an {@link Error}
   */
  void commit(ManifestEdit edit) {
    try {
      commitOwn(edit);
      mark();
    } catch (FencedException | Error e) {
      latch.fence(e);
      throw e;
    }
  }

  /** Lets the log know how much of the manifest counts. */
  public void mark() {
    // Read outside of the latch, which never waits for the manifest. A mark that comes too late
    // only says less.
    long fileNumber = manifest.fileNumber();
    long forcedBytes = manifest.forcedBytes();
    latch.underLatch(() -> log.mark(fileNumber, forcedBytes));
  }

  /** Whether the manifest has a tree. */
  boolean hasTree(LsmTree tree) {
    return manifest.read(
        state -> state.trees().stream().anyMatch(record -> record.treeId() == tree.treeId()));
  }

  /** Commits while the directory is this engine's: another owner would not see the edit. */
  private void commitOwn(ManifestEdit edit) {
    try {
      lock.verify();
    } catch (InUseException e) {
      throw new FencedException("nothing was changed: " + e.getMessage(), e);
    }
    manifest.commit(edit);
    try {
      // An edit that another owner did not read must have no consequences, such as files that are
      // deleted.
      lock.verify();
    } catch (StorageException e) {
      throw new FencedException("it is not known whether an edit counts: " + e.getMessage(), e);
    }
  }
}
