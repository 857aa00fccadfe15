package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.error.DiskFullException;
import org.loam.common.quiet.QuietLog;

/**
 * Loads that find the disk full: the statement is told what is missing and where, nothing of it
 * stays, and the node goes on. LOAD and CREATE INDEX are the same here.
 */
@ExtendWith(QuietLog.class)
class FullDiskTest extends DatasetTest {
  private static final String VALUE = "v".repeat(10_000);
  private static final long ENOUGH = Long.MAX_VALUE / 2;

  /** More than write memory. */
  private static final int MANY = 8000;

  private LimitedDisk disk() {
    return dataset.host.disk();
  }

  private void requireSaysWhatIsMissing(HyracksDataException refusal) {
    assertThat(refusal)
        .isNotNull()
        .hasMessageContaining(dataset.host.directory().toString())
        .hasMessageMatching("(?s).*[0-9]+ bytes needed, [0-9]+ bytes free.*");
  }

  /** As AsterixDB does it: what failed is ended. */
  private static void fill(Load load, int count) throws HyracksDataException {
    try {
      for (int key = 0; key < count; key++) {
        load.add(key, VALUE);
      }
    } finally {
      load.end();
    }
  }

  private void requireEmpty() throws HyracksDataException {
    assertThat(dataset.rows()).isEmpty();
    assertThat(dataset.primary().isEmptyIndex()).isTrue();
    assertThat(dataset.primary().loads().isLoading()).isFalse();
  }

  /** When there is room again. */
  private void requireUsable(Load.Way way) throws HyracksDataException {
    disk().freeBytes(ENOUGH);
    way.begin(dataset).addRecords().end();
    Load.requireRecords(dataset);
    begin().insert(Load.RECORDS, "a").commit();
    dataset.flush();
    dataset.crash();
    assertThat(dataset.rows()).hasSize(Load.RECORDS + 1);
  }

  @ParameterizedTest
  @EnumSource
  void aLoadThatFindsNoRoomFailsAndLeavesNothing(Load.Way way) throws Exception {
    Load load = way.begin(dataset);
    disk().freeBytes(1 << 20);
    requireSaysWhatIsMissing(
        catchThrowableOfType(HyracksDataException.class, () -> fill(load, MANY)));
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "completed");
    requireEmpty();
    requireUsable(way);
  }

  @Test
  void whatALoadHadWrittenIsDeleted() throws Exception {
    Load load = new Load(dataset.primary());
    disk().freeBytes(1 << 20);
    assertThatThrownBy(() -> fill(load, MANY)).isInstanceOf(HyracksDataException.class);
    try (Stream<Path> files = Files.walk(dataset.host.directory())) {
      assertThat(files).noneMatch(file -> file.toString().endsWith(".sst"));
    }
    // Others have written nothing that needs room, and go on.
    begin().insert(1, "a").commit();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @ParameterizedTest
  @EnumSource
  void aLoadThatFindsNoRoomAtItsEndFailsAndLeavesNothing(Load.Way way) throws Exception {
    Load load = way.begin(dataset).addRecords();
    disk().freeBytes(4096);
    requireSaysWhatIsMissing(catchThrowableOfType(HyracksDataException.class, load::end));
    requireEmpty();
    requireUsable(way);
  }

  @Test
  void noLoadBeginsWhileThereIsNoRoomForOthers() throws Exception {
    LoamIndex other = dataset.secondary("other", 1);
    Load load = Load.Way.MEMORY.begin(dataset).addRecords();
    disk().freeBytes(4096);
    assertThatThrownBy(load::end).isInstanceOf(HyracksDataException.class);
    requireSaysWhatIsMissing(
        catchThrowableOfType(HyracksDataException.class, () -> new Load(other)));
    assertThat(other.loads().isLoading()).isFalse();
    disk().freeBytes(ENOUGH);
    new Load(other).add(1).end();
    assertThat(TestDataset.rows(other)).containsExactly("1");
  }

  /** Loam keeps no log here, so that it needs no room for segments of one, of 64 MiB each. */
  @Test
  void writesNeedNoRoomForALog() throws Exception {
    Load load = Load.Way.MEMORY.begin(dataset).addRecords();
    disk().freeBytes(4096);
    assertThatThrownBy(load::end).isInstanceOf(HyracksDataException.class);
    assertThatThrownBy(() -> begin().insert(1, "a")).hasMessageContaining("bytes free");
    disk().freeBytes(64 << 20);
    begin().insert(1, "a").commit();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  /** The list of trees has to grow for that, once in many times. */
  @Test
  void whatCannotBeClearedForLackOfRoomIsClearedBeforeItIsSeen() throws Exception {
    Load load = Load.Way.MEMORY.begin(dataset).add(1, "a");
    disk().freeBytes(0);
    fillManifest();
    requireSaysWhatIsMissing(catchThrowableOfType(HyracksDataException.class, load::abort));
    assertThat(dataset.primary().loads().isLoading()).isFalse();
    assertThatThrownBy(() -> dataset.rows()).hasMessageContaining("0 bytes free");
    assertThatThrownBy(() -> begin().insert(2, "b")).hasMessageContaining("0 bytes free");
    assertThatThrownBy(() -> new Load(dataset.primary())).hasMessageContaining("0 bytes free");
    disk().freeBytes(ENOUGH);
    requireEmpty();
    requireUsable(Load.Way.SORTED);
  }

  @Test
  void whatCouldNotBeClearedIsGoneAfterACrash() throws Exception {
    begin().insertInto(dataset.secondary("other", 1), 1).commit();
    Load load = Load.Way.MEMORY.begin(dataset).add(1, "a");
    disk().freeBytes(0);
    fillManifest();
    assertThatThrownBy(load::abort).isInstanceOf(HyracksDataException.class);
    disk().freeBytes(ENOUGH);
    dataset.crash();
    requireEmpty();
    requireUsable(Load.Way.SORTED);
  }

  /** AsterixDB keeps the index that it could not open, and opens it when a statement needs it. */
  @Test
  void anIndexThatCannotBeOpenedForLackOfRoomIsOpenedLater() throws Exception {
    LoamIndex index = dataset.primary();
    index.deactivate(false);
    disk().freeBytes(0);
    fillManifest();
    for (int i = 0; i < 2; i++) {
      requireSaysWhatIsMissing(catchThrowableOfType(HyracksDataException.class, index::activate));
    }
    disk().freeBytes(ENOUGH);
    index.activate();
    requireEmpty();
    requireUsable(Load.Way.SORTED);
  }

  private void fillManifest() {
    Path device = dataset.host.directory();
    // The second has room for less than any index's tree takes.
    for (String name : List.of("x".repeat(200), "x")) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 2000; i++) {
                  dataset.host.loam().openTree(name, device, true, () -> {});
                }
              })
          .isInstanceOf(DiskFullException.class);
    }
  }
}
