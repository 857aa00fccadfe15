package org.loam.workbench.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a command keeps its databases: the user's choice, or a new directory under {@code .loam} of
 * the project (set by the launcher in {@code loam.home}), not the system's temporary directory,
 * which may be memory. Removed on close, and when the process is interrupted; of a directory that
 * was there before, its files are: it may be where a file system is mounted.
 */
public final class WorkDirectory implements AutoCloseable {
  private final Path path;
  private final boolean wasThere;
  private volatile boolean keep;
  private final Thread hook;

  private WorkDirectory(Path path, boolean wasThere, boolean keep) {
    this.path = path;
    this.wasThere = wasThere;
    this.keep = keep;
    this.hook = new Thread(this::removeAtExit, "remove work directory");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Where directories of ours are; it need not exist. */
  public static Path home() {
    return Path.of(System.getProperty("loam.home", ""), ".loam").toAbsolutePath();
  }

  /**
   * Creates the directory.
   *
   * @param chosen by the user, empty or not yet there; null for a new one of ours
   * @param name of the command, for a new one
   * @param keep whether it stays when the command ends
   * @throws CommandException if the chosen one is no empty directory or cannot be made
   */
  public static WorkDirectory create(@Nullable Path chosen, String name, boolean keep) {
    try {
      if (chosen == null) {
        Path parent = home();
        Files.createDirectories(parent);
        return new WorkDirectory(Files.createTempDirectory(parent, name + "-"), false, keep);
      }
      if (Files.exists(chosen)) {
        return new WorkDirectory(requireEmpty(chosen.toRealPath()), true, keep);
      }
      Path path = chosen.toAbsolutePath().normalize();
      Files.createDirectories(path);
      return new WorkDirectory(path, false, keep);
    } catch (NotDirectoryException e) {
      throw CommandException.environment(
          e.getMessage() + " is not a directory; name another with --directory", e);
    } catch (IOException e) {
      throw CommandException.environment(
          "cannot make a work directory (" + e + "); name another with --directory", e);
    }
  }

  public Path path() {
    return path;
  }

  /** Lets it stay when the command ends, to find out what went wrong. */
  public void keep() {
    keep = true;
  }

  /**
   * Refuses to start what cannot end.
   *
   * @throws CommandException if less is free
   */
  public void requireFreeBytes(long neededBytes) {
    try {
      long freeBytes = Files.getFileStore(path).getUsableSpace();
      if (freeBytes < neededBytes) {
        throw CommandException.environment(
            String.format(
                Locale.ROOT,
                "%s has %d MiB free, %d MiB are needed; free some, or name another --directory",
                path,
                freeBytes >> 20,
                neededBytes >> 20));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a tree of files; what is not there is fine. */
  public static void delete(Path tree) {
    try {
      Files.walkFileTree(
          tree,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
                throws IOException {
              if (e != null) {
                throw e;
              }
              Files.deleteIfExists(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Shutting down already: the hook finds nothing left.
    }
  }

  private void remove() {
    if (keep) {
      return;
    }
    if (wasThere) {
      deleteFiles(path);
    } else {
      delete(path);
    }
  }

  private static void deleteFiles(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(WorkDirectory::delete);
    } catch (NoSuchFileException e) {
      // It was removed in the meantime.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A child process may still be ending and writing; so try for a second, then leave it. */
  private void removeAtExit() {
    for (int attempt = 0; attempt < 20; attempt++) {
      try {
        remove();
        return;
      } catch (UncheckedIOException e) {
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  private static Path requireEmpty(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    try (Stream<Path> entries = Files.list(directory)) {
      if (entries.findAny().isPresent()) {
        throw CommandException.environment(
            "directory "
                + directory
                + " is not empty; name an empty or a new one with --directory");
      }
    }
    return directory;
  }
}
