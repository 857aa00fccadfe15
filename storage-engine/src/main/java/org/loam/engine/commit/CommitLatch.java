package org.loam.engine.commit;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.error.FencedException;
import org.loam.log.CommitLog;
import org.loam.lsm.visibility.ReadRegistry;

/**
 * The latch that orders frames, so that LSN order is the order of application, and how far that has
 * come: what is applied, what of it is published, and whether the engine is fenced. Thread-safe.
 *
 * <p>Under the latch nothing waits, and the one I/O call is the log's, which copies a frame into
 * the page cache. What it guards lies in other classes, to which no annotation could name it: their
 * methods that need it say so in words.
 */
public final class CommitLatch {
  private final CommitLog log;
  private final boolean sync;
  private final Runnable releaseWriters;
  private final Consumer<Throwable> onFence;
  private final Monitor latch;
  private final ReadRegistry reads = new ReadRegistry(this::publishedEnd);

  /** Exclusive end of the frames that are applied to all their trees. Written under the latch. */
  private volatile long appliedEnd;

  private volatile boolean running;

  /** The first cause of a fence; null as long as there is none. */
  private final AtomicReference<@Nullable Throwable> fence = new AtomicReference<>();

  private volatile Runnable wakeWaiters = () -> {};
  private volatile Runnable wakeWorkers = () -> {};

  /** Whether there is something new for workers. Under the latch, save after a failure. */
  private volatile boolean hasWork;

  /**
   * @param sync whether a write shows only once it is durable
   * @param releaseWriters lets every writer that waits go on, to be refused
   * @param onFence is told the cause of a fence, perhaps more than once
   */
  public CommitLatch(
      Waiter waiter,
      CommitLog log,
      boolean sync,
      Runnable releaseWriters,
      Consumer<Throwable> onFence) {
    this.log = log;
    this.sync = sync;
    this.releaseWriters = releaseWriters;
    this.onFence = onFence;
    this.latch = waiter.newMonitor("commit latch");
  }

  /** The read LSNs in use. */
  public ReadRegistry reads() {
    return reads;
  }

  /** Whether a write shows only once it is durable. */
  boolean isSync() {
    return sync;
  }

  // ---- The latch.

  void lock() {
    latch.lock();
  }

  void unlock() {
    if (!hasWork) {
      latch.unlock();
      return;
    }
    hasWork = false;
    boolean isWoken = false;
    try {
      latch.unlock();
      wakeWorkers.run();
      isWoken = true;
    } finally {
      if (!isWoken) {
        // The next thread that gives the latch back wakes them.
        hasWork = true;
      }
    }
  }

  /** Sets what runs after work came up under the latch, to wake the threads that do it. */
  public void onWork(Runnable wake) {
    wakeWorkers = wake;
  }

  /**
   * Work came up: the threads that do it are woken when the latch is given back. One that is woken
   * may take the processor of the thread that wakes it, and writers would wait for the latch until
   * that runs again. Under the latch.
   */
  public void noteWork() {
    hasWork = true;
  }

  /** Runs under the latch. */
  public void underLatch(Runnable action) {
    lock();
    try {
      action.run();
    } finally {
      unlock();
    }
  }

  // ---- How far it has come.

  /** Recovery has applied, or is about to apply, everything below an LSN. */
  public void replayed(long endLsn) {
    appliedEnd = endLsn;
  }

  /** Recovery has ended; frames begin at an LSN. */
  public void start(long lsn) {
    appliedEnd = lsn;
    running = true;
    // Writers that wait for background work, which stops now, would wait for ever.
    log.onFenced(this::fence);
  }

  /** A frame is in all its trees, up to its exclusive end. Under the latch. */
  void applied(long endLsn) {
    appliedEnd = endLsn;
  }

  /** Exclusive end of what was applied. */
  public long appliedEnd() {
    return appliedEnd;
  }

  /** Exclusive end of what readers may see. */
  long publishedEnd() {
    // After a fence the durable LSN stays, and with it what readers see.
    return sync && running ? Math.min(appliedEnd, log.durableLsn()) : appliedEnd;
  }

  /** Waits until everything that a reader can have seen by now, published or not, is published. */
  public void awaitPublished() {
    long[] end = new long[1];
    // Outside of the latch a frame may show in trees before it counts as applied.
    underLatch(() -> end[0] = appliedEnd);
    if (sync) {
      log.awaitDurable(end[0], Long.MAX_VALUE);
    }
  }

  /**
   * Waits until everything applied so far is durable. What is made durable without the log comes
   * after it, and must not survive a loss of power that takes a write from before it.
   */
  public void awaitDurable() {
    log.awaitDurable(appliedEnd, Long.MAX_VALUE);
  }

  /** Lets every writer that waits go on, to be refused. */
  void releaseWriters() {
    releaseWriters.run();
  }

  // ---- The fence.

  /**
   * Stops writes for good. Reads go on with what was published. Of several causes the first is
   * kept, and told.
   */
  public void fence(Throwable fault) {
    Throwable before = fence.compareAndExchange(null, fault);
    Throwable cause = before == null ? fault : before;
    log.fence(cause);
    releaseWriters();
    onFence.accept(cause);
    wakeWaiters.run();
  }

  /** Sets what runs after a fence, to wake what waits for background work. */
  public void onFenced(Runnable wake) {
    wakeWaiters = wake;
  }

  public boolean isFenced() {
    return fence.get() != null || log.isFenced();
  }

  /** The first cause of a fence; null if there is none. */
  public @Nullable Throwable fenceCause() {
    return fence.get();
  }

  /**
   * Lets pass what changes something.
   *
   * @throws FencedException after {@link #fence}
   */
  public void requireNotFenced() {
    Throwable cause = fence.get();
    if (cause != null) {
      throw new FencedException(
          "the engine takes no more writes after a fault; close and reopen it: "
              + cause.getMessage(),
          cause);
    }
  }
}
