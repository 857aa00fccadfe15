package org.loam.common.env.real;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The process that has the database in a directory open, as its claim in the lock file says.
 *
 * @param state whether there is one
 * @param pid its number; 0 if there is none
 */
public record DirectoryOwner(State state, long pid) {
  private static final DirectoryOwner NONE = new DirectoryOwner(State.NONE, 0);

  /** What is known of the owner. */
  public enum State {
    /** The database is not open. */
    NONE,
    /** A process of this machine, which this process sees, has it open. */
    RUNS,
    /** The claim is of another machine or container; the owner may have ended. */
    OUT_OF_SIGHT
  }

  /**
   * Looks for the owner. Changes nothing, and takes no lock.
   *
   * @throws org.loam.common.error.StorageIoException if the lock file cannot be read
   */
  public static DirectoryOwner of(Path directory) {
    Path file = directory.resolve("lock");
    try {
      if (RealLock.isHeldHere(file)) {
        // To open and close the file would drop the lock of this process.
        return new DirectoryOwner(State.RUNS, ProcessHandle.current().pid());
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        LockClaim claim = LockClaim.read(channel);
        return claim == null ? NONE : owner(claim, RealLock.fileKey(file));
      }
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (IOException e) {
      throw IoFaults.onPath("read", file, e);
    }
  }

  private static DirectoryOwner owner(LockClaim claim, String fileKey) throws IOException {
    return switch (claim.owner(fileKey)) {
      case ENDED -> NONE;
      case RUNS -> new DirectoryOwner(State.RUNS, claim.pid());
      case OUT_OF_SIGHT -> new DirectoryOwner(State.OUT_OF_SIGHT, claim.pid());
    };
  }
}
