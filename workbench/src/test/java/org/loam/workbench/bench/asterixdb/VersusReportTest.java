package org.loam.workbench.bench.asterixdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Machine;

class VersusReportTest {
  private static final NodeUsage USAGE = new NodeUsage(2_000_000, 1_000_000, 300_000);

  private static VersusRow writes(Storage storage, long records) {
    return VersusRow.ofWrites("feed", storage, records, 1_000_000_000, USAGE);
  }

  private static VersusRow queries(Storage storage, double opsPerSecond) {
    List<Long> latencies = LongStream.rangeClosed(1, 100).map(n -> n * 1_000_000).boxed().toList();
    return VersusRow.ofQueries(
        "point", storage, new QueryClients.Result(200, opsPerSecond, latencies), USAGE);
  }

  private static VersusReport report(List<VersusRow> rows) {
    Machine machine = new Machine("p", 2, 1, "s", "j", "f");
    VersusReport.Given given =
        new VersusReport.Given(
            40_000,
            1000,
            false,
            128L << 20,
            256L << 20,
            new VersusReport.Counts(4, 2, 160),
            Map.of("io.pageCache", "ALL"));
    return new VersusReport(rows, List.of(), given, 3, 42, true, machine);
  }

  @Test
  void theMedianRoundCountsAndLoamIsHeldAgainstStock() {
    List<VersusRow> medians =
        VersusReport.medians(
            List.of(
                writes(Storage.STOCK, 1000),
                queries(Storage.STOCK, 50),
                writes(Storage.LOAM, 3000),
                writes(Storage.STOCK, 4000),
                writes(Storage.LOAM, 1500),
                writes(Storage.STOCK, 2000),
                writes(Storage.LOAM, 9000),
                queries(Storage.LOAM, 40)));
    assertThat(medians)
        .extracting(VersusRow::workload)
        .containsExactly("feed", "feed", "point", "point");
    assertThat(medians)
        .extracting(VersusRow::opsPerSecond)
        .containsExactly(2000.0, 3000.0, 50.0, 40.0);
    assertThat(medians).extracting(VersusRow::ratio).containsExactly(null, 1.5, null, 0.8);
  }

  @Test
  void oneStorageAloneHasNoRatio() {
    assertThat(VersusReport.medians(List.of(writes(Storage.LOAM, 1000))))
        .containsExactly(writes(Storage.LOAM, 1000));
  }

  @Test
  void theTextSaysWhatBothWereGiven() {
    List<VersusRow> rows =
        VersusReport.medians(
            List.of(
                writes(Storage.STOCK, 1000),
                writes(Storage.LOAM, 2000).onDisk(700),
                queries(Storage.STOCK, 12.5),
                VersusRow.ofStops(
                    "stop",
                    Storage.STOCK,
                    new QueryClients.Result(2, 0.25, List.of(3_500_000_000L, 4_500_000_000L)))));
    assertThat(report(rows).text().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .contains(
            "clients of queries: 4, sockets of the feed: 2, datasets of nodes that stop: 160,"
                + " settings of Loam: {io.pageCache=ALL}")
        .anyMatch(line -> line.startsWith("memory of the storage of each: 128 MiB; stock: half"))
        .anyMatch(line -> line.endsWith("rounds: 3"))
        .containsSubsequence(
            "workload storage ops/s p50 ms p99 ms node µs/op ctrl µs/op written/op disk/op ratio",
            "feed stock 1,000 - - 2 1 300 - -",
            "feed loam 2,000 - - 1 1 150 700 2.00",
            "point stock 12.50 50.00 99.00 10 5 - - -",
            "stop stock 0.25 3500 4500 - - - - -");
  }

  @Test
  void theDocumentHasWhatMachinesRead() {
    assertThat(Json.line(report(List.of(writes(Storage.LOAM, 1000)))))
        .contains("\"workload\":\"feed\"", "\"storage\":\"LOAM\"", "\"storageBytes\":134217728");
  }

  @Test
  void theDocumentAndItsRowsAreFlat() {
    JsonNode report =
        Json.read(Json.line(report(List.of(writes(Storage.LOAM, 1)))), JsonNode.class);
    assertThat(report.fieldNames())
        .toIterable()
        .containsExactly(
            "rows",
            "notes",
            "records",
            "recordBytes",
            "compressible",
            "storageBytes",
            "heapBytes",
            "clients",
            "senders",
            "datasets",
            "settings",
            "rounds",
            "seed",
            "quick",
            "machine");
    assertThat(report.get("rows").get(0).fieldNames())
        .toIterable()
        .containsExactly(
            "workload",
            "storage",
            "opsPerSecond",
            "p50Millis",
            "p99Millis",
            "nodeCpuMicrosPerOp",
            "controllerCpuMicrosPerOp",
            "writtenBytesPerOp",
            "diskBytesPerOp",
            "ratio");
  }

  @Test
  void usageIsADifference() {
    assertThat(new NodeUsage(5, 7, 9).since(new NodeUsage(1, 2, 3)))
        .isEqualTo(new NodeUsage(4, 5, 6));
  }

  /** Of two unknown counts the difference is not zero. */
  @Test
  void whatTheKernelDoesNotSayIsADash() {
    NodeUsage unknown = new NodeUsage(5_000_000, 7, -1).since(new NodeUsage(1_000_000, 2, -1));
    assertThat(unknown).isEqualTo(new NodeUsage(4_000_000, 5, -1));
    assertThat(new NodeUsage(5, 7, 9).since(new NodeUsage(1, 2, -1)).writtenBytes()).isEqualTo(-1);
    VersusRow row = VersusRow.ofWrites("feed", Storage.LOAM, 1000, 1_000_000_000, unknown);
    assertThat(row.cost().writtenBytesPerOp()).isNull();
    assertThat(row.cost().nodeCpuMicrosPerOp()).isEqualTo(4);
  }

  @Test
  void aSumIsKnownOnlyIfThatOfEachProcessIs() {
    long here = ProcessHandle.current().pid();
    long nowhere = Long.MAX_VALUE;
    assertThat(NodeUsage.sum(List.of(here, here), "status", "VmHWM:"))
        .isGreaterThan(NodeUsage.sum(List.of(here), "status", "Threads:"));
    assertThat(NodeUsage.sum(List.of(here, nowhere), "status", "VmHWM:")).isEqualTo(-1);
    assertThat(NodeUsage.sum(List.of(nowhere, nowhere), "status", "VmHWM:")).isEqualTo(-1);
    assertThat(NodeUsage.sum(List.of(), "status", "VmHWM:")).isEqualTo(-1);
  }
}
