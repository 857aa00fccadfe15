package org.loam.common.sim;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that simulated threads run on, one after the other: a life of a small database is
 * shorter than the start of its threads. It ends when it has had nothing to do for a while.
 */
final class Carrier extends Thread {
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final ConcurrentLinkedDeque<Carrier> FREE = new ConcurrentLinkedDeque<>();

  private final AtomicReference<@Nullable Runnable> work = new AtomicReference<>();

  private Carrier() {
    setDaemon(true);
  }

  /** A carrier that runs {@code body} as soon as it is unparked, or earlier. */
  static Carrier of(String name, Runnable body) {
    Carrier free = FREE.pollFirst();
    Carrier carrier = free == null ? new Carrier() : free;
    carrier.setName(name);
    carrier.work.set(body);
    if (free == null) {
      carrier.start();
    }
    return carrier;
  }

  /** Lets others use it; the body has returned, or is about to. */
  void free() {
    FREE.addFirst(this);
  }

  @Override
  public void run() {
    while (true) {
      Runnable body = work.getAndSet(null);
      if (body != null) {
        body.run();
        continue;
      }
      LockSupport.parkNanos(this, IDLE_NANOS);
      Thread.interrupted();
      if (work.get() == null && FREE.remove(this)) {
        return;
      }
    }
  }
}
