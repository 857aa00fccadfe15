package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.Epochs;

/**
 * The operations inside the engine, each with a context of its own. Closing refuses new ones with
 * {@link ClosedException} and waits until those inside are out, so nothing is freed under them.
 * Thread-safe.
 */
final class Operations implements AutoCloseable {
  /** More threads than this at once wait for each other. */
  static final int MAX_CONCURRENT = 64;

  private final Epochs inside;
  private final @Nullable OperationContext[] contexts = new OperationContext[MAX_CONCURRENT];
  private final int scratchBytes;
  private final int pageBytes;

  Operations(Waiter waiter, int scratchBytes, int pageBytes) {
    this.inside = new Epochs(waiter, MAX_CONCURRENT);
    this.scratchBytes = scratchBytes;
    this.pageBytes = pageBytes;
  }

  /** Begins an operation; {@link #exit} must follow. Never held while waiting for others' work. */
  OperationContext enter() {
    int slot = enterSlot();
    OperationContext context = contexts[slot];
    if (context == null) {
      context = new OperationContext(slot, scratchBytes, pageBytes);
      contexts[slot] = context;
    }
    return context;
  }

  private int enterSlot() {
    try {
      return inside.enter();
    } catch (ClosedException e) {
      throw new ClosedException("the engine was closed", e);
    }
  }

  void exit(OperationContext context) {
    inside.exit(context.slot);
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
