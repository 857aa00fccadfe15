package org.loam.log.recover;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/** Files of one directory as byte arrays, for reading only. */
final class ByteFiles implements StorageFiles {
  final TreeMap<String, byte[]> files = new TreeMap<>();

  @Override
  public StorageFile open(Path path, Mode mode) {
    byte[] bytes = files.get(path.getFileName().toString());
    if (mode != Mode.READ || bytes == null) {
      throw new StorageIoException(path + ": cannot open for " + mode);
    }
    return new ByteFile(path, bytes);
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record ByteFile(Path path, byte[] bytes) implements StorageFile {
    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public void read(long offset, long address, int length) {
      if (offset < 0 || offset + length > bytes.length) {
        throw new StorageIoException(path + ": read past the end");
      }
      Mem.copyIn(bytes, (int) offset, address, length);
    }

    @Override
    public void write(long offset, long address, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void force() {
      throw new UnsupportedOperationException();
    }

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

  @Override
  public boolean exists(Path path) {
    return true;
  }

  @Override
  public List<String> list(Path directory) {
    return List.copyOf(files.keySet());
  }

  @Override
  public void createDirectories(Path directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void rename(Path from, Path to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void forceDirectory(Path directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long usableBytes(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public DirectoryLock lock(Path file) {
    throw new UnsupportedOperationException();
  }
}
