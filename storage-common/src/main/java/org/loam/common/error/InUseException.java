package org.loam.common.error;

/** Another engine holds the directory. */
public final class InUseException extends StorageException {
  private static final long serialVersionUID = 1L;

  public InUseException(String message) {
    super(message);
  }

  public InUseException(String message, Throwable cause) {
    super(message, cause);
  }
}
