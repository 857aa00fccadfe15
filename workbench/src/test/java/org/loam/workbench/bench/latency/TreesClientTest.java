package org.loam.workbench.bench.latency;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.InsertLog;
import org.loam.workbench.bench.Population;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Hotspot;
import org.loam.workbench.workload.Workload;
import org.loam.workbench.workload.Zipfian;

/** Which tree and which record a client chooses. */
class TreesClientTest {
  private static final int TREES = 4;
  private static final int RECORDS = 1_000;
  private static final int STEPS = 200_000;

  /** Writes of each tree, by key. */
  private final List<Map<String, Integer>> writes = new ArrayList<>();

  private void write(@Nullable Double zipf) {
    write(zipf, null);
  }

  private void write(@Nullable Double zipf, @Nullable Hotspot hotspot) {
    LatencySpec spec =
        new LatencySpec(
            new Subject(Peer.LOAM, "", Map.of()),
            new DataSize((long) TREES * RECORDS, 100, 64L << 20),
            new Trees(TREES, 0),
            Durability.PROCESS,
            new Traffic(
                Workload.OVERWRITE, ArrivalPattern.CONSTANT, 0.95, 1, zipf, hotspot, null, null),
            1_000,
            42);
    List<InsertLog> inserts = new ArrayList<>();
    for (int tree = 0; tree < TREES; tree++) {
      writes.add(new HashMap<>());
      inserts.add(new InsertLog(RECORDS, 1));
    }
    Population population = LatencyRound.population(spec);
    try (TreesClient client =
        new TreesClient(spec, Workload.OVERWRITE, new CountingStore(), population, inserts, 0)) {
      for (int i = 0; i < STEPS; i++) {
        client.step();
      }
    }
  }

  private double shareOfTree(int tree) {
    return writes.get(tree).values().stream().mapToInt(Integer::intValue).sum() / (double) STEPS;
  }

  private double shareOfHottestRecord(int tree) {
    int most = writes.get(tree).values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    return most / (shareOfTree(tree) * STEPS);
  }

  @Test
  void theSkewDecidesTreeAndRecord() {
    write(0.8);
    for (int tree = 0; tree < 2; tree++) {
      assertThat(shareOfTree(tree))
          .isCloseTo(new Zipfian(TREES, 0.8).probability(tree), within(0.01));
      assertThat(shareOfHottestRecord(tree))
          .isCloseTo(new Zipfian(RECORDS, 0.8).probability(0), within(0.01));
    }
  }

  @Test
  void aHotspotDecidesTheTreeAndTheSkewTheRecord() {
    write(0.8, new Hotspot(80, 25));
    assertThat(shareOfTree(0)).isCloseTo(0.8, within(0.01));
    for (int tree = 1; tree < TREES; tree++) {
      assertThat(shareOfTree(tree)).isCloseTo(0.2 / 3, within(0.01));
      assertThat(shareOfHottestRecord(tree))
          .isCloseTo(new Zipfian(RECORDS, 0.8).probability(0), within(0.01));
    }
  }

  @Test
  void withoutSkewAllAreAlike() {
    write(null);
    for (int tree = 0; tree < TREES; tree++) {
      assertThat(shareOfTree(tree)).isCloseTo(1.0 / TREES, within(0.01));
      assertThat(shareOfHottestRecord(tree)).isLessThan(3.0 / RECORDS);
    }
  }

  /** Counts writes and keeps nothing. */
  private final class CountingStore implements Store {
    @Override
    public Session session() {
      return session(0);
    }

    @Override
    public Session session(int tree) {
      return new Session() {
        @Override
        public void put(byte[] key, byte[] value) {
          writes.get(tree).merge(new String(key, US_ASCII), 1, Integer::sum);
        }

        @Override
        public int get(byte[] key, byte[] target) {
          return ABSENT;
        }

        @Override
        public int scan(byte[] from, int limit, RecordSink sink) {
          return 0;
        }

        @Override
        public void close() {
          // Nothing is held.
        }
      };
    }

    @Override
    public void flush() {
      // Nothing to do.
    }

    @Override
    public long bytesWritten() {
      return 0;
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
