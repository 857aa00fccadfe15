package org.loam.common.env;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.loam.common.error.InUseException;

/**
 * The only door to the file system. Thread-safe.
 *
 * <p>What is durable when: a file's bytes after {@link StorageFile#force}; its name, a rename or a
 * delete only after {@link #forceDirectory} of the directory that holds it. Every method throws
 * {@link org.loam.common.error.StorageIoException} naming the path when the operating system
 * refuses, and {@link org.loam.common.error.DiskFullException} when space is what is missing.
 */
public interface StorageFiles {
  /** How a file is opened. */
  enum Mode {
    /** Existing, read-only; direct I/O where the file system allows it. */
    READ,
    /** Existing, read-only; direct I/O or not, as is configured for what the buffer cache reads. */
    READ_PAGES,
    /** New (fails if it exists), read and write; direct I/O where the file system allows it. */
    CREATE,
    /** Existing, read and write; direct I/O where the file system allows it. */
    WRITE,
    /** New (fails if it exists), read and write, through the operating system's page cache. */
    CREATE_BUFFERED,
    /** Existing, read and write, through the operating system's page cache. */
    WRITE_BUFFERED;

    /** Whether what is there stays as it is. */
    public boolean isReadOnly() {
      return this == READ || this == READ_PAGES;
    }
  }

  /** Alignment, in bytes, of offsets, lengths and addresses that every file accepts directly. */
  int ALIGNMENT = 4096;

  /** Opens a file. */
  StorageFile open(Path path, Mode mode);

  /**
   * Whether there is something of that name.
   *
   * @throws org.loam.common.error.StorageIoException if that cannot be found out
   */
  boolean exists(Path path);

  /**
   * The one spelling of a path: absolute, and without symbolic links. What of it does not exist is
   * taken as it is.
   *
   * @throws org.loam.common.error.StorageIoException if that cannot be found out
   */
  Path realPath(Path path);

  /** Names (not paths) of the entries of a directory, sorted. */
  List<String> list(Path directory);

  /** Creates a directory and its parents; not durable until the parents are forced. */
  void createDirectories(Path directory);

  /** Renames within one file system, replacing the target atomically. */
  void rename(Path from, Path to);

  /**
   * Gives a file another name in the same file system, durable as a rename is. Both names mean the
   * same bytes, so a file with two names must not be written any more; each name is deleted by
   * itself.
   *
   * @param link a name that does not exist
   * @return false if the file system refused, as between two devices or where files have one name
   *     only; nothing has changed then, and a copy shows any other reason there is
   */
  boolean link(Path existing, Path link);

  /** Deletes a file, or a directory that is empty; it must exist. */
  void delete(Path path);

  /** Makes creations, renames, links and deletions in a directory durable. */
  void forceDirectory(Path directory);

  /**
   * Opens a directory to force it later, where a lack of file descriptors would come too late.
   *
   * @return what {@link #forceDirectory} does, without opening anything
   */
  default OpenDirectory openDirectory(Path directory) {
    return new OpenDirectory() {
      @Override
      public void force() {
        forceDirectory(directory);
      }

      @Override
      public void close() {}
    };
  }

  /** A directory that can be forced until it is closed. */
  interface OpenDirectory extends AutoCloseable {
    /** Makes creations, renames and deletions in the directory durable. */
    void force();

    @Override
    void close();
  }

  /** Bytes that a writer could still allocate on the file system of the path. */
  long usableBytes(Path path);

  /**
   * Takes the directory for this engine, across processes and within this one.
   *
   * @param file the lock file, created if absent
   * @throws InUseException if another engine holds it, naming the holder if known
   */
  DirectoryLock lock(Path file);

  /**
   * Held until closed, or until the process dies. Thread-safe. Operating systems take locks away in
   * ways that a process does not notice, so the owner looks after its lock before it changes what
   * another owner would rely on.
   */
  interface DirectoryLock extends AutoCloseable {
    /**
     * Makes sure that the directory is still this owner's. Costs a few system calls.
     *
     * @throws InUseException if another process has taken it; from then on always
     * @throws org.loam.common.error.StorageIoException if that cannot be found out now
     */
    void verify();

    /** Sets what is told, on another thread and soon, that the directory was taken away. */
    void onLost(Consumer<InUseException> listener);

    @Override
    void close();
  }
}
