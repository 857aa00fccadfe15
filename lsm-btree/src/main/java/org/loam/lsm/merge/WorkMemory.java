package org.loam.lsm.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.FixedMemory;
import org.loam.lsm.disk.WriterMemory;

/**
 * The off-heap buffers of flushes, merges and loads, allocated once: an operation takes a set when
 * it starts and gives it back when it ends, so that background work has a bound too. Thread-safe.
 */
public final class WorkMemory {
  /**
   * The buffers of one operation.
   *
   * @param writer for the table being written
   * @param input address of the buffers for reading, aligned to 4096; 0 if there are none
   * @param inputBytes their size together
   */
  public record Lease(WriterMemory writer, long input, int inputBytes) {}

  /**
   * Sizes of one set of buffers.
   *
   * @param pagesBytes each write to disk
   * @param workBytes key hashes and separators of a table
   * @param inputBytes all reading, 0 for flushes; for a load one key
   */
  public record Sizes(int pagesBytes, int workBytes, int inputBytes) {
    public long totalBytes() {
      return (long) pagesBytes + workBytes + inputBytes;
    }
  }

  private final int inputBytes;

  @GuardedBy("this")
  private final ArrayDeque<Lease> free = new ArrayDeque<>();

  /** Allocates {@code count} sets. */
  public WorkMemory(FixedMemory memory, String name, int count, Sizes sizes) {
    this.inputBytes = sizes.inputBytes();
    for (int i = 0; i < count; i++) {
      long address = memory.allocate(name + " " + i, sizes.totalBytes(), 4096);
      long work = address + sizes.pagesBytes();
      long input = sizes.inputBytes() == 0 ? 0 : work + sizes.workBytes();
      free.add(
          new Lease(
              new WriterMemory(address, sizes.pagesBytes(), work, sizes.workBytes()),
              input,
              sizes.inputBytes()));
    }
  }

  /** Size of the buffers for reading in one set. */
  public int inputBytes() {
    return inputBytes;
  }

  /** Takes a set; null if all are in use. */
  public synchronized @Nullable Lease take() {
    return free.pollFirst();
  }

  /** Gives a set back. */
  public synchronized void give(Lease lease) {
    free.addFirst(lease);
  }
}
