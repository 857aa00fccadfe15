package org.loam.lsm.disk;

import java.nio.file.Path;
import java.util.List;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageIoException;

/** Real files of which one call that changes the disk fails. */
final class FaultyFiles implements StorageFiles {
  /** How the call fails. */
  enum Fault {
    DISK_FULL,
    IO_ERROR,
    /** Half of the bytes are written, then an error. */
    SHORT_WRITE
  }

  private final StorageFiles files;
  private final Fault fault;
  private int callsLeft;

  /**
   * @param failing 1-based number of the write, force or creation that fails
   */
  FaultyFiles(StorageFiles files, Fault fault, int failing) {
    this.files = files;
    this.fault = fault;
    this.callsLeft = failing;
  }

  boolean fired() {
    return callsLeft <= 0;
  }

  private boolean isDue() {
    callsLeft--;
    return callsLeft == 0;
  }

  private RuntimeException fault(Path path) {
    return fault == Fault.DISK_FULL
        ? new DiskFullException(path + ": injected", -1, -1)
        : new StorageIoException(path + ": injected");
  }

  @Override
  public StorageFile open(Path path, Mode mode) {
    if (mode == Mode.CREATE && isDue()) {
      throw fault(path);
    }
    return new FaultyFile(files.open(path, mode));
  }

  private final class FaultyFile implements StorageFile {
    private final StorageFile file;

    FaultyFile(StorageFile file) {
      this.file = file;
    }

    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public long sizeBytes() {
      return file.sizeBytes();
    }

    @Override
    public void read(long offset, long address, int length) {
      file.read(offset, address, length);
    }

    @Override
    public void write(long offset, long address, int length) {
      if (isDue()) {
        if (fault == Fault.SHORT_WRITE) {
          file.write(offset, address, length / 2);
        }
        throw fault(path());
      }
      file.write(offset, address, length);
    }

    @Override
    public void force() {
      if (isDue()) {
        throw fault(path());
      }
      file.force();
    }

    @Override
    public void truncate(long sizeBytes) {
      file.truncate(sizeBytes);
    }

    @Override
    public Mapping map(long offset, long length) {
      return file.map(offset, length);
    }

    @Override
    public void close() {
      file.close();
    }
  }

  @Override
  public boolean exists(Path path) {
    return files.exists(path);
  }

  @Override
  public List<String> list(Path directory) {
    return files.list(directory);
  }

  @Override
  public void createDirectories(Path directory) {
    files.createDirectories(directory);
  }

  @Override
  public void rename(Path from, Path to) {
    files.rename(from, to);
  }

  @Override
  public void delete(Path path) {
    files.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) {
    files.forceDirectory(directory);
  }

  @Override
  public long usableBytes(Path path) {
    return files.usableBytes(path);
  }

  @Override
  public DirectoryLock lock(Path file) {
    return files.lock(file);
  }
}
