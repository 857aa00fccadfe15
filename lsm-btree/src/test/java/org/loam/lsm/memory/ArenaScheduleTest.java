package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/**
 * Schedules of threads that prepare records in the pages of one component, while another one gives
 * its records back, and one asks how much is filled.
 */
@Tag("once")
@Explored
class ArenaScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int PAGE_BYTES = 4096;
  private static final int LOOKS = 3;

  /** Some fill the rest of a page, some span pages, some are longer than one. */
  private static final int[] VALUE_BYTES = {100, 3000, 150, 9000, 0, 1900, 230};

  @Test
  void noRecordTakesBytesOfAnother() {
    Schedules.explore(SCHEDULES, sim -> prepare(sim, 32, 3 * VALUE_BYTES.length, component -> {}));
  }

  @Test
  void aQuotaThatIsUsedUpLeavesWholeRecords() {
    Schedules.explore(SCHEDULES, sim -> prepare(sim, 4, 3, component -> {}));
  }

  @Test
  void whatIsGivenBackIsOfNoOtherRecord() {
    Schedules.explore(
        SCHEDULES, sim -> prepare(sim, 32, 3 * VALUE_BYTES.length, ArenaScheduleTest::giveBack));
  }

  private static void giveBack(MemoryComponent component) {
    for (int bytes : VALUE_BYTES) {
      component.giveBack(prepare(component, (byte) 4, bytes), 2, bytes);
    }
  }

  /**
   * Prepares records.
   *
   * @param other what another thread does
   */
  private static void prepare(
      Simulation sim, int pages, int leastRecords, Consumer<MemoryComponent> other) {
    try (PagePool pool = new PagePool(pages, PAGE_BYTES)) {
      PagePool.Quota quota = pool.quota("test", pages);
      MemoryComponent component =
          new MemoryComponent(
              quota, PAGE_BYTES, new Epochs(sim.env().waiter(), 1), sim.env().waiter());
      List<List<Long>> records = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      sim.run(
          () -> prepare(component, (byte) 1, records.get(0)),
          () -> prepare(component, (byte) 2, records.get(1)),
          () -> prepare(component, (byte) 3, records.get(2)),
          () -> other.accept(component),
          () -> {
            for (int i = 0; i < LOOKS; i++) {
              assertThat(component.filledBytes()).isNotNegative();
            }
          });
      int whole = 0;
      for (int thread = 0; thread < records.size(); thread++) {
        for (int i = 0; i < VALUE_BYTES.length; i++) {
          long record = records.get(thread).get(i);
          if (record != 0) {
            check(record, (byte) (thread + 1), VALUE_BYTES[i]);
            whole++;
          }
        }
      }
      assertThat(whole).isGreaterThanOrEqualTo(leastRecords);
      assertThat(component.usedBytes()).isEqualTo((long) quota.usedPages() * PAGE_BYTES);
      component.release();
      assertThat(quota.usedPages()).isZero();
    }
  }

  private static void prepare(MemoryComponent component, byte fill, List<Long> records) {
    for (int bytes : VALUE_BYTES) {
      records.add(prepare(component, fill, bytes));
    }
  }

  private static long prepare(MemoryComponent component, byte fill, int valueBytes) {
    byte[] value = new byte[valueBytes];
    Arrays.fill(value, fill);
    return component.prepare(EntryKind.PUT, new byte[] {fill, fill}, value);
  }

  private static void check(long record, byte fill, int valueBytes) {
    byte[] value = Fixture.value(record);
    boolean isWhole = value.length == valueBytes;
    for (byte b : value) {
      isWhole &= b == fill;
    }
    assertThat(isWhole).as("value of %s bytes", valueBytes).isTrue();
    assertThat(MemoryRecord.copyKey(record)).containsExactly(fill, fill);
  }
}
