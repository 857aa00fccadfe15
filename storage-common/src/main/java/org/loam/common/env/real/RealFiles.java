package org.loam.common.env.real;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.PageCacheUse;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageIoException;

/**
 * The operating system's files. Whether a directory takes direct I/O is found out when its first
 * file is opened; where it does not, files are opened buffered and a warning is logged once.
 */
public final class RealFiles implements StorageFiles {
  private static final Logger LOG = LogManager.getLogger(RealFiles.class);

  private final PageCacheUse pageCache;
  private final ConcurrentMap<Path, Boolean> directByDirectory = new ConcurrentHashMap<>();

  /** Files that bypass the page cache wherever the file system allows it. */
  public RealFiles() {
    this(PageCacheUse.NONE);
  }

  /**
   * Files of which some go through the operating system's page cache even where it could be
   * bypassed.
   */
  public RealFiles(PageCacheUse pageCache) {
    this.pageCache = pageCache;
  }

  /**
   * Whether files of the directory bypass the page cache; false too before the first was opened.
   */
  public boolean isDirect(Path directory) {
    return directByDirectory.getOrDefault(directory.toAbsolutePath(), false);
  }

  @Override
  public StorageFile open(Path path, Mode mode) {
    boolean create = mode == Mode.CREATE || mode == Mode.CREATE_BUFFERED;
    Set<OpenOption> options = new HashSet<>();
    options.add(StandardOpenOption.READ);
    if (!mode.isReadOnly()) {
      options.add(StandardOpenOption.WRITE);
    }
    try {
      if (wantsDirect(mode)) {
        return openDirectIfPossible(path, options, create);
      }
      return open(path, options, create, false);
    } catch (IOException e) {
      throw IoFaults.onPath(create ? IoFaults.CREATE : "open", path, e);
    }
  }

  private boolean wantsDirect(Mode mode) {
    return switch (mode) {
      case CREATE_BUFFERED, WRITE_BUFFERED -> false;
      case READ_PAGES -> pageCache == PageCacheUse.NONE;
      case READ, CREATE, WRITE -> pageCache != PageCacheUse.ALL;
    };
  }

  private RealFile openDirectIfPossible(Path path, Set<OpenOption> options, boolean create)
      throws IOException {
    Path directory = directoryOf(path);
    Boolean known = directByDirectory.get(directory);
    if (known != null) {
      return open(path, options, create, known);
    }
    // Linux creates a file before it refuses to open it directly, so creating comes first.
    RealFile buffered = open(path, options, create, false);
    boolean keep = false;
    try {
      String refusal = refusal(path, directory, options);
      directByDirectory.put(directory, refusal == null);
      if (refusal == null) {
        RealFile file = open(path, options, false, true);
        keep = true;
        buffered.close();
        return file;
      }
      LOG.warn(
          "No direct I/O in {}, files there go through the page cache: {}", directory, refusal);
      keep = true;
      return buffered;
    } finally {
      if (!keep) {
        buffered.close();
        if (create) {
          // The caller does not know of it.
          Files.deleteIfExists(path);
        }
      }
    }
  }

  /** Why a file that is there cannot be opened directly; null if it can be. */
  private static @Nullable String refusal(Path path, Path directory, Set<OpenOption> options)
      throws IOException {
    long blockBytes = blockBytes(path, directory, options);
    if (blockBytes > ALIGNMENT) {
      return "its blocks have " + blockBytes + " bytes, more than " + ALIGNMENT;
    }
    try (RealFile direct = open(path, options, false, true)) {
      return null;
    } catch (IOException | UnsupportedOperationException e) {
      // If this fails, too, that was for lack of file descriptors, for example.
      try (RealFile one = open(path, options, false, false);
          RealFile two = open(path, options, false, false)) {
        return e.toString();
      }
    }
  }

  private static long blockBytes(Path path, Path directory, Set<OpenOption> options)
      throws IOException {
    try {
      return Files.getFileStore(directory).getBlockSize();
    } catch (IOException e) {
      // For lack of file descriptors it finds no mount point; then this fails, too, and says why.
      open(path, options, false, false).close();
      throw e;
    }
  }

  private static RealFile open(Path path, Set<OpenOption> options, boolean create, boolean direct)
      throws IOException {
    Set<OpenOption> reopenOptions = new HashSet<>(options);
    if (direct) {
      reopenOptions.add(ExtendedOpenOption.DIRECT);
    }
    Set<OpenOption> openOptions = new HashSet<>(reopenOptions);
    if (create) {
      openOptions.add(StandardOpenOption.CREATE_NEW);
    }
    FileHandle handle = FileHandle.open(path, openOptions, reopenOptions);
    boolean writable = options.contains(StandardOpenOption.WRITE);
    FileHandle unalignedWrites = null;
    FileHandle forces = null;
    boolean opened = false;
    try {
      // At once, as the name may come to mean another file.
      unalignedWrites = direct && writable ? FileHandle.open(path, options, options) : null;
      forces = writable ? FileHandle.open(path, options, options) : null;
      opened = true;
      return new RealFile(path, handle, unalignedWrites, forces, direct);
    } finally {
      if (!opened) {
        handle.close();
        if (unalignedWrites != null) {
          unalignedWrites.close();
        }
        if (create) {
          // The caller does not know of it.
          Files.deleteIfExists(path);
        }
      }
    }
  }

  @Override
  public boolean exists(Path path) {
    try {
      Files.readAttributes(path, BasicFileAttributes.class);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw IoFaults.onPath("look for", path, e);
    }
  }

  @Override
  public Path realPath(Path path) {
    Path absolute = path.toAbsolutePath();
    try {
      return absolute.toRealPath();
    } catch (NoSuchFileException e) {
      Path parent = directoryOf(absolute);
      return realPath(parent).resolve(absolute.getFileName()).normalize();
    } catch (IOException e) {
      throw IoFaults.onPath("find out the real path of", path, e);
    }
  }

  @Override
  public List<String> list(Path directory) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        names.add(entry.getFileName().toString());
      }
    } catch (IOException e) {
      throw IoFaults.onPath("list", directory, e);
    } catch (DirectoryIteratorException e) {
      throw IoFaults.onPath("list", directory, Objects.requireNonNull(e.getCause()));
    }
    Collections.sort(names);
    return names;
  }

  @Override
  public void createDirectories(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw IoFaults.onPath(IoFaults.CREATE_DIRECTORY, directory, e);
    }
  }

  @Override
  public void rename(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw IoFaults.onPath("rename to " + to, from, e);
    }
  }

  @Override
  public boolean link(Path existing, Path link) {
    try {
      Files.createLink(link, existing);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("{} is not linked to {}: {}", link, existing, e.toString());
      return false;
    }
  }

  @Override
  public void delete(Path path) {
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw IoFaults.onPath("delete", path, e);
    }
  }

  @Override
  public void forceDirectory(Path directory) {
    try (OpenDirectory open = openDirectory(directory)) {
      open.force();
    }
  }

  @Override
  public OpenDirectory openDirectory(Path directory) {
    FileChannel channel;
    try {
      channel = FileChannel.open(directory, StandardOpenOption.READ);
    } catch (IOException e) {
      throw IoFaults.onPath("open directory", directory, e);
    }
    return new OpenDirectory() {
      @Override
      public void force() {
        try {
          ForceThread.run(() -> channel.force(true));
        } catch (IOException e) {
          throw IoFaults.onPath("force directory", directory, e);
        }
      }

      @Override
      public void close() {
        try {
          channel.close();
        } catch (IOException e) {
          // Nothing was written through it.
          LOG.warn("cannot close {}: {}", directory, e.getMessage());
        }
      }
    };
  }

  @Override
  public long usableBytes(Path path) {
    Path present = Files.exists(path) ? path : directoryOf(path);
    if (!Files.exists(present)) {
      throw new StorageIoException("cannot tell the free space of " + path + ": it does not exist");
    }
    return present.toFile().getUsableSpace();
  }

  @Override
  public DirectoryLock lock(Path file) {
    return RealLock.take(file);
  }

  private static Path directoryOf(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("not a file: " + path);
    }
    return parent;
  }
}
