package org.loam.common.sim;

/** How an I/O call fails. */
public enum FaultEffect {
  /**
   * The device refuses; nothing happened. Except for a failed force: each unforced page is then
   * either durable, or will never be, and shows its new or its old bytes at random; the next force
   * succeeds without it.
   */
  IO_ERROR,
  /**
   * No space: a write stops after a part of its bytes; a force leaves what a failed force leaves.
   */
  DISK_FULL,
  /** A write stops after a part of its bytes, and then the device refuses. */
  SHORT_WRITE;

  /** Whether calls of that kind can fail so. */
  public boolean appliesTo(IoKind kind) {
    return switch (this) {
      case IO_ERROR -> true;
      case DISK_FULL ->
          switch (kind) {
            case CREATE, WRITE, FORCE, MAKE_DIRECTORY, RENAME, LINK, FORCE_DIRECTORY -> true;
            default -> false;
          };
      case SHORT_WRITE -> kind == IoKind.WRITE;
    };
  }
}
