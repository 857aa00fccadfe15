package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.cache.AccessClass;
import org.loam.common.env.HeapFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageException;
import org.loam.common.key.EntryKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.read.EntryCursor;

/** What a writer refuses, when it is full, and what is left after a fault. */
class SSTableWriterTest {
  private static final int PAGE_BYTES = 4096;

  @TempDir Path directory;
  private DiskFixture disk;

  @BeforeEach
  void open() {
    disk = new DiskFixture(directory, PAGE_BYTES, 2 * PAGE_BYTES, 8 * PAGE_BYTES);
  }

  @AfterEach
  void close() {
    disk.close();
  }

  private static TestEntry put(int key, long lsn) {
    return TestEntry.put(new byte[] {(byte) (key >>> 8), (byte) key}, lsn, new byte[20]);
  }

  private static void add(SSTableWriter writer, TestEntry... entries) {
    try (EntryCursor cursor = new ListCursor(List.of(entries))) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        writer.add(cursor);
      }
    }
  }

  @Test
  void keysMustAscend() {
    SSTableWriter writer = disk.writer(disk.options(false));
    add(writer, put(5, 1));
    for (int key : new int[] {5, 4, 0}) {
      assertThatThrownBy(() -> add(writer, put(key, 2)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("entry 1");
    }
    assertThatThrownBy(() -> add(writer, TestEntry.put(new byte[] {0}, 2, new byte[0])))
        .isInstanceOf(AssertionError.class);
    add(writer, TestEntry.put(new byte[] {0, 5, 0}, 1, new byte[0]), put(0xff00, 1));
    assertThat(writer.finish().counts().entries()).isEqualTo(3);
  }

  @Test
  void versionsMustDescend() {
    SSTableWriter writer = disk.writer(disk.options(true));
    add(writer, put(5, 10), put(5, 9));
    for (long lsn : new long[] {9, 10, 11}) {
      assertThatThrownBy(() -> add(writer, put(5, lsn)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("after 9");
    }
    add(writer, put(5, 0), put(6, 100));
    assertThat(writer.finish().counts().entries()).isEqualTo(4);
  }

  @Test
  void whatCannotBeStoredIsRefusedAndLeavesTheWriterAsItWas() {
    SSTableWriter writer = disk.writer(disk.options(true));
    add(writer, put(1, 1));
    byte[] key = {9};
    for (TestEntry e :
        List.of(
            TestEntry.put(new byte[PAGE_BYTES / 4 + 1], 1, new byte[0]),
            new TestEntry(key, EntryKind.DELTA, 1, new byte[1]),
            new TestEntry(key, EntryKind.RANGE_ANTI_MATTER, 1, new byte[1]),
            new TestEntry(key, EntryKind.ANTI_MATTER, 1, new byte[1]),
            TestEntry.put(key, -1, new byte[1]))) {
      assertThatThrownBy(() -> add(writer, e)).isInstanceOf(IllegalArgumentException.class);
    }
    add(writer, put(2, 2));
    assertThat(writer.finish().counts().entries()).isEqualTo(2);
  }

  @Test
  void optionsAndMemoryAreChecked() {
    assertThatThrownBy(() -> new SSTableOptions(0, 1, PAGE_BYTES, true, 10))
        .hasMessageContaining("fileId is 0");
    for (int pageBytes : new int[] {2048, 5000, 65536}) {
      assertThatThrownBy(() -> new SSTableOptions(1, 1, pageBytes, true, 10))
          .hasMessageContaining("pageBytes is " + pageBytes);
    }
    for (int bits : new int[] {-1, 21}) {
      assertThatThrownBy(() -> new SSTableOptions(1, 1, PAGE_BYTES, true, bits))
          .hasMessageContaining("filterBitsPerKey is " + bits);
    }
    WriterMemory m = disk.memory;
    for (WriterMemory small :
        List.of(
            new WriterMemory(m.pages(), PAGE_BYTES, m.work(), m.workBytes()),
            new WriterMemory(m.pages(), m.pagesBytes(), m.work(), 7 * PAGE_BYTES))) {
      SSTableOptions options = disk.options(true);
      Path path = disk.path(options.fileId());
      assertThatThrownBy(
              () -> SSTableWriter.create(disk.env.files(), path, options, small, disk.cache))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(disk.env.files().exists(path)).isFalse();
    }
    assertThatThrownBy(() -> new WriterMemory(m.pages() + 8, 8192, m.work(), m.workBytes()))
        .hasMessageContaining("aligned");
  }

  @Test
  void anEmptyFileCannotBeFinished() {
    SSTableOptions options = disk.options(true);
    SSTableWriter writer = disk.writer(options);
    assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
    writer.abandon();
    writer.abandon();
    assertThat(disk.env.files().exists(disk.path(options.fileId()))).isFalse();
  }

  @Test
  void afterTheEndThereIsNothingToDo() {
    SSTableOptions options = disk.options(true);
    SSTableWriter writer = disk.writer(options);
    add(writer, put(1, 1));
    writer.finish();
    writer.abandon();
    assertThat(disk.env.files().exists(disk.path(options.fileId()))).isTrue();
    assertThatThrownBy(() -> add(writer, put(2, 1))).hasMessageContaining("closed");
    assertThatThrownBy(writer::finish).hasMessageContaining("closed");
    assertThatThrownBy(writer::force).hasMessageContaining("closed");
  }

  @Test
  void fullInTimeToEndWithTheCurrentKey() {
    SSTableWriter writer = disk.writer(disk.options(true));
    List<TestEntry> expected = new ArrayList<>();
    int key = 0;
    while (!writer.full()) {
      TestEntry e = put(key++, 1_000_000);
      add(writer, e);
      expected.add(e);
    }
    assertThat(key).isGreaterThan(1000);
    for (int version = 1; version < 3000; version++) {
      TestEntry e = put(key - 1, 1_000_000 - version);
      add(writer, e);
      expected.add(e);
    }
    SSTable table = disk.open(writer.finish());
    assertThat(SSTableVerifier.verify(table).problems()).isEmpty();
    assertThat(disk.allVersions(table)).isEqualTo(expected);
    disk.drop(table);
  }

  @Test
  void ignoringFullBreaksTheWriterNotTheMemory() {
    SSTableOptions options = disk.options(true);
    SSTableWriter writer = disk.writer(options);
    assertThatThrownBy(
            () -> {
              for (int key = 0; key < 1 << 16; key++) {
                add(writer, put(key, 1));
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("work memory is used up");
    writer.abandon();
    assertThat(disk.env.files().exists(disk.path(options.fileId()))).isFalse();
  }

  @Test
  void countsBytesForTheCaller() {
    SSTableWriter writer = disk.writer(disk.options(false));
    for (int key = 0; key < 1000; key++) {
      add(writer, put(key, 1));
    }
    assertThat(writer.entryCount()).isEqualTo(1000);
    assertThat(writer.sizeBytes()).isBetween(30_000L, 60_000L);
    // All but what is in the buffer of two pages.
    assertThat(writer.bytesSinceForce()).isBetween(writer.sizeBytes() - 8192, writer.sizeBytes());
    writer.force();
    assertThat(writer.bytesSinceForce()).isZero();
    assertThat(writer.finish().sizeBytes()).isGreaterThan(writer.sizeBytes() - 8192);
  }

  /** Fails every call that changes the disk, one after the other, until none is left to fail. */
  @ParameterizedTest
  @EnumSource(FaultEffect.class)
  void afterAnyFaultTheFileCanBeAbandoned(FaultEffect effect) {
    EntryMaker maker = new EntryMaker(5, PAGE_BYTES);
    List<TestEntry> entries = maker.oneVersionEach(60);
    int failing = 1;
    while (failsAndIsAbandoned(entries, effect, failing)) {
      failing++;
    }
    // More writes than fit into the buffer; creation and force, if they can fail so.
    assertThat(failing).isGreaterThan(10);
  }

  private boolean failsAndIsAbandoned(List<TestEntry> entries, FaultEffect effect, int failing) {
    try (Simulation sim = Simulation.seeded(failing)) {
      sim.faults().add(Fault.of(effect).on(IoKind.CREATE, IoKind.WRITE, IoKind.FORCE).nth(failing));
      sim.run(() -> writeOrAbandon(sim, entries));
      return sim.faults().fired() > 0;
    }
  }

  private void writeOrAbandon(Simulation sim, List<TestEntry> entries) {
    StorageFiles files = sim.env().files();
    SSTableOptions options = disk.options(false);
    Path path = sim.directory().resolve("table");
    SSTableWriter writer;
    try {
      writer = SSTableWriter.create(files, path, options, disk.memory, disk.cache);
    } catch (StorageException e) {
      return;
    }
    try {
      add(writer, entries.toArray(TestEntry[]::new));
      writer.finish();
      assertThat(sim.faults().fired()).isZero();
      return;
    } catch (StorageException e) {
      assertThat(e).hasMessageContaining(path.toString());
    }
    assertThatThrownBy(() -> add(writer, put(0xffff, 1))).hasMessageContaining("broken");
    assertThatThrownBy(writer::finish).hasMessageContaining("broken");
    writer.abandon();
    assertThat(files.exists(path)).isFalse();
  }

  /** Writes keys from 0 on; readers want those of the set. */
  private static void addWarm(SSTableWriter writer, int keys, Set<Integer> warm) {
    List<TestEntry> entries = IntStream.range(0, keys).mapToObj(key -> put(key, 1)).toList();
    try (ListCursor cursor =
        new ListCursor(entries) {
          @Override
          public boolean isWarm() {
            return warm.contains(at());
          }
        }) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        writer.add(cursor);
      }
    }
  }

  @Test
  void pagesThatReadersWantAreInTheCacheAtOnce() {
    SSTableOptions options = disk.options(false);
    SSTableWriter writer = disk.writer(options);
    addWarm(writer, 1000, Set.of(0, 500, 501, 999));
    SSTable table = disk.open(writer.finish());
    for (int key : new int[] {0, 500, 501, 999}) {
      assertThat(disk.find(table, put(key, 1).key(), 1)).isEqualTo(put(key, 1));
    }
    assertThat(disk.cache.statistics().misses().values()).containsOnly(0L);
    assertThat(disk.find(table, put(250, 1).key(), 1)).isEqualTo(put(250, 1));
    assertThat(disk.cache.statistics().misses())
        .containsEntry(AccessClass.QUERY, 1L)
        .containsEntry(AccessClass.FILTER, 0L)
        .containsEntry(AccessClass.META, 0L);
    disk.drop(table);
    assertThat(disk.cache.statistics().frames()).isEqualTo(1);
  }

  @Test
  void pagesThatNoReaderWantsStayOutOfTheCache() {
    SSTableWriter writer = disk.writer(disk.options(false));
    addWarm(writer, 1000, Set.of());
    writer.finish();
    assertThat(disk.cache.statistics().frames()).isZero();
  }

  @Test
  void overflowPagesThatReadersWantAreInTheCacheToo() {
    SSTableWriter writer = disk.writer(disk.options(false));
    TestEntry large = TestEntry.put(new byte[] {7}, 1, new byte[5 * PAGE_BYTES]);
    try (ListCursor cursor =
        new ListCursor(List.of(large)) {
          @Override
          public boolean isWarm() {
            return true;
          }
        }) {
      cursor.first();
      writer.add(cursor);
    }
    SSTable table = disk.open(writer.finish());
    assertThat(disk.find(table, large.key(), 1)).isEqualTo(large);
    assertThat(disk.cache.statistics().misses().values()).containsOnly(0L);
    disk.drop(table);
  }

  @Test
  void anAbandonedFileLeavesNothingInTheCache() {
    SSTableWriter writer = disk.writer(disk.options(false));
    addWarm(writer, 1000, IntStream.range(0, 1000).boxed().collect(Collectors.toSet()));
    assertThat(disk.cache.statistics().frames()).isGreaterThan(3);
    writer.abandon();
    assertThat(disk.cache.statistics().frames()).isLessThanOrEqualTo(1);
  }

  @Test
  void aSourceThatCannotBeReadBreaksTheWriter() {
    SSTableOptions options = disk.options(false);
    SSTableWriter writer = disk.writer(options);
    add(writer, put(1, 1));
    HeapFile file = new HeapFile(Path.of("memory.sst"), new byte[0]);
    try (EntryCursor source =
        new ListCursor(List.of(put(2, 1))) {
          @Override
          public void copyValue(int offset, int length, long target) {
            file.read(0, target, 1);
          }
        }) {
      source.first();
      assertThatThrownBy(() -> writer.add(source)).hasMessageContaining("memory.sst");
    }
    assertThatThrownBy(() -> add(writer, put(3, 1))).hasMessageContaining("broken");
    writer.abandon();
  }
}
