package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

/** What an engine goes through in a round. */
class LatencyRoundTest {
  @TempDir Path directory;

  @Test
  void settingsOfTheTestingPhaseEndWithIt() throws Exception {
    Traffic traffic = new Traffic(Workload.OVERWRITE, ArrivalPattern.CONSTANT, 0.5, 1).at(100);
    LatencySpec spec =
        new LatencySpec(
            new Subject(Peer.LOAM, directory.resolve("work").toString(), Map.of()),
            new DataSize(1_000, 100, 64L << 20),
            Trees.ONE,
            Durability.PROCESS,
            traffic,
            300,
            42);
    StoreFactory loam = Peer.LOAM.factory();
    List<Store> opened = new ArrayList<>();
    List<String> found = new ArrayList<>();
    LatencyRound round =
        new LatencyRound(
            spec.with(spec.phases().testing(Map.of("l0.elastic", "false"))),
            settings -> {
              opened.add(loam.open(settings));
              return opened.get(0);
            },
            message -> {
              String part = message.began();
              if (part != null && part.endsWith("phase")) {
                // A change to any value says what it was.
                String before = opened.get(0).configure("l0.elastic", "true");
                found.add(part + ": " + before);
              }
            });
    LatencyResult result = round.run().get(0);
    assertThat(found).containsExactly("testing phase: false", "running phase: true");
    // There is a testing phase although the rate is given.
    assertThat(Objects.requireNonNull(result.testing()).operations()).isPositive();
    assertThat(Objects.requireNonNull(result.running()).offeredPerSecond()).isEqualTo(100);
  }
}
