package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.PagePool.Quota;

class PagePoolTest {
  private static final int PAGES = 32;
  private static final int PAGE_BYTES = 4096;

  private final long liveBefore = Mem.liveBytes();
  private PagePool pool;

  @BeforeEach
  void open() {
    pool = new PagePool(PAGES, PAGE_BYTES);
  }

  @AfterEach
  void discard() {
    pool.discard();
    assertThat(Mem.liveBytes()).as(Mem.describeLive()).isEqualTo(liveBefore);
  }

  @Test
  void pagesAreAlignedWritableDistinctAndReusedLastInFirstOut() {
    Quota quota = pool.quota("write", PAGES);
    List<Long> pages = take(quota, PAGES);
    assertThat(pages).doesNotHaveDuplicates();
    for (long page : pages) {
      assertThat(page % PAGE_BYTES).isZero();
      assertThat(pool.base() + (long) pool.indexOf(page) * PAGE_BYTES).isEqualTo(page);
      Mem.fill(page, PAGE_BYTES, (byte) 1);
    }
    assertThat(quota.allocate()).isZero();
    quota.free(pages.get(7));
    quota.free(pages.get(3));
    assertThat(quota.allocate()).isEqualTo(pages.get(3));
    assertThat(quota.allocate()).isEqualTo(pages.get(7));
  }

  @Test
  void aQuotaEndsAtItsTarget() {
    Quota quota = pool.quota("write", 3);
    List<Long> pages = take(quota, 3);
    assertThat(quota.allocate()).isZero();
    quota.free(pages.get(0));
    assertThat(quota.usedPages()).isEqualTo(2);
    assertThat(quota).hasToString("write: 2 of 3 pages");
  }

  @Test
  void targetsNeverExceedThePool() {
    pool.quota("write", 20);
    assertThatThrownBy(() -> pool.quota("cache", 13))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cache: target 13 pages, must be in 0..12");
    assertThat(pool.quota("cache", 12).targetPages()).isEqualTo(12);
    assertThat(pool.unassignedPages()).isZero();
  }

  @Test
  void freeingTwiceOrThroughAnotherQuotaOrWhatIsNoPageIsCaught() {
    Quota write = pool.quota("write", 4);
    Quota cache = pool.quota("cache", 4);
    long page = write.allocate();
    for (long address : new long[] {page + 1, page + 64, pool.base() - PAGE_BYTES, 0, -4096}) {
      assertThatThrownBy(() -> write.free(address))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no page of the pool");
    }
    assertThatThrownBy(() -> write.free(pool.base() + (long) PAGES * PAGE_BYTES))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> cache.free(page))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("belongs to write");
    write.free(page);
    assertThatThrownBy(() -> write.free(page))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("which is free");
    assertThat(write.usedPages()).isZero();
    assertThat(pool.usedPages()).isZero();
  }

  @Test
  @EnabledIfSystemProperty(named = "loam.mem.check", matches = "true")
  void aFreePageIsPoisoned() {
    Quota quota = pool.quota("write", 2);
    assertThatThrownBy(() -> Mem.getByte(pool.base())).isInstanceOf(AssertionError.class);
    long page = quota.allocate();
    Mem.fill(page, PAGE_BYTES, (byte) 1);
    quota.free(page);
    assertThatThrownBy(() -> Mem.getByte(page + 77))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("page pool");
    assertThat(quota.allocate()).isEqualTo(page);
    Mem.getByte(page + 77);
  }

  @Test
  void whatTheDonorDoesNotUseMovesAtOnceTheRestAsItIsFreed() {
    Quota write = pool.quota("write", 20);
    Quota cache = pool.quota("cache", 12);
    List<Long> held = take(write, 17);
    assertThat(pool.transfer(write, cache, 5)).isEqualTo(3);
    assertThat(write.targetPages()).isEqualTo(15);
    assertThat(write.excessPages()).isEqualTo(2);
    assertThat(cache.targetPages()).isEqualTo(15);
    assertThat(write.allocate()).isZero();
    write.free(held.remove(0));
    assertThat(cache.targetPages()).isEqualTo(16);
    write.free(held.remove(0));
    assertThat(cache.targetPages()).isEqualTo(17);
    assertThat(write.excessPages()).isZero();
    write.free(held.remove(0));
    assertThat(cache.targetPages()).isEqualTo(17);
    assertThat(take(cache, 17)).hasSize(17);
    assertThat(cache.allocate()).isZero();
  }

  @Test
  void quotasThatOweEachOtherSettleTheDifference() {
    Quota a = pool.quota("a", 16);
    Quota b = pool.quota("b", 16);
    List<Long> ofA = take(a, 16);
    List<Long> ofB = take(b, 16);
    assertThat(pool.transfer(a, b, 5)).isZero();
    assertThat(pool.transfer(b, a, 3)).isZero();
    assertThat(a.excessPages()).isEqualTo(5);
    // One page freed by a goes to b, back to a, and so on until b owes nothing.
    a.free(ofA.remove(0));
    assertThat(b.excessPages() + a.excessPages()).isLessThanOrEqualTo(2);
    while (a.excessPages() > 0) {
      a.free(ofA.remove(0));
    }
    while (b.excessPages() > 0) {
      b.free(ofB.remove(0));
    }
    assertThat(a.targetPages()).isEqualTo(14);
    assertThat(b.targetPages()).isEqualTo(18);
  }

  @Test
  void aClosedQuotaReturnsItsTargetAndWhatItIsOwed() {
    Quota write = pool.quota("write", 20);
    Quota cache = pool.quota("cache", 12);
    List<Long> held = take(write, 20);
    pool.transfer(write, cache, 4);
    long page = cache.allocate();
    assertThatThrownBy(cache::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("cache: 1 of 12 pages");
    cache.free(page);
    cache.close();
    cache.close();
    assertThat(pool.unassignedPages()).isEqualTo(12);
    for (long p : held) {
      write.free(p);
    }
    assertThat(pool.unassignedPages()).isEqualTo(16);
    assertThatThrownBy(cache::allocate).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> pool.transfer(write, cache, 1)).isInstanceOf(ClosedException.class);
  }

  @Test
  void badTransfersAreRefused() {
    Quota a = pool.quota("a", 4);
    Quota b = pool.quota("b", 4);
    assertThatThrownBy(() -> pool.transfer(a, b, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transfer of 5 pages from a: must be in 1..4");
    assertThatThrownBy(() -> pool.transfer(a, b, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool.transfer(a, a, 1)).isInstanceOf(IllegalArgumentException.class);
    PagePool other = new PagePool(1, PAGE_BYTES);
    assertThatThrownBy(() -> pool.transfer(a, other.quota("c", 1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another pool");
    other.close();
  }

  @Test
  void closingWithPagesInUseIsCaughtAndFreesNothing() {
    Quota quota = pool.quota("write", 4);
    long page = quota.allocate();
    assertThatThrownBy(pool::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("write: 1 of 4 pages");
    Mem.putLong(page, 1);
    quota.free(page);
    pool.close();
    pool.close();
    assertThatThrownBy(() -> pool.quota("late", 1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(quota::allocate).isInstanceOf(ClosedException.class);
  }

  @Test
  void badSizesAreRefused() {
    assertThatThrownBy(() -> new PagePool(0, 4096)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PagePool(1, 2048)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PagePool(1, 5000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5000");
  }

  /** Random allocations, frees and transfers against the invariants of the class. */
  @Test
  void thePagesInUseNeverExceedThePoolAndNoTargetIsLost() {
    for (long seed = 1; seed <= 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      PagePool some = new PagePool(PAGES, PAGE_BYTES);
      List<Quota> quotas = List.of(some.quota("a", 10), some.quota("b", 11), some.quota("c", 8));
      List<List<Long>> held = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      for (int step = 0; step < 400; step++) {
        int i = random.nextInt(3);
        Quota quota = quotas.get(i);
        List<Long> mine = held.get(i);
        int dice = random.nextInt(10);
        if (dice < 5) {
          boolean full = quota.usedPages() >= quota.targetPages();
          long page = quota.allocate();
          assertThat(page == 0).as("seed %d step %d", seed, step).isEqualTo(full);
          if (page != 0) {
            mine.add(page);
          }
        } else if (dice < 9 && !mine.isEmpty()) {
          quota.free(mine.remove(random.nextInt(mine.size())));
        } else if (quota.targetPages() > 0) {
          Quota to = quotas.get((i + 1 + random.nextInt(2)) % 3);
          some.transfer(quota, to, 1 + random.nextInt(quota.targetPages()));
        }
        int sum = some.unassignedPages();
        for (Quota q : quotas) {
          sum += q.targetPages() + q.excessPages();
        }
        assertThat(sum).as("targets, debts, rest: seed %d step %d", seed, step).isEqualTo(PAGES);
        assertThat(some.usedPages()).isLessThanOrEqualTo(PAGES);
      }
      for (int i = 0; i < 3; i++) {
        held.get(i).forEach(quotas.get(i)::free);
        quotas.get(i).close();
      }
      assertThat(some.unassignedPages()).as("seed %d", seed).isEqualTo(PAGES);
      some.close();
    }
  }

  /** Every write asks how full the write memory is: it must not meet threads that take pages. */
  @Test
  void askingHowMuchIsUsedTakesNoLock() throws Exception {
    Quota quota = pool.quota("a", 16);
    quota.allocate();
    synchronized (pool) {
      CompletableFuture<String> asked =
          CompletableFuture.supplyAsync(() -> quota.usedPages() + " of " + quota.targetPages());
      assertThat(asked.get(10, TimeUnit.SECONDS)).isEqualTo("1 of 16");
    }
  }

  @Test
  void threadsNeverHoldTheSamePage() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Quota a = pool.quota("a", 16);
    Quota b = pool.quota("b", 16);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Quota mine = t % 2 == 0 ? a : b;
      Quota other = t % 2 == 0 ? b : a;
      long mark = t + 1L;
      Thread thread = new Thread(() -> churn(mine, other, mark));
      thread.setUncaughtExceptionHandler((failed, e) -> failure.compareAndSet(null, e));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    assertThat(a.targetPages() + b.targetPages()).isEqualTo(PAGES);
    pool.close();
  }

  private void churn(Quota mine, Quota other, long mark) {
    SplittableRandom random = new SplittableRandom(mark);
    List<Long> held = new ArrayList<>();
    for (int n = 0; n < 5_000; n++) {
      long page = random.nextInt(3) == 0 ? 0 : mine.allocate();
      if (page != 0) {
        Mem.putLong(page, mark);
        held.add(page);
      } else if (!held.isEmpty()) {
        long some = held.remove(random.nextInt(held.size()));
        assertThat(Mem.getLong(some)).isEqualTo(mark);
        mine.free(some);
      }
      if (n % 100 == 0 && mine.targetPages() > 8) {
        pool.transfer(mine, other, 1);
      }
    }
    held.forEach(mine::free);
  }

  private static List<Long> take(Quota quota, int pages) {
    List<Long> taken = new ArrayList<>();
    for (int i = 0; i < pages; i++) {
      long page = quota.allocate();
      assertThat(page).isNotZero();
      taken.add(page);
    }
    return taken;
  }
}
