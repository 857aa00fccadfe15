package org.loam.workbench.asterixdb.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.loam.workbench.console.Progress;

/** Lets one process at a time change what is in a directory; the others wait. */
final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Waits for the lock and takes it.
   *
   * @param file in a directory that is there
   */
  static DirectoryLock take(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        Progress.say("waiting for another command that holds " + file + " ...");
        channel.lock();
      }
      return new DirectoryLock(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
