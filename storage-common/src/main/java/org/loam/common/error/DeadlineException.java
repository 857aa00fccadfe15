package org.loam.common.error;

/** The operation's deadline passed before it could be admitted; nothing was written. */
public final class DeadlineException extends StorageException {
  private static final long serialVersionUID = 1L;

  public DeadlineException(String message) {
    super(message);
  }

  public DeadlineException(String message, Throwable cause) {
    super(message, cause);
  }
}
