package org.loam.common.error;

/** The operating system refused a read, write or force; the same call may succeed later. */
public final class StorageIoException extends StorageException {
  private static final long serialVersionUID = 1L;

  public StorageIoException(String message) {
    super(message);
  }

  public StorageIoException(String message, Throwable cause) {
    super(message, cause);
  }
}
