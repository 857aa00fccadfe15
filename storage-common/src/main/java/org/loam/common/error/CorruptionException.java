package org.loam.common.error;

/** A page, log record or manifest edit is not what was written; trying again will not help. */
public final class CorruptionException extends StorageException {
  private static final long serialVersionUID = 1L;

  public CorruptionException(String message) {
    super(message);
  }

  public CorruptionException(String message, Throwable cause) {
    super(message, cause);
  }
}
