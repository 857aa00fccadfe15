package org.loam.common.env.real;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;

/**
 * A file channel that outlives interrupts: Java closes a channel under every thread that uses it
 * when one of them is interrupted, so calls hide the interrupt flag, and a channel that was closed
 * by an interrupt in the middle of a call is opened again. Thread-safe.
 */
final class FileHandle implements AutoCloseable {
  private final Path path;
  private final Set<? extends OpenOption> reopenOptions;

  /** Device and inode, so that a reopen after a rename cannot land on another file. */
  private final @Nullable Object fileKey;

  /** Written under the lock, so that one thread reopens it; read without. */
  private volatile FileChannel channel;

  @GuardedBy("this")
  private boolean closed;

  /** Takes a channel, which belongs to the handle from now on, even if this fails. */
  FileHandle(Path path, FileChannel channel, Set<? extends OpenOption> reopenOptions)
      throws IOException {
    this.path = path;
    this.channel = channel;
    this.reopenOptions = reopenOptions;
    try {
      this.fileKey = fileKey(path);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Opens a file.
   *
   * @param reopenOptions how to open it again, without creating it
   */
  static FileHandle open(
      Path path, Set<? extends OpenOption> options, Set<? extends OpenOption> reopenOptions)
      throws IOException {
    return new FileHandle(path, FileChannel.open(path, options), reopenOptions);
  }

  /** Reads up to {@code length} bytes; 0 or less at the end of the file. */
  int read(IoWindow window, long offset, long address, int length) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel current = channel;
        try {
          return current.read(window.aim(address, length), offset);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(current);
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /** Writes up to {@code length} bytes; a write that an interrupt cut off is done again. */
  int write(IoWindow window, long offset, long address, int length) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel current = channel;
        try {
          return current.write(window.aim(address, length), offset);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(current);
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /**
   * Forces bytes and size, where no interrupt reaches. A channel that an interrupt of another call
   * closes in the middle fails it, unlike every other call: that may hide that the operating system
   * refused, and a second attempt would succeed without writing anything.
   */
  void force() throws IOException {
    ForceThread.run(this::forceHere);
  }

  private void forceHere() throws IOException {
    FileChannel current = channel;
    try {
      if (!current.isOpen()) {
        reopen(current);
        current = channel;
      }
      current.force(false);
    } catch (ClosedChannelException e) {
      reopen(current);
      throw new IOException("interrupted; what of the unforced bytes is durable is unknown", e);
    }
  }

  /** A call that may be repeated. */
  interface Call<T> {
    T on(FileChannel channel) throws IOException;
  }

  /** Any other call; it may run again after an interrupt. */
  <T> T call(Call<T> call) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel current = channel;
        try {
          return call.on(current);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(current);
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /** Closes the file; idempotent. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }

  private synchronized void reopen(FileChannel dead) throws IOException {
    if (closed) {
      throw new ClosedException(path + " was closed");
    }
    if (channel != dead) {
      return;
    }
    FileChannel fresh = FileChannel.open(path, reopenOptions);
    Object freshKey = fileKey(path);
    if (fileKey != null && !fileKey.equals(freshKey)) {
      fresh.close();
      throw new IOException(
          "an interrupt closed the channel, and the name now belongs to another file");
    }
    channel = fresh;
  }

  private static @Nullable Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
