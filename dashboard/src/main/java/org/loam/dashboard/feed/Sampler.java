package org.loam.dashboard.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** Has a feed look once a second, while it is wanted. Thread-safe. */
public final class Sampler implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(Sampler.class);
  private static final long PERIOD_MILLIS = 1000;
  private static final long END_MILLIS = 2000;

  private final Feed feed;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "loam-dashboard-sampler");
            made.setDaemon(true);
            return made;
          });

  @GuardedBy("this")
  private @Nullable Future<?> looks;

  public Sampler(Feed feed) {
    this.feed = feed;
  }

  /**
   * Begins to look, at once.
   *
   * @param sink takes what each look says, on the thread that looks
   */
  public synchronized void start(Consumer<List<FeedEvent>> sink) {
    if (looks == null && !thread.isShutdown()) {
      thread.execute(feed::resume);
      looks =
          thread.scheduleWithFixedDelay(() -> look(sink), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look(Consumer<List<FeedEvent>> sink) {
    try {
      sink.accept(feed.look());
    } catch (RuntimeException | Error e) {
      // A fault that leaves this task would end all looks without a word.
      warn(e);
    }
  }

  private static void warn(Throwable fault) {
    try {
      LOGGER.warn("the dashboard could not look; it tries again in a second", fault);
    } catch (OutOfMemoryError e) {
      // It can be told of nothing then, and need not be.
    }
  }

  /** Whether it looks now. */
  public synchronized boolean isOn() {
    return looks != null;
  }

  /** Looks no more, until the next start. */
  public synchronized void stop() {
    if (looks != null) {
      looks.cancel(false);
      looks = null;
    }
  }

  /** Looks never again, and waits a moment for a look that is under way. */
  @Override
  public void close() {
    stop();
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
