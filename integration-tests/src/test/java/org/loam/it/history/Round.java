package org.loam.it.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;
import org.loam.engine.Engine;

/**
 * Clients that work beside each other until a time is over. In an abrupt round the first that sees
 * this closes the engine while the others are inside.
 */
final class Round {
  final Engine engine;
  private final boolean abrupt;
  private final long endNanos;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final AtomicInteger writesDue = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Round(Engine engine, boolean abrupt, long nanos) {
    this.engine = engine;
    this.abrupt = abrupt;
    this.endNanos = System.nanoTime() + nanos;
  }

  /** Whether a client has to end. Closes the engine if it is time. */
  boolean isOver() {
    if (failure.get() != null) {
      return true;
    }
    if (System.nanoTime() < endNanos) {
      return false;
    }
    if (abrupt && closing.compareAndSet(false, true)) {
      engine.close();
      return true;
    }
    return !abrupt;
  }

  /** Lets all clients do nothing but write for a while, so that they meet in fresh memory. */
  void demandWrites(int count) {
    writesDue.set(count);
  }

  /** Whether the next step of a client has to be a write. */
  boolean takeWrite() {
    return writesDue.get() > 0 && writesDue.getAndDecrement() > 0;
  }

  void fail(Throwable t) {
    if (!(t instanceof ClosedException && closing.get())) {
      failure.compareAndSet(null, t);
    }
  }

  /** Lets clients work, and reports what was wrong with their last steps. */
  void run(List<? extends Client> clients) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (Client client : clients) {
      Thread thread = new Thread(() -> client.run(this), "client " + client.number);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable found = failure.get();
    if (found != null) {
      StringBuilder text = new StringBuilder("the last steps of clients; what failed is the cause");
      for (Client client : clients) {
        text.append("\n  client ").append(client.number).append(client.trail.describe(found));
      }
      throw new AssertionError(text.toString(), found);
    }
  }
}
