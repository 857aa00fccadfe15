package org.loam.lsm.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/**
 * A call that takes several locks takes all of them or none, whatever one of them throws. A lock is
 * made when it is first taken.
 */
class KeyLocksTest {
  private static final int[] SOME = {0, 1, 2};

  private final List<Stripe> stripes = new ArrayList<>();
  private @Nullable Error thrownBySecond;
  private final KeyLocks locks = new KeyLocks(new StripeWaiter(), "d");

  /** A lock of one thread. */
  private static final class Stripe implements Monitor {
    private boolean isHeld;
    private boolean isBusy;
    private @Nullable Error thrown;

    @Override
    public void lock() {
      assertThat(tryLock()).isTrue();
    }

    @Override
    public boolean tryLock() {
      if (thrown != null) {
        throw thrown;
      }
      isHeld = !isBusy;
      return isHeld;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
      return tryLock();
    }

    @Override
    public void unlock() {
      assertThat(isHeld).isTrue();
      isHeld = false;
    }

    @Override
    public boolean isHeldByCurrentThread() {
      return isHeld;
    }

    @Override
    public void await() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long await(long nanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void signalAll() {
      throw new UnsupportedOperationException();
    }
  }

  private final class StripeWaiter implements Waiter {
    @Override
    public Monitor newMonitor(String name) {
      if (stripes.size() == SOME[1] && thrownBySecond != null) {
        throw thrownBySecond;
      }
      Stripe stripe = new Stripe();
      stripes.add(stripe);
      return stripe;
    }

    @Override
    public void pause(long nanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void spin() {
      throw new UnsupportedOperationException();
    }
  }

  /** Of these locks each is made already. */
  private void makeSome() {
    locks.lock(SOME);
    locks.unlock(SOME);
  }

  private List<Integer> held() {
    return IntStream.range(0, stripes.size()).filter(i -> stripes.get(i).isHeld).boxed().toList();
  }

  @Test
  void allAreTakenAndGivenBack() {
    assertThat(locks.tryLock(SOME)).isTrue();
    assertThat(held()).containsExactly(0, 1, 2);
    locks.unlock(SOME);
    assertThat(held()).isEmpty();
  }

  @Test
  void aLockIsMadeWhenItIsFirstTaken() {
    assertThat(stripes).isEmpty();
    makeSome();
    assertThat(stripes).hasSize(SOME.length);
    makeSome();
    assertThat(stripes).hasSize(SOME.length);
  }

  @Test
  void noneIsMadeToWaitForItsHolder() {
    locks.awaitHolders();
    assertThat(stripes).isEmpty();
    makeSome();
    locks.awaitHolders();
    assertThat(stripes).hasSize(SOME.length);
    assertThat(held()).isEmpty();
  }

  @Test
  void noneStaysTakenIfOneCannotBeMade() {
    thrownBySecond = new OutOfMemoryError("no heap");
    assertThatThrownBy(() -> locks.lock(SOME)).isSameAs(thrownBySecond);
    assertThat(stripes).hasSize(1);
    assertThat(held()).isEmpty();
    thrownBySecond = null;
    assertThat(locks.tryLock(SOME)).isTrue();
    assertThat(held()).containsExactly(0, 1, 2);
  }

  @Test
  void noneIsTakenIfOneIsBusy() {
    makeSome();
    stripes.get(1).isBusy = true;
    assertThat(locks.tryLock(SOME)).isFalse();
    assertThat(locks.tryLock(SOME, () -> 1)).isFalse();
    assertThat(held()).isEmpty();
  }

  @Test
  void noneStaysTakenAfterAnError() {
    makeSome();
    Error error = new OutOfMemoryError("no heap");
    stripes.get(1).thrown = error;
    List<ThrowingCallable> calls =
        List.of(
            () -> locks.tryLock(SOME),
            () -> locks.tryLock(SOME, () -> 1),
            () -> locks.lock(SOME),
            locks::awaitHolders);
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isSameAs(error);
      assertThat(held()).isEmpty();
    }
  }
}
