package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.PageCacheUse;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.env.StorageFilesContract;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/** The contract on a real directory, and what only the real one does. */
class RealFilesTest extends StorageFilesContract {
  private static final int MEMORY_BYTES = 1 << 20;

  @TempDir Path directory;
  private final RealFiles files = new RealFiles();

  @Override
  protected RealFiles files() {
    return files;
  }

  @Override
  protected Path directory() {
    return directory;
  }

  @Test
  void interruptsInTheMiddleOfReadsLoseNothing() throws InterruptedException {
    long memory = Mem.allocate(MEMORY_BYTES, 4096);
    try (StorageFile file = files.open(directory.resolve("f"), Mode.CREATE)) {
      Mem.fill(memory, MEMORY_BYTES, (byte) 5);
      file.write(0, memory, MEMORY_BYTES);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      AtomicBoolean done = new AtomicBoolean();
      Thread reader =
          new Thread(
              () -> {
                while (!done.get()) {
                  file.read(0, memory, MEMORY_BYTES / 2);
                }
              });
      reader.setUncaughtExceptionHandler((t, e) -> failure.set(e));
      reader.start();
      for (int i = 0; i < 200 && reader.isAlive(); i++) {
        reader.interrupt();
        file.read(MEMORY_BYTES / 2, memory + MEMORY_BYTES / 2, MEMORY_BYTES / 2);
      }
      done.set(true);
      reader.join();
      assertThat(failure.get()).isNull();
    } finally {
      Mem.free(memory);
    }
  }

  @Test
  void directFilesRefuseToBeMappedAndTellThatTheyAreDirect() {
    long memory = Mem.allocate(4096, 4096);
    Path path = directory.resolve("f");
    try (StorageFile file = files.open(path, Mode.CREATE)) {
      file.write(0, memory, 4096);
      boolean direct = ((RealFile) file).isDirect();
      if (direct) {
        assertThatThrownBy(() -> file.map(0, 4096)).hasMessageContaining("opened buffered");
      }
      assertThat(files.isDirect(directory)).isEqualTo(direct);
    } finally {
      Mem.free(memory);
    }
    RealFiles buffered = new RealFiles(PageCacheUse.ALL);
    try (StorageFile file = buffered.open(path, Mode.WRITE)) {
      assertThat(((RealFile) file).isDirect()).isFalse();
      assertThat(buffered.isDirect(directory)).isFalse();
    }
  }

  @Test
  void onlyPagesAreReadThroughThePageCacheIfThatIsAllThatItIsFor() {
    RealFiles reads = new RealFiles(PageCacheUse.READS);
    Path path = directory.resolve("f");
    long memory = Mem.allocate(2 * 4096, 4096);
    try (StorageFile written = reads.open(path, Mode.CREATE)) {
      assumeTrue(((RealFile) written).isDirect(), "this file system has no direct I/O");
      try (StorageFile pages = reads.open(path, Mode.READ_PAGES);
          StorageFile other = reads.open(path, Mode.READ);
          StorageFile past = files.open(path, Mode.READ_PAGES)) {
        assertThat(((RealFile) pages).isDirect()).isFalse();
        assertThat(((RealFile) other).isDirect()).isTrue();
        assertThat(((RealFile) past).isDirect()).isTrue();
        // What the cache has read before does not hide what is written past it.
        for (int value = 1; value <= 3; value++) {
          Mem.putInt(memory + 100, value);
          written.write(0, memory, 4096);
          pages.read(100, memory + 4096, 4);
          assertThat(Mem.getInt(memory + 4096)).isEqualTo(value);
        }
        assertThatThrownBy(() -> pages.write(0, memory, 4096)).hasMessageContaining("read-only");
      }
    } finally {
      Mem.free(memory);
    }
  }

  @Test
  void readsAndWritesMakeNoGarbage() {
    long memory = Mem.allocate(8192, 4096);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (StorageFile file = files.open(directory.resolve("f"), Mode.CREATE)) {
      file.write(0, memory, 8192);
      long bytes = Long.MAX_VALUE;
      // The first rounds load classes and may be interpreted.
      for (int round = 0; round < 5; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
          file.read(0, memory, 4096);
          file.read(10, memory, 100);
          file.write(0, memory, 4096);
        }
        bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(bytes / 3_000).as("bytes per call").isZero();
    } finally {
      Mem.free(memory);
    }
  }

  @Test
  void firstCreationInADirectoryLeavesAnExistingFileAlone() {
    try (StorageFile file =
        new RealFiles(PageCacheUse.ALL).open(directory.resolve("f"), Mode.CREATE)) {
      long memory = Mem.allocate(8, 8);
      file.write(0, memory, 8);
      Mem.free(memory);
      assertThatThrownBy(() -> files.open(directory.resolve("f"), Mode.CREATE))
          .hasMessageContaining("it exists already");
    }
    assertThat(directory.resolve("f")).hasSize(8);
  }

  /** A force that fails fences an engine. No thread of a client may bring that about. */
  @ParameterizedTest
  @EnumSource
  void interruptsInTheMiddleOfWritesFailNoForceOfAnotherThread(PageCacheUse pageCache)
      throws InterruptedException {
    long memory = Mem.allocate(MEMORY_BYTES, 4096);
    try (StorageFile file = new RealFiles(pageCache).open(directory.resolve("f"), Mode.CREATE)) {
      Mem.fill(memory, MEMORY_BYTES, (byte) 5);
      AtomicBoolean done = new AtomicBoolean();
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; !done.get(); i++) {
                  Thread.currentThread().interrupt();
                  file.write(i % 64 * 8192L, memory, i % 2 == 0 ? 8192 : 100);
                }
              });
      Thread interrupter =
          new Thread(
              () -> {
                while (!done.get()) {
                  writer.interrupt();
                }
              });
      writer.start();
      interrupter.start();
      try {
        for (int i = 0; i < 300; i++) {
          file.force();
        }
      } finally {
        done.set(true);
        writer.join();
        interrupter.join();
      }
    } finally {
      Mem.free(memory);
    }
  }

  @Test
  void whatCannotBeLookedForIsNotSaidToBeAbsent() throws IOException {
    assertThat(files.exists(directory.resolve("missing/f"))).isFalse();
    Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(files.exists(file)).isTrue();
    for (Path parent : List.of(loop, file)) {
      Path below = parent.resolve("f");
      assertThatThrownBy(() -> files.exists(below))
          .isInstanceOf(StorageIoException.class)
          .hasMessageStartingWith("cannot look for " + below + ": ")
          .hasMessageNotContaining(below + ": " + below);
    }
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> files.createDirectories(file))
        .isInstanceOf(StorageIoException.class)
        .hasMessage("cannot create directory " + file + ": it is not a directory");
  }

  @Test
  void theCauseIsTheSystemsException() {
    assertThatThrownBy(() -> files.open(directory.resolve("missing"), Mode.READ))
        .hasCauseInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aRealPathHasNoSymbolicLink() throws Exception {
    Path real = directory.toRealPath();
    Path link = Files.createSymbolicLink(directory.resolve("link"), real.resolve("d"));
    Files.createDirectory(real.resolve("d"));
    assertThat(files.realPath(link)).isEqualTo(real.resolve("d"));
    assertThat(files.realPath(link.resolve("missing/file")))
        .isEqualTo(real.resolve("d").resolve("missing").resolve("file"));
    assertThat(files.realPath(Path.of("/"))).isEqualTo(Path.of("/"));
  }
}
