package org.loam.common.env;

import java.nio.file.Path;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/** A file of bytes on the heap, to be damaged at will. */
public final class HeapFile implements ReadOnlyFile {
  /** What is in it. */
  public byte[] bytes;

  private final Path path;

  public HeapFile(Path path, byte[] bytes) {
    this.path = path;
    this.bytes = bytes;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long sizeBytes() {
    return bytes.length;
  }

  @Override
  public void read(long offset, long address, int length) {
    if (offset < 0 || offset + length > bytes.length) {
      throw new StorageIoException(path + ": read past the end");
    }
    Mem.copyIn(bytes, Math.toIntExact(offset), address, length);
  }
}
