package org.loam.common.error;

/**
 * A fault of the storage, told apart by what the caller can do about it. Caller mistakes are {@link
 * IllegalArgumentException}; broken invariants are {@link AssertionError}.
 *
 * <p>Every message names the thing, the value and the remedy.
 */
public abstract sealed class StorageException extends RuntimeException
    permits StorageIoException,
        CorruptionException,
        FencedException,
        DiskFullException,
        DeadlineException,
        InUseException,
        UnsupportedFormatException,
        ClosedException {
  private static final long serialVersionUID = 1L;

  StorageException(String message, Throwable cause) {
    super(message, cause);
  }

  StorageException(String message) {
    super(message);
  }
}
