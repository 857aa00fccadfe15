package org.loam.lsm.disk;

import java.nio.file.Path;
import org.loam.common.env.StorageFile;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/** A file of bytes on the heap, to be damaged at will. */
final class MemoryFile implements StorageFile {
  byte[] bytes;

  MemoryFile(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public Path path() {
    return Path.of("memory.sst");
  }

  @Override
  public long sizeBytes() {
    return bytes.length;
  }

  @Override
  public void read(long offset, long address, int length) {
    if (offset < 0 || offset + length > bytes.length) {
      throw new StorageIoException(path() + ": read past the end");
    }
    Mem.copyIn(bytes, Math.toIntExact(offset), address, length);
  }

  @Override
  public void write(long offset, long address, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force() {}

  @Override
  public void truncate(long sizeBytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Mapping map(long offset, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
