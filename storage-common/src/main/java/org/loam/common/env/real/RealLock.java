package org.loam.common.env.real;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.error.InUseException;

/**
 * An operating-system lock on a file that holds its owner's process id, plus a register of the
 * locks of this process. The register is asked first: POSIX drops a process's lock on a file when
 * any channel to it is closed, so a second opener must not even open it.
 */
final class RealLock implements DirectoryLock {
  private static final Set<Path> HELD = new HashSet<>();

  /** Channels that must stay open for another class loader's lock to stay held. */
  private static final Queue<FileChannel> KEPT_OPEN = new ConcurrentLinkedQueue<>();

  private final Path key;
  private final FileChannel channel;
  private boolean released;

  private RealLock(Path key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  static RealLock take(Path file) {
    try {
      Path parent = file.toAbsolutePath().getParent();
      if (parent == null) {
        throw new IllegalArgumentException("not a file: " + file);
      }
      Path key = parent.toRealPath().resolve(file.getFileName());
      synchronized (HELD) {
        if (!HELD.add(key)) {
          throw inUse(file, ProcessHandle.current().pid() + " (this one)");
        }
        RealLock lock = null;
        try {
          lock = new RealLock(key, locked(file));
          return lock;
        } finally {
          if (lock == null) {
            HELD.remove(key);
          }
        }
      }
    } catch (IOException e) {
      throw IoFaults.onPath("lock", file, e);
    }
  }

  private static FileChannel locked(Path file) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return lockedOnce(file);
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static FileChannel lockedOnce(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean keepOpen = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(file, holder(file));
      }
      channel.truncate(0);
      String pid = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
      keepOpen = true;
      return channel;
    } catch (OverlappingFileLockException e) {
      keepOpen = true;
      KEPT_OPEN.add(channel);
      throw inUse(file, ProcessHandle.current().pid() + " (this one)");
    } finally {
      if (!keepOpen) {
        channel.close();
      }
    }
  }

  private static InUseException inUse(Path file, String pid) {
    return new InUseException("the directory is in use: " + file + " is held by process " + pid);
  }

  private static String holder(Path file) throws IOException {
    String pid = Files.readString(file, StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "(unknown)" : pid;
  }

  /** Releases the lock; the file stays, as deleting it would let two openers lock two files. */
  @Override
  public void close() {
    synchronized (HELD) {
      if (released) {
        return;
      }
      released = true;
      try {
        channel.close();
      } catch (IOException e) {
        throw IoFaults.onPath("unlock", key, e);
      } finally {
        HELD.remove(key);
      }
    }
  }
}
