package org.loam.lsm;

import org.loam.common.env.StorageEnv;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.PagePool;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.visibility.ReadRegistry;
import org.loam.scheduler.work.StallLog;

/**
 * The parts of an engine that its trees share; only the number of the data directory differs. The
 * parts that open and write tables are not here: only {@link ComponentChanges} gets those.
 * Immutable.
 *
 * @param env the outside world
 * @param memory where memory components live
 * @param reads read LSNs in use
 * @param gate when writes may go to disk components
 * @param directory number of the data directory where the tables of the tree are
 * @param stalls where waits of writers are recorded
 * @param backgroundReads reads what scans go on to
 * @param missedKeys learns of keys that had to be read from disk
 */
public record TreeServices(
    StorageEnv env,
    Memory memory,
    ReadRegistry reads,
    CommitGate gate,
    int directory,
    StallLog stalls,
    BackgroundReads backgroundReads,
    MissedKeys missedKeys) {
  /**
   * Memory, and the readers that may be inside it.
   *
   * @param writeMemory pages of all memory components
   * @param pageBytes their size
   * @param memoryEpochs readers of memory components are inside; never during I/O
   * @param fileEpochs readers of tables are inside
   * @param returns learns of memory components that are on their way to be released
   */
  public record Memory(
      PagePool.Quota writeMemory,
      int pageBytes,
      Epochs memoryEpochs,
      Epochs fileEpochs,
      Returns returns) {
    /** Counts the memory of a component that is retired next; returns what was counted. */
    long leave(MemoryComponent component) {
      long bytes = component.usedBytes();
      returns.leaves(bytes);
      return bytes;
    }

    /**
     * Releases a component that no version names any more, when no reader is inside.
     *
     * @param bytes of {@link #leave}
     */
    void retire(MemoryComponent component, long bytes) {
      memoryEpochs.retire(
          () -> {
            component.release();
            returns.returned(bytes);
          });
      memoryEpochs.collect();
    }

    /** Releases a component that was not flushed. */
    void retire(MemoryComponent component) {
      retire(component, leave(component));
    }
  }

  /**
   * Learns of the memory of components that have left their tree: it comes back as soon as no
   * reader is inside. Thread-safe. The caller holds the install lock of the tree or the commit
   * latch, so the methods must not wait.
   */
  public interface Returns {
    /** Ignores all calls. */
    Returns NONE =
        new Returns() {
          @Override
          public void leaves(long bytes) {}

          @Override
          public void returned(long bytes) {}
        };

    /**
     * A component is about to leave its tree, in which it is still found when this is called.
     *
     * @param bytes that will come back
     */
    void leaves(long bytes);

    /**
     * A component was released.
     *
     * @param bytes as told before
     */
    void returned(long bytes);
  }

  /**
   * When writes may leave memory for disk components: the seam to the log, Loam's own or a host's.
   * Thread-safe.
   */
  public interface CommitGate {
    /**
     * Whether a flush of everything below an LSN can start, because no transaction has to end
     * before all of it is published. With a host's log the flush cannot start while a transaction
     * that wrote below the LSN, to any tree, may still roll back. Never goes back to false. Takes
     * no lock of the tree.
     *
     * @param endLsn exclusive
     */
    boolean mayFlush(long endLsn);

    /**
     * Waits until everything below an LSN is in the log for good, and published.
     *
     * @param endLsn exclusive
     * @throws org.loam.common.error.FencedException if it never will be
     */
    void awaitDurable(long endLsn);
  }

  /** Reads what scans go on to, on threads of its own. Thread-safe. */
  @FunctionalInterface
  public interface BackgroundReads {
    /**
     * Has something read soon.
     *
     * @param read run once, on another thread
     * @return false if it is never run
     */
    boolean begin(Runnable read);
  }

  /** Learns of some keys that write memory does not have. Thread-safe. */
  public interface MissedKeys {
    /** Wants to know of none. */
    MissedKeys NONE =
        new MissedKeys() {
          @Override
          public boolean wants(int treeId, long hash) {
            return false;
          }

          @Override
          public void missed(int treeId, long hash, double usedSince) {}
        };

    /**
     * Whether it wants to know of reads of a key; cheap, and always the same of a key.
     *
     * @param hash {@link org.loam.common.codec.Hash64#of} of the key
     */
    boolean wants(int treeId, long hash);

    /**
     * A read of a key that it wants to know of came to a page, which is read from disk, or would be
     * if the cache were so small.
     *
     * @param usedSince other pages used since the last use of the page, infinite if the page is not
     *     in the cache
     */
    void missed(int treeId, long hash, double usedSince);
  }

  Epochs memoryEpochs() {
    return memory.memoryEpochs();
  }

  Epochs fileEpochs() {
    return memory.fileEpochs();
  }
}
