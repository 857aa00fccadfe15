package org.loam.common.env.real;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;

/** What the operating system refused, as one of our exceptions. */
final class IoFaults {
  static final String READ = "read";
  static final String WRITE = "write";
  static final String CREATE = "create";
  static final String CREATE_DIRECTORY = "create directory";

  private IoFaults() {}

  /** A refused operation on a name. */
  static StorageException onPath(String operation, Path path, IOException cause) {
    if (saysDiskFull(cause)) {
      return diskFull(operation + " " + path, path, -1, cause);
    }
    return new StorageIoException(
        "cannot " + operation + " " + path + ": " + reason(operation, cause), cause);
  }

  /** A refused operation on the bytes of a file. */
  static StorageException onBytes(
      String operation, Path path, long offset, long length, IOException cause) {
    String what = operation + " of " + length + " bytes at offset " + offset + " of " + path;
    if (saysDiskFull(cause) || (operation.equals(WRITE) && lacks(path, length))) {
      return diskFull(what, path, length, cause);
    }
    return new StorageIoException(what + " failed: " + reason(operation, cause), cause);
  }

  /** The file ended inside a read. */
  static StorageIoException endOfFile(Path path, long offset, long length, long sizeBytes) {
    return new StorageIoException(
        "read of "
            + length
            + " bytes at offset "
            + offset
            + " of "
            + path
            + " failed: the file ends at "
            + sizeBytes);
  }

  private static DiskFullException diskFull(
      String what, Path path, long neededBytes, IOException cause) {
    long freeBytes = freeBytes(path);
    String needed = neededBytes < 0 ? "" : neededBytes + " bytes needed, ";
    DiskFullException e =
        new DiskFullException(
            what
                + " failed, no space: "
                + needed
                + (freeBytes < 0 ? "free bytes unknown" : freeBytes + " bytes free"),
            neededBytes,
            freeBytes);
    e.initCause(cause);
    return e;
  }

  private static long freeBytes(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    File directory = parent == null ? path.toFile() : parent.toFile();
    return directory.exists() ? directory.getUsableSpace() : -1;
  }

  private static boolean lacks(Path path, long neededBytes) {
    long freeBytes = freeBytes(path);
    return freeBytes >= 0 && freeBytes < neededBytes;
  }

  /**
   * ENOSPC and EDQUOT reach Java only as text in the language of the process; where that is not
   * English, {@link #lacks} still tells a full disk.
   */
  private static boolean saysDiskFull(IOException cause) {
    String message = cause.getMessage();
    if (message == null) {
      return false;
    }
    String text = message.toLowerCase(Locale.ROOT);
    return text.contains("no space left on device") || text.contains("quota exceeded");
  }

  private static String reason(String operation, IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return operation.equals(CREATE) ? "its directory does not exist" : "it does not exist";
    }
    if (cause instanceof FileAlreadyExistsException) {
      return operation.equals(CREATE_DIRECTORY) ? "it is not a directory" : "it exists already";
    }
    if (cause instanceof AccessDeniedException) {
      return "access denied";
    }
    if (cause instanceof NotDirectoryException) {
      return "it is not a directory";
    }
    if (cause instanceof DirectoryNotEmptyException) {
      return "the directory is not empty";
    }
    if (cause instanceof FileSystemException known && known.getReason() != null) {
      return known.getReason();
    }
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }
}
