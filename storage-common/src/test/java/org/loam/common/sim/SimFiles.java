package org.loam.common.sim;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.InUseException;

/** The simulated disk, as one process sees it. */
final class SimFiles implements StorageFiles {
  private final SimIo io;
  private final SimDisk disk;
  private final Set<Path> locked = new HashSet<>();

  SimFiles(SimIo io) {
    this.io = io;
    this.disk = io.disk();
  }

  @Override
  public StorageFile open(Path path, Mode mode) {
    boolean create = mode == Mode.CREATE || mode == Mode.CREATE_BUFFERED;
    boolean buffered = mode == Mode.CREATE_BUFFERED || mode == Mode.WRITE_BUFFERED;
    io.beginPlain(create ? IoKind.CREATE : IoKind.OPEN, path);
    SimInode inode = disk.find(path);
    if (create) {
      if (inode != null) {
        throw disk.refusal("create", path, "it exists already");
      }
      checkDirectoryOf("create", path);
      inode = disk.createFile(path);
    } else if (inode == null) {
      throw disk.refusal("open", path, "it does not exist");
    } else if (inode.directory) {
      throw disk.refusal("open", path, "it is a directory");
    }
    StorageFile file = new SimFile(io, inode, path, !mode.isReadOnly(), buffered);
    io.end();
    return file;
  }

  @Override
  public boolean exists(Path path) {
    io.baton().step("exists", path.toString(), 0, 0);
    return disk.find(path) != null;
  }

  @Override
  public Path realPath(Path path) {
    return SimDisk.key(path);
  }

  @Override
  public List<String> list(Path directory) {
    io.beginPlain(IoKind.LIST, directory);
    checkDirectory("list", directory);
    List<String> names = disk.list(directory);
    io.end();
    return names;
  }

  @Override
  public void createDirectories(Path directory) {
    io.beginPlain(IoKind.MAKE_DIRECTORY, directory);
    createMissing(SimDisk.key(directory));
    io.end();
  }

  private void createMissing(@Nullable Path directory) {
    if (directory == null) {
      return;
    }
    SimInode inode = disk.find(directory);
    if (inode == null) {
      createMissing(directory.getParent());
      disk.createDirectory(directory);
    } else if (!inode.directory) {
      throw disk.refusal("create directory", directory, "it exists already");
    }
  }

  @Override
  public void rename(Path from, Path to) {
    io.beginPlain(IoKind.RENAME, from);
    SimInode inode = disk.find(from);
    SimInode target = disk.find(to);
    if (inode == null) {
      throw disk.refusal("rename", from, "it does not exist");
    }
    if (inode.directory || (target != null && target.directory)) {
      throw disk.refusal("rename", from, "the simulation renames no directories");
    }
    checkDirectoryOf("rename to " + to, from, to);
    if (inode != target) {
      disk.rename(from, to, inode);
    }
    io.end();
  }

  @Override
  public boolean link(Path existing, Path link) {
    FaultEffect effect = io.begin(IoKind.LINK, link, link.toString(), 0, 0);
    SimInode inode = disk.find(existing);
    Path parent = SimDisk.key(link).getParent();
    SimInode directory = parent == null ? null : disk.find(parent);
    if (effect != null
        || inode == null
        || inode.directory
        || directory == null
        || !directory.directory
        || disk.find(link) != null) {
      return false;
    }
    disk.link(link, inode);
    io.end();
    return true;
  }

  @Override
  public void delete(Path path) {
    io.beginPlain(IoKind.DELETE, path);
    SimInode inode = disk.find(path);
    if (inode == null) {
      throw disk.refusal("delete", path, "it does not exist");
    }
    if (inode.directory && !disk.list(path).isEmpty()) {
      throw disk.refusal("delete", path, "the directory is not empty");
    }
    disk.delete(path, inode);
    io.end();
  }

  @Override
  public void forceDirectory(Path directory) {
    io.beginPlain(IoKind.FORCE_DIRECTORY, directory);
    checkDirectory("force directory", directory);
    disk.forceDirectory(directory);
    io.end();
  }

  @Override
  public long usableBytes(Path path) {
    io.baton().step("usable", path.toString(), 0, 0);
    return disk.freeBytes();
  }

  @Override
  public DirectoryLock lock(Path file) {
    io.beginPlain(IoKind.LOCK, file);
    Path key = SimDisk.key(file);
    if (locked.contains(key)) {
      throw new InUseException("the directory is in use: " + file + " is held by this process");
    }
    if (disk.find(file) == null) {
      checkDirectoryOf("lock", file);
      disk.createFile(file);
    }
    locked.add(key);
    io.end();
    return new SimLock(key);
  }

  /** Cannot be lost: there is one process. */
  private final class SimLock implements DirectoryLock {
    private final Path key;

    SimLock(Path key) {
      this.key = key;
    }

    @Override
    public void verify() {}

    @Override
    public void onLost(Consumer<InUseException> listener) {}

    @Override
    public void close() {
      io.baton().step("unlock", key.toString(), 0, 0);
      locked.remove(key);
    }
  }

  private void checkDirectoryOf(String what, Path path) {
    checkDirectoryOf(what, path, path);
  }

  private void checkDirectoryOf(String what, Path path, Path inDirectory) {
    Path parent = SimDisk.key(inDirectory).getParent();
    SimInode directory = parent == null ? null : disk.find(parent);
    if (directory == null || !directory.directory) {
      throw disk.refusal(what, path, "its directory does not exist");
    }
  }

  private void checkDirectory(String what, Path directory) {
    SimInode inode = disk.find(directory);
    if (inode == null) {
      throw disk.refusal(what, directory, "it does not exist");
    }
    if (!inode.directory) {
      throw disk.refusal(what, directory, "it is not a directory");
    }
  }
}
