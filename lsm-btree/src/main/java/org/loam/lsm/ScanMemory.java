package org.loam.lsm;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.loam.lsm.version.DiskVersion;

/**
 * The memory components in a batch of a scan. It copies their next entries inside the memory epoch,
 * and more of them when one turns out to have a greater share in the batch than expected. One
 * thread.
 */
final class ScanMemory {
  private static final MemoryInput[] NONE = {};

  private final LsmTree tree;
  private final ScanProgress scan;
  private final ScanBatch batch;
  private MemoryInput[] inputs = NONE;
  private boolean cutShort;

  ScanMemory(LsmTree tree, ScanProgress scan, ScanBatch batch) {
    this.tree = tree;
    this.scan = scan;
    this.batch = batch;
  }

  /**
   * Copies the next entries; to be called inside the file epoch, and {@link #close} afterwards.
   *
   * @param workspace has the key from which the scan goes on, if there is one
   * @param scratch for the keys that are copied
   * @return the disk part of the same version
   */
  DiskVersion copy(Workspace workspace, MemoryInput.Scratch scratch) {
    cutShort = false;
    TreeServices services = tree.services();
    int slot = services.memoryEpochs().enter();
    try {
      TreeVersion version = tree.version();
      DiskVersion disk = version.diskAt(scan.readLsn());
      List<MemoryChain> chains = version.chains.stream().filter(chain -> !chain.isEmpty()).toList();
      if (!chains.isEmpty()) {
        copy(version, disk, chains, workspace, scratch);
      }
      return disk;
    } finally {
      services.memoryEpochs().exit(slot);
    }
  }

  private void copy(
      TreeVersion version,
      DiskVersion disk,
      List<MemoryChain> chains,
      Workspace workspace,
      MemoryInput.Scratch scratch) {
    int count = chains.size();
    int limitBytes = scan.batchBytes() / count;
    int part = scratch.bytes() / count & -Long.BYTES;
    byte[] start = scan.start();
    MemoryInput[] made = new MemoryInput[count];
    for (int i = 0; i < count; i++) {
      var own = new MemoryInput.Scratch(scratch.address() + (long) i * part, part);
      made[i] = new MemoryInput(chains.get(i), scan, batch, own, new Copies(version, limitBytes));
    }
    inputs = made;
    for (MemoryInput input : inputs) {
      long limit = expected(input.components(), chains, disk);
      if (start == null) {
        input.copyFirst(limitBytes, limit);
      } else {
        boolean isShown = scan.position() != null;
        input.copyFrom(workspace.key(), start.length, isShown, limitBytes, limit);
      }
    }
  }

  /**
   * Copies more, as long as the tree has the version of the first copies and the batch does not
   * have too much that was passed over.
   */
  private final class Copies implements MemoryInput.Source {
    private final TreeVersion version;
    private final int limitBytes;

    Copies(TreeVersion version, int limitBytes) {
      this.version = version;
      this.limitBytes = limitBytes;
    }

    @Override
    public boolean more(MemoryInput input) {
      return inside(
          () -> {
            boolean isWorthwhile = !batch.hasMuchInVain();
            if (isWorthwhile) {
              input.copyMore(limitBytes, 4L * input.copied());
            }
            return isWorthwhile;
          });
    }

    @Override
    public boolean late(MemoryInput input) {
      return inside(input::copyLate);
    }

    private boolean inside(BooleanSupplier copy) {
      TreeServices services = tree.services();
      int slot = services.memoryEpochs().enter();
      try {
        boolean isCopied = tree.version() == version && copy.getAsBoolean();
        cutShort |= !isCopied;
        return isCopied;
      } finally {
        services.memoryEpochs().exit(slot);
      }
    }
  }

  /**
   * As many entries of the batch as the components have a share in all entries, and the usual
   * deviation twice: each copied in vain costs a walk through cold memory.
   */
  private long expected(MemoryChain components, List<MemoryChain> all, DiskVersion disk) {
    if (disk.entries() == 0) {
      return scan.left();
    }
    double entries = disk.entries();
    for (MemoryChain one : all) {
      entries += one.keyCount();
    }
    double rows = Math.min((double) scan.left(), ScanRuns.entriesIn(scan.batchBytes(), disk));
    double share = rows * components.keyCount() / entries;
    return Math.min(scan.left(), (long) (share + 2 * Math.sqrt(share)) + 4);
  }

  /** The components that may have entries, newest first; those without a common key as one. */
  MemoryInput[] inputs() {
    return inputs;
  }

  /**
   * Whether a component has entries, behind those that were shown, that could not be copied any
   * more: the batch must end where the component did.
   */
  boolean isCutShort() {
    return cutShort;
  }

  /** Frees what the inputs have. */
  void close() {
    for (MemoryInput input : inputs) {
      input.close();
    }
    inputs = NONE;
  }
}
