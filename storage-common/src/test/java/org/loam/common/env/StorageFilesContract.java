package org.loam.common.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.env.StorageFile.Mapping;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.error.ClosedException;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/** What every implementation of {@link StorageFiles} does alike; the simulation included. */
public abstract class StorageFilesContract {
  private static final int MEMORY_BYTES = 1 << 19;

  private long memory;

  /** The files under test. */
  protected abstract StorageFiles files();

  /** An empty directory. */
  protected abstract Path directory();

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(MEMORY_BYTES, 4096);
    Mem.fill(memory, MEMORY_BYTES, (byte) 0);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "CREATE_BUFFERED"})
  void anyOffsetLengthAndAddressReadsBackWhatWasWritten(Mode mode) {
    Random random = new Random(42);
    byte[] model = new byte[300_000];
    try (StorageFile file = files().open(path("f"), mode)) {
      write(file, 0, model);
      for (int i = 0; i < 300; i++) {
        int offset = random.nextInt(model.length);
        int length = random.nextInt(Math.min(model.length - offset, 150_000) + 1);
        if (random.nextInt(4) == 0) {
          offset &= -4096;
          length &= -4096;
        }
        long address = memory + (random.nextBoolean() ? 0 : random.nextInt(5000));
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        System.arraycopy(bytes, 0, model, offset, length);
        Mem.copyIn(bytes, 0, address, length);
        file.write(offset, address, length);

        int from = random.nextInt(model.length);
        int count = random.nextInt(model.length - from + 1);
        byte[] read = read(file, from, count);
        assertThat(Arrays.equals(read, Arrays.copyOfRange(model, from, from + count)))
            .as("step %d", i)
            .isTrue();
      }
      assertThat(file.sizeBytes()).isEqualTo(model.length);
      file.force();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "CREATE_BUFFERED"})
  void unalignedAppendEndsTheFileWhereItEnds(Mode mode) {
    try (StorageFile file = files().open(path("f"), mode)) {
      write(file, 0, new byte[] {1, 2, 3});
      write(file, 3, new byte[] {4});
      assertThat(file.sizeBytes()).isEqualTo(4);
      assertThat(read(file, 0, 4)).containsExactly(1, 2, 3, 4);
      write(file, 6, new byte[] {7});
      assertThat(read(file, 2, 5)).containsExactly(3, 4, 0, 0, 7);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "CREATE_BUFFERED"})
  void readPastTheEndNamesFileOffsetLengthAndSize(Mode mode) {
    try (StorageFile file = files().open(path("short"), mode)) {
      write(file, 0, new byte[8192]);
      file.truncate(5000);
      file.read(4096, memory, 904);
      assertThatThrownBy(() -> file.read(4096, memory, 4096))
          .isInstanceOf(StorageIoException.class)
          .hasMessageContaining("short")
          .hasMessageContaining("offset 4096")
          .hasMessageContaining("4096 bytes")
          .hasMessageContaining("ends at 5000");
      assertThatThrownBy(() -> file.read(3, memory, 5000)).isInstanceOf(StorageIoException.class);
      assertThatThrownBy(() -> file.read(40960, memory, 1)).isInstanceOf(StorageIoException.class);
    }
  }

  @Test
  void truncatingToMoreChangesNothing() {
    try (StorageFile file = files().open(path("f"), Mode.CREATE)) {
      write(file, 0, new byte[] {1, 2, 3});
      file.truncate(100);
      assertThat(file.sizeBytes()).isEqualTo(3);
      file.truncate(1);
      write(file, 2, new byte[] {9});
      assertThat(read(file, 0, 3)).containsExactly(1, 0, 9);
    }
  }

  @Test
  void interruptedThreadsReadWriteAndForceAndStayInterrupted() {
    try (StorageFile file = files().open(path("f"), Mode.CREATE)) {
      Thread.currentThread().interrupt();
      Mem.fill(memory, 4096, (byte) 9);
      file.write(0, memory, 4096);
      file.force();
      file.read(0, memory + 4096, 4096);
      files().forceDirectory(directory());
      assertThat(file.sizeBytes()).isEqualTo(4096);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(Mem.getByte(memory + 8191)).isEqualTo((byte) 9);
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void mappedBytesAreTheBytesOfTheFile() {
    try (StorageFile file = files().open(path("log"), Mode.CREATE_BUFFERED)) {
      write(file, 0, new byte[16384]);
      try (Mapping mapping = file.map(4096, 8192)) {
        assertThat(mapping.lengthBytes()).isEqualTo(8192);
        Mem.putLong(mapping.address() + 16, 0x1122334455667788L);
        file.force();
        assertThat(read(file, 4096 + 16, 1)).containsExactly(0x88);
        write(file, 4096, new byte[] {5});
        assertThat(Mem.getByte(mapping.address())).isEqualTo((byte) 5);
        if (Mem.CHECKED) {
          assertThatThrownBy(() -> Mem.getByte(mapping.address() + 8192))
              .isInstanceOf(AssertionError.class);
        }
      }
      assertThat(read(file, 4096 + 16, 1)).containsExactly(0x88);
      assertThatThrownBy(() -> file.map(8192, 16384))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("16384");
    }
  }

  @Test
  void namesListSortedAndMoveAndGo() {
    for (String name : new String[] {"b", "a", "c"}) {
      files().open(path(name), Mode.CREATE).close();
    }
    files().createDirectories(path("d").resolve("e"));
    files().createDirectories(path("d"));
    files().rename(path("a"), path("c"));
    files().delete(path("b"));
    files().forceDirectory(directory());
    assertThat(files().list(directory())).containsExactly("c", "d");
    assertThat(files().exists(path("a"))).isFalse();
    assertThat(files().usableBytes(directory())).isPositive();
    assertThat(files().usableBytes(path("not-yet"))).isPositive();
  }

  @Test
  void twoNamesOfAFileGoOneByOne() {
    try (StorageFile file = files().open(path("f"), Mode.CREATE)) {
      write(file, 0, new byte[] {1, 2});
    }
    files().createDirectories(path("d"));
    Path link = path("d").resolve("g");
    assertThat(files().link(path("f"), link)).isTrue();
    files().delete(path("f"));
    try (StorageFile file = files().open(link, Mode.READ)) {
      assertThat(read(file, 0, 2)).containsExactly(1, 2);
    }
    assertThat(files().list(directory())).containsExactly("d");
  }

  @Test
  void aNameThatCannotBeGivenChangesNothing() {
    try (StorageFile file = files().open(path("f"), Mode.CREATE)) {
      write(file, 0, new byte[] {1, 2});
    }
    files().open(path("g"), Mode.CREATE).close();
    assertThat(files().link(path("f"), path("g"))).isFalse();
    assertThat(files().link(path("missing"), path("h"))).isFalse();
    assertThat(files().link(path("f"), path("missing").resolve("h"))).isFalse();
    assertThat(files().list(directory())).containsExactly("f", "g");
    try (StorageFile file = files().open(path("g"), Mode.READ)) {
      assertThat(file.sizeBytes()).isZero();
    }
  }

  @Test
  void aPathHasOneRealSpelling() {
    files().createDirectories(path("d"));
    Path real = files().realPath(directory());
    assertThat(files().realPath(real)).isEqualTo(real);
    assertThat(files().realPath(path("d").resolve("../d/./g/h")))
        .isEqualTo(real.resolve("d").resolve("g").resolve("h"));
  }

  @Test
  void openFilesOutliveTheirNames() {
    try (StorageFile file = files().open(path("f"), Mode.CREATE)) {
      files().rename(path("f"), path("g"));
      files().open(path("f"), Mode.CREATE).close();
      write(file, 0, new byte[] {1, 2});
      files().delete(path("g"));
      assertThat(read(file, 0, 2)).containsExactly(1, 2);
    }
  }

  @Test
  void refusalsNameThePathAndTheReason() {
    Path missing = path("missing");
    assertThatThrownBy(() -> files().open(missing, Mode.READ))
        .isInstanceOf(StorageIoException.class)
        .hasMessage("cannot open " + missing + ": it does not exist");
    assertThatThrownBy(() -> files().open(missing.resolve("f"), Mode.CREATE))
        .hasMessageContaining("its directory does not exist");
    files().open(path("f"), Mode.CREATE).close();
    assertThatThrownBy(() -> files().open(path("f"), Mode.CREATE))
        .hasMessage("cannot create " + path("f") + ": it exists already");
    assertThatThrownBy(() -> files().list(missing)).hasMessageContaining("it does not exist");
    assertThatThrownBy(() -> files().list(path("f"))).hasMessageContaining("it is not a directory");
    assertThatThrownBy(() -> files().delete(missing)).isInstanceOf(StorageIoException.class);
    assertThatThrownBy(() -> files().rename(missing, path("x")))
        .isInstanceOf(StorageIoException.class);
    assertThatThrownBy(() -> files().forceDirectory(missing))
        .isInstanceOf(StorageIoException.class);
  }

  @Test
  void readOnlyAndClosedFilesRefuseClearly() {
    files().open(path("f"), Mode.CREATE).close();
    StorageFile file = files().open(path("f"), Mode.READ);
    assertThatThrownBy(() -> file.write(0, memory, 4096)).hasMessageContaining("read-only");
    assertThatThrownBy(() -> file.read(-1, memory, 1)).isInstanceOf(IllegalArgumentException.class);
    file.close();
    file.close();
    assertThatThrownBy(() -> file.read(0, memory, 4096)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(file::sizeBytes).isInstanceOf(ClosedException.class);
  }

  @Test
  void directoryIsTakenOnceAtATime() {
    try (DirectoryLock held = files().lock(path("LOCK"))) {
      assertThatThrownBy(() -> files().lock(path("LOCK")))
          .isInstanceOf(InUseException.class)
          .hasMessageContaining("LOCK");
    }
    DirectoryLock again = files().lock(path("LOCK"));
    again.close();
    again.close();
    assertThatThrownBy(() -> files().lock(path("no").resolve("LOCK")))
        .isInstanceOf(StorageIoException.class);
  }

  private Path path(String name) {
    return directory().resolve(name);
  }

  private void write(StorageFile file, long offset, byte[] bytes) {
    Mem.copyIn(bytes, 0, memory, bytes.length);
    file.write(offset, memory, bytes.length);
  }

  private byte[] read(StorageFile file, long offset, int length) {
    byte[] bytes = new byte[length];
    file.read(offset, memory + 1, length);
    Mem.copyOut(memory + 1, bytes, 0, length);
    return bytes;
  }
}
