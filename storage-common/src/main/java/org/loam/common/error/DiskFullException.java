package org.loam.common.error;

/** The file system has no room for the write; reads go on, and writes resume when space is back. */
public final class DiskFullException extends StorageException {
  private static final long serialVersionUID = 1L;

  private final long neededBytes;
  private final long freeBytes;

  /**
   * @param neededBytes bytes the write needed, or -1 when unknown
   * @param freeBytes bytes the file system had free, or -1 when unknown
   */
  public DiskFullException(String message, long neededBytes, long freeBytes) {
    super(message);
    this.neededBytes = neededBytes;
    this.freeBytes = freeBytes;
  }

  public long neededBytes() {
    return neededBytes;
  }

  public long freeBytes() {
    return freeBytes;
  }
}
