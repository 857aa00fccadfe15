package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.PagePool;

/** An index over several components shows what they showed, without a copy of their records. */
class IndexMergeTest {
  private static final int PAGE_BYTES = 4096;
  private static final Epochs EPOCHS = new Epochs(new SpinWaiter());

  /** A pool, and components in it, newest first. */
  private static final class Pipeline implements AutoCloseable {
    final PagePool pool;
    final PagePool.Quota quota;
    final List<MemoryRun> runs = new ArrayList<>();
    private final List<MemoryComponent> made = new ArrayList<>();
    private MemoryComponent active;
    private long lsn;

    Pipeline(int pages) {
      pool = new PagePool(pages, PAGE_BYTES);
      quota = pool.quota("test", pages);
      active = component();
    }

    MemoryComponent component() {
      MemoryComponent component = Fixture.component(quota, PAGE_BYTES);
      made.add(component);
      return component;
    }

    void put(String key, VersionRetention retention) {
      lsn++;
      long record = active.prepare(EntryKind.PUT, Fixture.bytes(key), Fixture.bytes("value" + lsn));
      assertThat(record).isPositive();
      assertThat(active.reserve(1)).isTrue();
      active.insert(record, lsn, retention);
    }

    void settle() {
      active.freeze();
      runs.add(0, MemoryRun.of(active, EPOCHS));
      active = component();
    }

    /** Rows of a component, or of the newest of several that has the key. */
    List<String> rows(long readLsn) {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < runs.size(); i++) {
        for (String row : Fixture.rows(runs.get(i).component(), readLsn)) {
          String key = row.substring(0, row.indexOf('=') + 1);
          if (rows.stream().noneMatch(newer -> newer.startsWith(key))) {
            rows.add(row);
          }
        }
      }
      Collections.sort(rows);
      return rows;
    }

    @Override
    public void close() {
      made.forEach(MemoryComponent::release);
      assertThat(quota.usedPages()).as("pages not given back").isZero();
      pool.close();
    }
  }

  @Test
  void readersSeeInTheIndexAndBesideItWhatTheySaw() {
    Random random = new Random(3);
    try (Pipeline pipeline = new Pipeline(1024)) {
      for (int run = 0; run < 4; run++) {
        for (int i = 0; i < 600; i++) {
          pipeline.put("key" + random.nextInt(300), Fixture.KEEP_ALL);
        }
        pipeline.settle();
      }
      long[] readLsns = {0, 1, 300, 601, 1200, 1777, 2399, Long.MAX_VALUE};
      List<List<String>> before = new ArrayList<>();
      for (long readLsn : readLsns) {
        before.add(pipeline.rows(readLsn));
      }
      int pages = pipeline.quota.usedPages();
      IndexMerge merge = new IndexMerge(pipeline.runs, pipeline.component(), Fixture.KEEP_ALL);
      assertThat(merge.build(() -> true)).isTrue();
      MemoryComponent made = merge.finish();
      for (int i = 0; i < readLsns.length; i++) {
        assertThat(pipeline.rows(readLsns[i])).isEqualTo(before.get(i));
        List<String> rows = Fixture.rows(made, readLsns[i]);
        Collections.sort(rows);
        assertThat(rows).isEqualTo(before.get(i));
      }
      assertThat(made.keyCount()).isEqualTo(before.get(7).size());
      assertThat(made.maxLsn()).isEqualTo(2400);
      assertThat(made.minLsn()).as("a flush tells by it whether it needs LSNs").isEqualTo(1);
      long nodePages = merge.indexBytes() / PAGE_BYTES;
      assertThat(pipeline.quota.usedPages()).isEqualTo(pages + (int) nodePages);
      merge.takeOver();
      // What remains of the others are nodes.
      long others = pipeline.runs.stream().mapToLong(MemoryRun::bytes).sum();
      assertThat(made.usedBytes() + others)
          .isEqualTo((long) pipeline.quota.usedPages() * PAGE_BYTES);
      assertThat(made.usedBytes()).isGreaterThan(others);
    }
  }

  @Test
  void whatNoReaderNeedsIsNotInTheIndex() {
    try (Pipeline pipeline = new Pipeline(64)) {
      pipeline.put("a", Fixture.KEEP_NONE);
      pipeline.put("b", Fixture.KEEP_NONE);
      pipeline.settle();
      pipeline.put("a", Fixture.KEEP_NONE);
      pipeline.settle();
      IndexMerge merge = new IndexMerge(pipeline.runs, pipeline.component(), Fixture.KEEP_NONE);
      assertThat(merge.build(() -> true)).isTrue();
      MemoryComponent made = merge.finish();
      merge.takeOver();
      assertThat(Fixture.rows(made, Long.MAX_VALUE)).containsExactly("a=value3@3", "b=value2@2");
      assertThat(Fixture.rows(made, 2)).containsExactly("b=value2@2");
      assertThat(made.minLsn()).isEqualTo(2);
      assertThat(made.supersededBytes()).isPositive();
    }
  }

  /** What superseded the oldest write may not be in the log for good. */
  @Test
  void oneThatBecomesFlatKeepsItsOldestWrite() {
    try (Pipeline pipeline = new Pipeline(1024)) {
      pipeline.put("a", Fixture.KEEP_NONE);
      pipeline.put("a", Fixture.KEEP_NONE);
      for (int i = 0; i < 5000; i++) {
        pipeline.put("k" + Integer.reverse(i), Fixture.KEEP_NONE);
      }
      pipeline.settle();
      MemoryComponent before = pipeline.runs.get(0).component();
      IndexMerge merge = new IndexMerge(pipeline.runs, pipeline.component(), Fixture.KEEP_NONE);
      assertThat(merge.build(() -> true)).isTrue();
      MemoryComponent made = merge.finish();
      assertThat(made.minLsn()).isEqualTo(1);
      assertThat(made.supersededBytes()).isEqualTo(before.supersededBytes());
      merge.takeOver();
      assertThat(merge.indexBytes()).isLessThan(before.usedBytes());
      assertThat(Fixture.rows(made, Long.MAX_VALUE))
          .isEqualTo(Fixture.rows(before, Long.MAX_VALUE));
    }
  }

  @Test
  void anIndexWithoutMemoryIsAbandoned() {
    try (Pipeline pipeline = new Pipeline(64)) {
      for (int i = 0; i < 1000; i++) {
        pipeline.put("k" + i, Fixture.KEEP_NONE);
      }
      pipeline.settle();
      List<Long> taken = new ArrayList<>();
      while (pipeline.quota.usedPages() < pipeline.quota.targetPages() - 1) {
        taken.add(pipeline.quota.allocate());
      }
      List<String> before = pipeline.rows(Long.MAX_VALUE);
      IndexMerge merge = new IndexMerge(pipeline.runs, pipeline.component(), Fixture.KEEP_NONE);
      assertThat(merge.build(() -> true)).isFalse();
      MemoryComponent made = merge.abandon();
      assertThat(made.usedBytes()).isEqualTo(PAGE_BYTES);
      assertThat(pipeline.rows(Long.MAX_VALUE)).isEqualTo(before);
      taken.forEach(pipeline.quota::free);
    }
  }
}
