package org.loam.workbench.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.workbench.bench.MapStore.Fault;
import org.loam.workbench.peer.Measured;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

class RoundTest {
  @TempDir Path directory;

  private RoundSpec spec(List<Workload> workloads) {
    return spec(workloads, Durability.PROCESS);
  }

  private RoundSpec spec(List<Workload> workloads, Durability durability) {
    return new RoundSpec(
        new Subject(Peer.LOAM, directory.toString(), Map.of()),
        new DataSize(5_000, 100, 64L << 20),
        durability,
        workloads,
        List.of(3, 1),
        new Timing(5, 20, 20, 0),
        42);
  }

  /** Keeps the rows. */
  private static final class Rows implements Round.Listener {
    private final List<Row> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    @Override
    public void began(Workload workload, int threads) {
      // Only rows count here.
    }

    @Override
    public void measured(Row row) {
      rows.add(row);
    }

    /** On a busy machine there may be any. */
    @Override
    public void noted(String note) {
      notes.add(note);
    }
  }

  private static List<Row> run(RoundSpec spec, Fault fault) throws InterruptedException {
    Rows listener = new Rows();
    new Round(spec, MapStore.factory(fault), listener).run();
    return listener.rows;
  }

  @Test
  void everyWorkloadGivesARowForEachThreadCount() throws InterruptedException {
    RoundSpec spec = spec(List.copyOf(Workload.USUAL));
    List<Row> rows = run(spec, Fault.NONE);
    assertThat(rows).hasSize(spec.phaseCount()).hasSize(10 * 2 + 2);
    for (Row row : rows) {
      assertThat(row.latency().p50Micros()).isLessThanOrEqualTo(row.latency().p99Micros());
      assertThat(row.latency().p99Micros()).isLessThanOrEqualTo(row.latency().p999Micros());
      assertThat(row.given().recordBytes()).isEqualTo(121);
      if (!Workload.of(row.workload()).writes()) {
        assertThat(row.cost().writeAmplification()).as(row.workload()).isNull();
      }
    }
  }

  /** The tuner of a measurement begins where the benchmark says, not where a load had moved it. */
  @ParameterizedTest
  @CsvSource({"READ, true", "LOAD, false"})
  void aLoadThatIsNotMeasuredMovesNoMemory(Workload asked, boolean isFrozen)
      throws InterruptedException {
    List<Map<String, String>> opened = new ArrayList<>();
    StoreFactory maps = MapStore.factory(Fault.NONE);
    StoreFactory factory =
        settings -> {
          opened.add(settings.engine());
          return maps.open(settings);
        };
    new Round(spec(List.of(asked)), factory, new Rows()).run();
    Map<String, String> load = opened.get(1);
    assertThat(load.get("tuner.mode")).isEqualTo(isFrozen ? "FROZEN" : null);
    assertThat(opened.get(opened.size() - 1)).isEmpty();
  }

  /** A store that is used after its end, or never closed, leaves native memory in a bad state. */
  @Test
  void aStoreIsClosedOnceAlsoIfTheNextOneCannotBeOpened() {
    Function<StoreSettings, MapStore> maps = MapStore.opener(Fault.NONE);
    List<MapStore> opened = new ArrayList<>();
    StoreFactory factory =
        settings -> {
          if (settings.durability() == Durability.SYNC) {
            throw new IllegalArgumentException("no forced writes here");
          }
          MapStore store = maps.apply(settings);
          opened.add(store);
          return store;
        };
    assertThatThrownBy(() -> new Round(spec(List.of(Workload.SYNC)), factory, new Rows()).run())
        .hasMessage("no forced writes here");
    assertThat(opened).hasSize(3).allMatch(MapStore::isClosed);
  }

  @Test
  void aStoreIsClosedAlsoIfItDoesNotSayWhatItWrote() {
    MapStore store =
        new MapStore(new ConcurrentSkipListMap<>(Arrays::compareUnsigned), Fault.NONE) {
          @Override
          public long bytesWritten() {
            throw new IllegalStateException("not counted");
          }
        };
    assertThatThrownBy(
            () -> new Round(spec(List.of(Workload.READ)), settings -> store, new Rows()).run())
        .hasMessage("not counted");
    assertThat(store.isClosed()).isTrue();
  }

  @Test
  void whatIsWrittenIsCharged() throws InterruptedException {
    List<Row> rows = run(spec(List.of(Workload.LOAD, Workload.OVERWRITE)), Fault.NONE);
    assertThat(rows)
        .extracting(row -> row.cost().writeAmplification())
        .hasSize(3)
        .doesNotContainNull();
    assertThat(rows.get(0).opsPerSecond()).isPositive();
  }

  /** The device of this test writes a terabyte whenever it is looked at. */
  @ParameterizedTest
  @CsvSource({"PROCESS", "SYNC"})
  void ofForcedWritesTheDeviceCounts(Durability durability) throws InterruptedException {
    AtomicLong written = new AtomicLong();
    Round.Surroundings surroundings =
        new Round.Surroundings() {
          @Override
          public long deviceBytes(Path any) {
            return written.addAndGet(1L << 40);
          }
        };
    RoundSpec spec = spec(List.of(Workload.LOAD, Workload.YCSB_A, Workload.OVERWRITE), durability);
    Rows listener = new Rows();
    new Round(spec, MapStore.factory(Fault.NONE), listener, surroundings).run();
    assertThat(listener.rows)
        .hasSize(5)
        .allSatisfy(
            row ->
                assertThat(Objects.requireNonNull(row.cost().writeAmplification()) > 1000)
                    .as(row.workload())
                    .isEqualTo(durability == Durability.SYNC));
  }

  /** What is still going on then is charged to the first phase. */
  @Test
  void anOpeningAfterWhichTheEngineDoesNotRestIsNoted() throws InterruptedException {
    Round.Surroundings busy =
        new Round.Surroundings() {
          @Override
          public boolean rests(Measured engine, long quietMillis) {
            return false;
          }
        };
    Rows listener = new Rows();
    RoundSpec spec = spec(List.of(Workload.SYNC));
    new Round(spec, MapStore.factory(Fault.NONE), listener, busy).run();
    // The rehearsal, the load, the opening after it, and the one for forced writes.
    assertThat(listener.notes)
        .filteredOn(note -> note.startsWith("opening"))
        .containsExactly(
            "opening of the rehearsal: still busy five minutes later",
            "opening of the database: still busy five minutes later",
            "opening of the database: still busy five minutes later",
            "opening of the database: still busy five minutes later");
  }

  @Test
  void theKernelsCountOfBytesWinsOverTheEngines() {
    ProcessUsage before = new ProcessUsage(10, 100, 1000, -1);
    assertThat(new ProcessUsage(30, 150, 1700, -1).since(before))
        .isEqualTo(new ProcessUsage(20, 50, 700, -1))
        .returns(700L, ProcessUsage::writtenBytes);
    assertThat(
            new ProcessUsage(30, 150, -1, -1)
                .since(new ProcessUsage(10, 100, -1, -1))
                .writtenBytes())
        .isEqualTo(50);
  }

  @Test
  void workloadsRunInTheirOrderWhateverWasAsked() throws InterruptedException {
    List<Row> rows = run(spec(List.of(Workload.YCSB_A, Workload.READ)), Fault.NONE);
    assertThat(rows)
        .extracting(row -> row.workload() + " " + row.threads())
        .containsExactly("read-uniform 1", "read-uniform 3", "ycsb-a 1", "ycsb-a 3");
  }

  @ParameterizedTest
  @CsvSource({
    "LOSE_ONE_IN_A_HUNDRED, READ, was written, but is absent",
    "ANSWER_WITH_ANOTHER_VALUE, YCSB_C, never written",
    "FIND_WHAT_IS_ABSENT, ABSENT, was never written, but",
    "END_SCANS_EARLY, SCAN, ends after 99",
    "SCAN_OUT_OF_ORDER, YCSB_E, after",
    "SCAN_WITH_A_GAP, SCAN, with a gap",
    "SCAN_WITH_A_GAP, YCSB_E, with a gap",
    "SHOW_A_RECORD_TOO_MANY, SCAN, showed"
  })
  void aWrongAnswerEndsTheRun(Fault fault, Workload workload, String message) {
    assertThatThrownBy(() -> run(spec(List.of(workload)), fault))
        .isInstanceOf(WrongAnswerException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aLostRecordIsFoundAtTheEndIfItWasNotRead() {
    assertThatThrownBy(() -> run(spec(List.of(Workload.LOAD)), Fault.LOSE_ONE_IN_A_HUNDRED))
        .isInstanceOf(WrongAnswerException.class)
        .hasMessageContaining("5000 were inserted");
  }
}
