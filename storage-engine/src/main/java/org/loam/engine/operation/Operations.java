package org.loam.engine.operation;

import org.jspecify.annotations.Nullable;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.Epochs;

/**
 * The operations inside the engine, each with a context of its own. Closing refuses new ones with
 * {@link ClosedException} and waits until those inside are out, so nothing is freed under them.
 * Thread-safe.
 */
public final class Operations implements AutoCloseable {
  /** More threads than this at once wait for each other. */
  public static final int MAX_CONCURRENT = 64;

  private final Epochs inside;
  private final @Nullable OperationContext[] contexts = new OperationContext[MAX_CONCURRENT];
  private final int scratchBytes;
  private volatile boolean closing;

  public Operations(Waiter waiter, int scratchBytes) {
    this.inside = new Epochs(waiter, MAX_CONCURRENT);
    this.scratchBytes = scratchBytes;
  }

  /** Refuses what begins from now on, before those inside have ended. */
  public void refuse() {
    closing = true;
  }

  /**
   * Lets pass what begins before the close.
   *
   * @throws ClosedException after {@link #refuse}
   */
  public void requireOpen() {
    if (closing) {
      throw new ClosedException("the engine was closed");
    }
  }

  /** Begins an operation; {@link #exit} must follow. Never held while waiting for others' work. */
  public OperationContext enter() {
    int slot = enterSlot();
    OperationContext context = contexts[slot];
    if (context == null) {
      context = makeContext(slot);
      contexts[slot] = context;
    }
    context.entered++;
    return context;
  }

  /** For the first operation in a slot, which is not inside if there is no memory for it. */
  private OperationContext makeContext(int slot) {
    try {
      return new OperationContext(slot, scratchBytes);
    } catch (Throwable t) {
      inside.exit(slot);
      throw t;
    }
  }

  private int enterSlot() {
    try {
      return inside.enter();
    } catch (ClosedException e) {
      throw new ClosedException("the engine was closed", e);
    }
  }

  public void exit(OperationContext context) {
    inside.exit(context.slot());
  }

  /** Operations that were ever begun; a write that waited counts once more for each attempt. */
  public long entered() {
    long sum = 0;
    for (OperationContext context : contexts) {
      sum += context == null ? 0 : context.entered;
    }
    return sum;
  }

  @Override
  public void close() {
    inside.close();
    for (int i = 0; i < contexts.length; i++) {
      OperationContext context = contexts[i];
      if (context != null) {
        context.workspace.close();
        contexts[i] = null;
      }
    }
  }
}
