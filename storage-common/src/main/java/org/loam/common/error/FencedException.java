package org.loam.common.error;

/** The engine stopped taking writes after a fault that could have lost one; reopen it. */
public final class FencedException extends StorageException {
  private static final long serialVersionUID = 1L;

  public FencedException(String message) {
    super(message);
  }

  public FencedException(String message, Throwable cause) {
    super(message, cause);
  }
}
