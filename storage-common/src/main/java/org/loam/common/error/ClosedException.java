package org.loam.common.error;

/** The engine, tree, snapshot or cursor was closed. */
public final class ClosedException extends StorageException {
  private static final long serialVersionUID = 1L;

  public ClosedException(String message) {
    super(message);
  }

  public ClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
