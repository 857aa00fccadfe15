package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.engine.Orders.BY_COUNTRY;
import static org.loam.engine.Orders.NAME;
import static org.loam.engine.Orders.RULE;
import static org.loam.engine.Orders.bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;
import org.loam.engine.read.MultiGet;

/** The batches in which a query fetches records: how many records, how many bytes. */
class RecordCursorTest {
  private static final int LARGE = 200 << 10;

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .durability(Durability.PROCESS)
          .writeInitialBytes(8 << 20)
          .logSegmentBytes(4 << 20)
          .logMaxBytes(16 << 20)
          .build();

  private static void inOrders(Consumer<Dataset> body) {
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              body.accept(engine.datasets().create(NAME, RULE, List.of(BY_COUNTRY)));
            }
          });
    }
  }

  private static void write(Dataset orders, int from, int to, int recordBytes) {
    byte[] record = bytes("NO;;;" + "x".repeat(recordBytes - 5));
    for (int i = from; i < to; i++) {
      orders.upsert(bytes("o" + (10_000 + i)), record);
    }
  }

  /** Runs a query that shows all orders, from one number to another; how large batches were. */
  private static List<Integer> batches(Dataset orders, IndexQuery query, int from, int to) {
    List<Integer> batches = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    try (RecordCursor cursor = orders.query("country", query)) {
      int left = 0;
      while (cursor.next()) {
        byte[][] batch = cursor.batch();
        if (left == 0) {
          left = batch.length;
          batches.add(left);
          long bytes = 0;
          for (byte[] record : batch) {
            bytes += record.length;
          }
          assertThat(left == 1 || bytes <= MultiGet.MAX_BYTES).as("%d bytes", bytes).isTrue();
        }
        left--;
        assertThat(cursor.record()).isEqualTo(orders.get(cursor.key()));
        shown.add(new String(cursor.key(), UTF_8));
      }
      assertThat(left).isZero();
      assertThat(cursor.next()).isFalse();
    }
    int step = from < to ? 1 : -1;
    assertThat(shown)
        .isEqualTo(
            IntStream.range(0, Math.abs(to - from))
                .mapToObj(i -> "o" + (10_000 + from + step * i))
                .toList());
    return batches;
  }

  @Test
  void smallRecordsSoonComeInLargeBatches() {
    inOrders(
        orders -> {
          write(orders, 0, 3000, 1000);
          assertThat(batches(orders, IndexQuery.all(), 0, 3000))
              .containsExactly(16, 64, 256, RecordCursor.MAX_BATCH, RecordCursor.MAX_BATCH, 616);
          assertThat(batches(orders, IndexQuery.all().limit(1000), 0, 1000))
              .containsExactly(64, 256, 680);
          assertThat(batches(orders, IndexQuery.all().limit(50).reverse(), 2999, 2949))
              .containsExactly(50);
          assertThat(batches(orders, IndexQuery.all().limit(0), 0, 0)).isEmpty();
        });
  }

  @Test
  void aBatchOfLargeRecordsIsBoundedInBytes() {
    inOrders(
        orders -> {
          write(orders, 0, 100, LARGE);
          assertThat(batches(orders, IndexQuery.all(), 0, 100)).startsWith(16, 10, 10).hasSize(10);
          assertThat(batches(orders, IndexQuery.all().limit(70), 0, 70)).startsWith(10, 10);
          assertThat(batches(orders, IndexQuery.all().reverse(), 99, -1)).startsWith(16, 10);
        });
  }

  /** What was seen before says nothing of what comes. */
  @Test
  void recordsThatGrowWithinARangeAreBoundedToo() {
    inOrders(
        orders -> {
          write(orders, 0, 1400, 10);
          write(orders, 1400, 1500, LARGE);
          assertThat(batches(orders, IndexQuery.all(), 0, 1500))
              .startsWith(16, 64, 256, RecordCursor.MAX_BATCH);
          List<Integer> back = batches(orders, IndexQuery.all().reverse(), 1499, -1);
          assertThat(back).startsWith(16, 10).endsWith(100, 400, 869);
        });
  }

  @Test
  void aRecordLargerThanTheBoundComesAlone() {
    byte[][] values = {new byte[(int) MultiGet.MAX_BYTES + 1]};
    assertThat(MultiGet.fitting(values)).isEqualTo(1);
    assertThat(MultiGet.fitting(new byte[1024][])).isEqualTo(1);
    assertThat(MultiGet.fitting(new byte[1024][0])).isEqualTo(Integer.MAX_VALUE);
    assertThat(MultiGet.fitting(new byte[][] {new byte[1024], null})).isEqualTo(2046);
  }
}
