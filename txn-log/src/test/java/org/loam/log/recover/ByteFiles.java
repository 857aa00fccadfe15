package org.loam.log.recover;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.loam.common.env.HeapFile;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageIoException;

/** Files of one directory as byte arrays, for reading only. */
final class ByteFiles implements StorageFiles {
  final TreeMap<String, byte[]> files = new TreeMap<>();

  @Override
  public StorageFile open(Path path, Mode mode) {
    byte[] bytes = files.get(path.getFileName().toString());
    if (mode != Mode.READ || bytes == null) {
      throw new StorageIoException(path + ": cannot open for " + mode);
    }
    return new HeapFile(path, bytes);
  }

  @Override
  public boolean exists(Path path) {
    return true;
  }

  @Override
  public Path realPath(Path path) {
    throw new UnsupportedOperationException();
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
  public boolean link(Path existing, Path link) {
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
