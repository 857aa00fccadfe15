package org.loam.common.mem;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.loam.common.error.ClosedException;

/**
 * The fixed carve-out of the memory budget: named off-heap blocks such as the page table of the
 * cache and the buffers of flushes and merges. They are allocated when the engine opens, counted,
 * and freed together when it closes; total memory = write memory + cache + this. Thread-safe.
 */
public final class FixedMemory implements AutoCloseable {
  /**
   * A block in use.
   *
   * @param name what it is for; several blocks may share one
   * @param address of its first byte
   * @param bytes its size
   */
  public record Block(String name, long address, long bytes) {}

  private final long limitBytes;

  /** By address. */
  @GuardedBy("this")
  private final TreeMap<Long, Block> blocks = new TreeMap<>();

  @GuardedBy("this")
  private long usedBytes;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param limitBytes what all blocks together may take
   */
  public FixedMemory(long limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limitBytes " + limitBytes + ": at least 0");
    }
    this.limitBytes = limitBytes;
  }

  /**
   * Allocates a block of undefined content.
   *
   * @param alignment of the address, a power of two
   * @return its address; owned by this object
   * @throws IllegalArgumentException if the limit does not allow it
   */
  public synchronized long allocate(String name, long bytes, int alignment) {
    if (closed) {
      throw new ClosedException("the fixed memory is closed");
    }
    if (bytes > limitBytes - usedBytes) {
      throw new IllegalArgumentException(
          name
              + ": "
              + bytes
              + " bytes, only "
              + (limitBytes - usedBytes)
              + " of "
              + limitBytes
              + " are left for fixed memory");
    }
    long address = Mem.allocate(bytes, alignment, name);
    blocks.put(address, new Block(name, address, bytes));
    usedBytes += bytes;
    return address;
  }

  /**
   * Frees one block early.
   *
   * @throws AssertionError if there is none at the address
   */
  public synchronized void free(long address) {
    Block block = blocks.remove(address);
    if (block == null) {
      throw new AssertionError(
          "free of 0x" + Long.toHexString(address) + ", which is no block of fixed memory");
    }
    usedBytes -= block.bytes;
    Mem.free(address);
  }

  public long limitBytes() {
    return limitBytes;
  }

  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** The blocks in use, by name, those of one name by size. */
  public synchronized List<Block> blocks() {
    List<Block> list = new ArrayList<>(blocks.values());
    list.sort(Comparator.comparing(Block::name).thenComparing(Block::bytes));
    return list;
  }

  /** Frees every block; no thread may use one any more. Closing twice is harmless. */
  @Override
  public synchronized void close() {
    closed = true;
    blocks.keySet().forEach(Mem::free);
    blocks.clear();
    usedBytes = 0;
  }
}
