package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.loam.common.error.InUseException;

@Timeout(60)
class LockWatchTest {
  private final Deque<Throwable> looks = new ArrayDeque<>();
  private final Deque<Throwable> tellings = new ArrayDeque<>();
  private final CountDownLatch lookedInPeace = new CountDownLatch(1);
  private final CountDownLatch told = new CountDownLatch(1);

  private final LockWatch watch = new LockWatch("lock", 1, this::look, this::lost);

  private void look() throws IOException {
    throwNext(looks);
    lookedInPeace.countDown();
  }

  private void lost(InUseException cause) {
    try {
      throwNext(tellings);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    told.countDown();
  }

  private static void throwNext(Deque<Throwable> due) throws IOException {
    Throwable next = due.poll();
    if (next instanceof IOException e) {
      throw e;
    } else if (next instanceof RuntimeException e) {
      throw e;
    } else if (next instanceof Error e) {
      throw e;
    }
  }

  @Test
  void aLookThatThrowsIsRepeated() throws InterruptedException {
    looks.addAll(List.of(new IOException("a"), new IllegalStateException("b"), new Error("c")));
    watch.start(new RealTasks());
    lookedInPeace.await();
    watch.stop();
    watch.join();
    assertThat(looks).isEmpty();
  }

  @Test
  void aLossEndsTheThreadOnceItsListenerHasTakenIt() throws InterruptedException {
    looks.add(new InUseException("gone"));
    tellings.addAll(List.of(new IllegalStateException("b"), new Error("c")));
    watch.start(new RealTasks());
    told.await();
    watch.join();
    assertThat(tellings).isEmpty();
    assertThat(lookedInPeace.getCount()).as("no look after the loss").isEqualTo(1);
  }
}
