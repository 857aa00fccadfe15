package org.loam.common.sim;

import java.util.Arrays;
import org.loam.common.env.StorageFile;
import org.loam.common.mem.Mem;

/**
 * A mapped range: off-heap memory that clients store to unseen. What they stored is found by
 * comparison whenever the file is touched, forced or crashes. Guarded by the baton.
 */
final class SimMapping implements StorageFile.Mapping {
  private final SimInode inode;
  private final long offset;
  private final long lengthBytes;
  private final long memory;
  private final byte[] scratch = new byte[SimInode.PAGE_BYTES];

  SimMapping(SimInode inode, long offset, long lengthBytes) {
    this.inode = inode;
    this.offset = offset;
    this.lengthBytes = lengthBytes;
    this.memory = Mem.allocate(lengthBytes + inPage(offset), SimInode.PAGE_BYTES, "mapped file");
    inode.read(offset, address(), lengthBytes);
    inode.mappings.add(this);
    inode.disk().mappings().add(this);
    inode.disk().openHandle(inode);
  }

  @Override
  public long address() {
    return memory + inPage(offset);
  }

  @Override
  public long lengthBytes() {
    return lengthBytes;
  }

  boolean overlaps(long otherOffset, long otherLength) {
    return otherOffset < offset + lengthBytes && offset < otherOffset + otherLength;
  }

  /** Takes what was stored since the last time into the file. */
  void absorb() {
    boolean stored = false;
    for (long at = offset; at < offset + lengthBytes; ) {
      int from = inPage(at);
      int count = (int) Math.min(SimInode.PAGE_BYTES - from, offset + lengthBytes - at);
      int index = Math.toIntExact(at / SimInode.PAGE_BYTES);
      byte[] page = inode.page(index);
      Mem.copyOut(address() + (at - offset), scratch, 0, count);
      if (!Arrays.equals(scratch, 0, count, page, from, from + count)) {
        byte[] changed = page.clone();
        System.arraycopy(scratch, 0, changed, from, count);
        inode.putPage(index, changed);
        stored = true;
      }
      at += count;
    }
    if (stored) {
      inode.noteDirty(offset, lengthBytes);
    }
  }

  /** Shows bytes of the file that were changed otherwise. */
  void show(long changedOffset, long changedLength) {
    long from = Math.max(changedOffset, offset);
    long changedEnd = changedOffset + Math.min(changedLength, Long.MAX_VALUE - changedOffset);
    long to = Math.min(changedEnd, offset + lengthBytes);
    if (from < to) {
      inode.read(from, address() + (from - offset), to - from);
    }
  }

  /** Absorbs and unmaps; idempotent. */
  @Override
  public void close() {
    if (inode.mappings.remove(this)) {
      absorb();
      inode.disk().mappings().remove(this);
      inode.disk().closeHandle(inode);
      Mem.free(memory);
    }
  }

  /**
   * Cuts the memory off from the file at a crash. The memory itself must stay until the last thread
   * that may store there is gone; see {@link #release}.
   */
  void detach() {
    absorb();
    inode.mappings.remove(this);
  }

  /** Frees the memory of a detached mapping. */
  void release() {
    Mem.free(memory);
  }

  private static int inPage(long offset) {
    return (int) (offset % SimInode.PAGE_BYTES);
  }
}
