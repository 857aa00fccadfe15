package org.loam.common.error;

/** The files were written by a newer version or use a feature that this one lacks. */
public final class UnsupportedFormatException extends StorageException {
  private static final long serialVersionUID = 1L;

  public UnsupportedFormatException(String message) {
    super(message);
  }

  public UnsupportedFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
