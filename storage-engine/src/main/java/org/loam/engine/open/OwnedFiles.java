package org.loam.engine.open;

import java.nio.file.Path;
import java.util.List;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;

/**
 * Files of a directory that may be taken away: whatever creates, overwrites, renames or deletes one
 * looks after the lock before. So an engine that another one has replaced harms none of the files
 * that this relies on, whichever part of it has not heard of the fence yet. Reads go on.
 * Thread-safe.
 */
public final class OwnedFiles implements StorageFiles {
  private final StorageFiles files;
  private final DirectoryLock lock;

  private OwnedFiles(StorageFiles files, DirectoryLock lock) {
    this.files = files;
    this.lock = lock;
  }

  /** An environment whose files look after a lock, and after no other one any more. */
  static StorageEnv in(StorageEnv env, DirectoryLock lock) {
    StorageFiles files = env.files() instanceof OwnedFiles owned ? owned.files : env.files();
    return new StorageEnv(
        new OwnedFiles(files, lock), env.clock(), env.waiter(), env.tasks(), env.random());
  }

  /** The files without their lock. */
  public StorageFiles files() {
    return files;
  }

  @Override
  public StorageFile open(Path path, Mode mode) {
    if (!mode.isReadOnly()) {
      lock.verify();
    }
    return files.open(path, mode);
  }

  @Override
  public void rename(Path from, Path to) {
    lock.verify();
    files.rename(from, to);
  }

  @Override
  public boolean link(Path existing, Path link) {
    lock.verify();
    return files.link(existing, link);
  }

  @Override
  public void delete(Path path) {
    lock.verify();
    files.delete(path);
  }

  @Override
  public boolean exists(Path path) {
    return files.exists(path);
  }

  @Override
  public Path realPath(Path path) {
    return files.realPath(path);
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
  public void forceDirectory(Path directory) {
    files.forceDirectory(directory);
  }

  @Override
  public OpenDirectory openDirectory(Path directory) {
    return files.openDirectory(directory);
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
