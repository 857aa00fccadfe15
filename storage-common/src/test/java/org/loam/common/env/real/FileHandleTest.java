package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.Mem;

/** Closes the channel under the handle, as an interrupt of another thread does. */
class FileHandleTest {
  private static final Set<StandardOpenOption> READ_WRITE =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

  @TempDir Path directory;

  @Test
  void readsWritesAndForcesGoOnAfterTheChannelWasClosed() throws IOException {
    Path path = Files.writeString(directory.resolve("f"), "abc");
    long memory = Mem.allocate(64, 64);
    IoWindow window = IoWindow.acquire();
    FileChannel first = FileChannel.open(path, READ_WRITE);
    try (FileHandle handle = new FileHandle(path, first, READ_WRITE)) {
      first.close();
      assertThat(handle.read(window, 0, memory, 3)).isEqualTo(3);
      assertThat(Mem.getByte(memory)).isEqualTo((byte) 'a');
      handle.call(closing());
      assertThat(handle.write(window, 3, memory, 3)).isEqualTo(3);
      handle.call(closing());
      handle.force();
      assertThat(handle.<Long>call(FileChannel::size)).isEqualTo(6);
    } finally {
      window.release();
      Mem.free(memory);
    }
    assertThat(Files.readString(path)).isEqualTo("abcabc");
  }

  @Test
  void refusesToGoOnInAnotherFileOfTheSameName() throws IOException {
    Path path = Files.writeString(directory.resolve("f"), "abc");
    FileChannel first = FileChannel.open(path, READ_WRITE);
    FileHandle handle = new FileHandle(path, first, READ_WRITE);
    first.close();
    Files.move(path, directory.resolve("elsewhere"));
    Files.writeString(path, "xyz");
    assertThatThrownBy(() -> handle.call(FileChannel::size))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another file");
  }

  @Test
  void closedMeansClosed() throws IOException {
    Path path = Files.writeString(directory.resolve("f"), "abc");
    FileHandle handle = new FileHandle(path, FileChannel.open(path, READ_WRITE), READ_WRITE);
    handle.close();
    assertThatThrownBy(handle::force).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> handle.call(FileChannel::size)).isInstanceOf(ClosedException.class);
  }

  private static FileHandle.Call<Boolean> closing() {
    return channel -> {
      channel.close();
      return true;
    };
  }
}
